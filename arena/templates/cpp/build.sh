#!/bin/sh
# Makes the program that bot.toml names.
set -e
cd "$(dirname "$0")"
c++ -O2 -std=c++17 -o bot bot.cpp
