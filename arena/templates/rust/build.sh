#!/bin/sh
# Makes the program that bot.toml names.
set -e
cd "$(dirname "$0")"
rustc -O -o bot bot.rs
