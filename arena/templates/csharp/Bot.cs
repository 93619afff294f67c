// A bot in C#, without packages: reads one JSON object a line, writes one a line.
// Console.Error is for notes.

using System;
using System.Linq;
using System.Text.RegularExpressions;

static class Bot
{
    // Enough for fields that come before the view; a JSON library reads the view too.
    static string Find(string pattern, string line) => Regex.Match(line, pattern).Groups[1].Value;

    // The number of the option to take, counted from 0.
    static int Choose(string[] options) =>
        Math.Max(0, Array.FindIndex(options, text => text.StartsWith("build")));

    static void Main()
    {
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            var type = Find("\"type\":\"(\\w+)\"", line);
            var id = Find("\"id\":(\\d+)", line);
            if (type == "bye") return;
            if (type == "observe") continue;
            var reply = "{\"type\":\"ready\",\"id\":" + id + "}";
            if (type == "decide")
            {
                var list = Find("\"options\":\\[(.*?)\\]", line);
                var texts = Regex.Matches(list, "\"([^\"]*)\"").Cast<Match>();
                var options = texts.Select(text => text.Groups[1].Value).ToArray();
                reply = "{\"type\":\"choice\",\"id\":" + id + ",\"option\":" + Choose(options) + "}";
            }
            Console.Out.Write(reply + "\n");
            Console.Out.Flush(); // or the arena waits for ever
        }
    }
}
