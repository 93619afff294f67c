#!/bin/sh
# Makes the classes that the program of bot.toml starts.
set -e
cd "$(dirname "$0")"
javac Bot.java
