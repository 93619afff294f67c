#!/bin/sh
# Makes bot.exe with Mono, which needs /proc and so plays with --trust-bots only; for leagues, publish
# a native program with .NET to this folder and name it in bot.toml.
set -e
cd "$(dirname "$0")"
mcs -out:bot.exe Bot.cs
