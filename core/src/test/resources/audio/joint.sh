#!/bin/sh
# Makes joint.mp3, a joint-stereo file with a click in one channel only, and what mpg123 makes of
# it, as FLAC to keep it small. Needs sox, lame 3.100, mpg123 1.31, flac.
set -eu
sox -n -r 44100 -c 1 -b 16 left.wav synth 0.3 sine 440 gain -9
sox -n -r 44100 -c 1 -b 16 click.wav synth 0.01 noise gain -3 pad 0.15 0.14
sox -m left.wav click.wav right.wav trim 0 0.3
sox -M left.wav right.wav both.wav
lame --quiet -m j -b 96 both.wav joint.mp3
mpg123 -q -w decoded.wav joint.mp3
flac -s -f -8 decoded.wav -o joint-mpg123.flac
rm left.wav click.wav right.wav both.wav decoded.wav
