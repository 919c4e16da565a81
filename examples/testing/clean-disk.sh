#!/bin/sh
# Would remove what can be made again. This one only says what it would do.
[ "$1" = --disk ] || { echo "usage: $0 --disk NAME" >&2; exit 2; }
echo "cleaning $2"
