# Gives Java a locale with letters beyond ASCII. Sourced by POSIX shells, also where Headrace is installed.

# File names are bytes, and Java takes them for text in the locale's encoding, whatever properties
# say: in the locale C, also without one or with one that is not installed, all letters beyond ASCII
# would be lost. So such a locale is replaced; others are the user's choice.
use_utf8() {
  case $(charmap) in
    *ASCII* | ANSI_X3.4* | 646) ;;
    *) return 0 ;;
  esac
  for utf8 in C.UTF-8 C.utf8 en_US.UTF-8 en_US.utf8; do
    case $(LC_ALL=$utf8 && export LC_ALL && charmap) in
      UTF-8 | utf8)
        LC_ALL=$utf8
        export LC_ALL
        return 0
        ;;
    esac
  done
}

# The encoding of the locale in effect; without the command locale, of the one asked for.
charmap() {
  if command -v locale >/dev/null 2>&1; then
    locale charmap 2>/dev/null
    return 0
  fi
  case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    *.UTF-8 | *.utf8) echo UTF-8 ;;
    C | POSIX) echo ASCII ;;
    *) echo other ;;
  esac
}
