#!/usr/bin/env node
// A bot in JavaScript, without packages: reads one JSON object a line, writes one a line.
// Only replies go to stdout; console.error is for notes.
"use strict";

// The number of the option to take, counted from 0: build when you can, else take anything.
function choose(options) {
  return Math.max(0, options.findIndex((text) => text.startsWith("build")));
}

function answer(message) {
  switch (message.type) {
    case "decide":
      return { type: "choice", id: message.id, option: choose(message.options) };
    case "hello":
    case "start": // message.seed is for dice of your own: Math.random cannot be seeded
    case "finish":
      return { type: "ready", id: message.id };
    default:
      return null;
  }
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "bye") process.exit(0);
  const reply = answer(message);
  if (reply) process.stdout.write(JSON.stringify(reply) + "\n");
});
