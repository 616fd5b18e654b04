#!/bin/sh
# Makes the fixtures of this folder from those in ../jpeg with jpegtran of libjpeg-turbo.
set -eu
cd "$(dirname "$0")"

scans() { # name, source, script
  printf '%s\n' "$3" | tr ';' '\n' | sed '/^$/d; s/$/;/' > script.tmp
  jpegtran -copy all -scans script.tmp -outfile "$1" "../jpeg/$2"
  rm script.tmp
}

scans separate.jpg odd.jpg '0;1;2'
scans pairs.jpg odd.jpg '1 2;0'
scans separate-4x2.jpg sample-4x2.jpg '2;0;1'
scans spectral.jpg odd.jpg '0 1 2: 0-0, 0, 0;0: 1-4, 0, 0;1: 1-63, 0, 0;2: 1-63, 0, 0;0: 5-63, 0, 0'
scans deep.jpg odd.jpg '0: 0-0, 0, 3;1 2: 0-0, 0, 0;0: 0-0, 3, 2;0: 1-63, 0, 3;0: 0-0, 2, 1;0: 0-0, 1, 0;0: 1-63, 3, 2;0: 1-63, 2, 1;0: 1-63, 1, 0;1: 1-63, 0, 0;2: 1-63, 0, 0'
scans lacks-scans.jpg odd.jpg '0 1 2: 0-0, 0, 1;0: 1-5, 0, 2;1: 1-63, 0, 1;0: 1-5, 2, 1'
jpegtran -progressive -outfile cmyk-progressive.jpg ../jpeg/cmyk.jpg
jpegtran -progressive -restart 3B -outfile restart-progressive.jpg ../jpeg/sample-2x1.jpg
jpegtran -restart 1B -scans /dev/stdin -outfile separate-restart.jpg ../jpeg/odd.jpg <<S
0;
1;
2;
S

# Sizes that -copy none gives for the fixtures in ../jpeg and here: the yardstick of our own sizes.
{
  echo '# file, bytes after jpegtran -copy none -optimize, and after -copy none -optimize -progressive'
  photos=../../../../../samples/photos
  for file in ../jpeg/*.jpg ./*.jpg $photos/*/gcompris-[d-e]*-001.jpg; do
    case $file in */arithmetic*) continue ;; esac
    name=${file#../}
    name=${name#../../../../samples/}
    name=${name#./}
    case $name in */*) ;; *) name=jpeg-scans/$name ;; esac
    echo "$name $(jpegtran -copy none -optimize "$file" | wc -c)" \
      "$(jpegtran -copy none -optimize -progressive "$file" | wc -c)"
  done
} > sizes.txt
