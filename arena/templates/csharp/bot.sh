#!/bin/sh
exec mono bot.exe
