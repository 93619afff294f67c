#!/bin/sh
# Makes the program that bot.toml names.
set -e
cd "$(dirname "$0")"
cc -O2 -o bot bot.c
