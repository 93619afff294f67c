#!/bin/sh
# Makes the program that bot.toml names.
set -e
cd "$(dirname "$0")"
go build -o bot bot.go
