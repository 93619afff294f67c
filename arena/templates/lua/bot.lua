#!/usr/bin/env lua5.4
-- A bot in Lua, without modules: reads one JSON object a line, writes one a line.
-- io.stderr is for notes.

-- The number of the option to take, counted from 0.
local function choose(options)
  for place, text in ipairs(options) do
    if text:sub(1, 5) == "build" then
      return place - 1
    end
  end
  return 0
end

for line in io.lines() do
  -- Enough for these fields, which come before the view; a JSON module reads the view too.
  local kind = line:match('"type":"(%w+)"')
  local id = line:match('"id":(%d+)')
  if kind == "decide" then
    local options = {}
    for text in line:match('"options":%[(.-)%]'):gmatch('"([^"]*)"') do
      options[#options + 1] = text
    end
    io.write(string.format('{"type":"choice","id":%s,"option":%d}\n', id, choose(options)))
  elseif kind == "bye" then
    break
  elseif kind ~= "observe" then
    io.write(string.format('{"type":"ready","id":%s}\n', id))
  end
  io.flush() -- or the arena waits for ever
end
