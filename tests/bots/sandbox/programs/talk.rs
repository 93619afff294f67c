use std::io::{BufRead, Write};
fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let sum = std::thread::spawn(|| (0..1000u64).sum::<u64>()).join().unwrap();
        assert!(sum > 0);
        let at = line.find("\"id\":").unwrap() + 5;
        let id: String = line[at..].chars().take_while(|c| c.is_ascii_digit()).collect();
        let asked = line.contains("\"type\":\"decide\"");
        println!("{{\"type\":\"{}\",\"id\":{}{}}}", if asked { "choice" } else { "ready" }, id, if asked { ",\"option\":0" } else { "" });
        std::io::stdout().flush().unwrap();
    }
}
