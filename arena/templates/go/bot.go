// A bot in Go: reads one JSON object a line, writes one a line; stderr is for notes.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
)

type message struct {
	Type    string   `json:"type"`
	ID      int64    `json:"id"`
	Prompt  string   `json:"prompt"`
	Options []string `json:"options"`
	Seed    int64    `json:"seed"`
}

// choose is the number of the option to take, counted from 0.
func choose(asked message) int {
	for place, text := range asked.Options {
		if strings.HasPrefix(text, "build") {
			return place
		}
	}
	return 0
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout) // which keeps nothing back
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked message
		if json.Unmarshal(line, &asked) != nil {
			return
		}
		switch asked.Type {
		case "decide":
			out.Encode(map[string]any{"type": "choice", "id": asked.ID, "option": choose(asked)})
		case "hello", "start", "finish":
			out.Encode(map[string]any{"type": "ready", "id": asked.ID})
		case "bye":
			return
		}
	}
}
