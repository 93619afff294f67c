// A bot in Rust, without crates: reads one JSON object a line, writes one a line.
// eprintln! is for notes.

use std::io::{self, BufRead, Write};

/// What follows a key; enough for fields before the view, which serde_json reads too.
fn after<'a>(line: &'a str, key: &str) -> &'a str {
    line.find(key).map_or("", |at| &line[at + key.len()..])
}

fn options_of(line: &str) -> Vec<&str> {
    let list = after(line, "\"options\":[").split(']').next().unwrap_or("");
    list.split('"').skip(1).step_by(2).collect()
}

/// The number of the option to take, counted from 0.
fn choose(options: &[&str]) -> usize {
    options.iter().position(|text| text.starts_with("build")).unwrap_or(0)
}

fn main() {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line of UTF-8");
        let kind = after(&line, "\"type\":\"").split('"').next().unwrap_or("");
        let digits = after(&line, "\"id\":").split(|c: char| !c.is_ascii_digit());
        let id = digits.into_iter().next().unwrap_or("0");
        let reply = match kind {
            "decide" => {
                let option = choose(&options_of(&line));
                format!("{{\"type\":\"choice\",\"id\":{id},\"option\":{option}}}")
            }
            "bye" => return,
            "observe" => continue,
            _ => format!("{{\"type\":\"ready\",\"id\":{id}}}"),
        };
        writeln!(out, "{reply}").expect("somebody who reads");
        out.flush().expect("somebody who reads"); // or the arena waits for ever
    }
}
