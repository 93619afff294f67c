#!/usr/bin/env node
// A bot in JavaScript, without packages: reads one JSON object a line, writes one a line.
// Only replies go to stdout; console.error is for notes.
"use strict";

const LIKED = ["stage", "free", "build", "study", "revive", "token"]; // the best verb first
let state = 1; // of our own dice: Math.random cannot be seeded

function below(bound) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * bound);
}

function choose(options) {
  for (const verb of LIKED) {
    const place = options.findIndex((text) => text.startsWith(verb));
    if (place >= 0) return place;
  }
  return below(options.length);
}

function answer(message) {
  switch (message.type) {
    case "decide":
      return { type: "choice", id: message.id, option: choose(message.options) };
    case "start":
      state = message.seed % 2 ** 32; // a double rounds so large a number, always alike
      return { type: "ready", id: message.id };
    case "hello":
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
