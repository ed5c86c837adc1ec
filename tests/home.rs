//! At home on a machine: completions, the manual page, the config file, the first start.

use crate::support::terminal;

use std::fs;
use std::process::{Command, Stdio};
use terminal::{CTRL_D, Terminal};

fn vjp(args: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_vjp")).args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    (text(output.stdout), text(output.stderr), status)
}

/// Options and commands as `--help` lists them.
fn words() -> (Vec<String>, Vec<String>) {
    let (overview, _, _) = vjp(&["--help"]);
    let commands: Vec<String> = overview
        .lines()
        .filter_map(|l| l.strip_prefix("  vjp ").filter(|l| !l.starts_with(' ')))
        .filter_map(|l| l.split_whitespace().next())
        .filter(|word| word.chars().all(|c| c.is_ascii_lowercase()))
        .map(str::to_owned)
        .collect();
    let mut options = Vec::new();
    for topic in commands.iter().map(|c| vec![c.as_str(), "--help"]) {
        let (text, _, _) = vjp(&topic);
        let own = text.lines().filter_map(|l| l.trim_start().strip_prefix("--"));
        options.extend(own.filter_map(|l| l.split_whitespace().next()).map(str::to_owned));
    }
    options.sort();
    options.dedup();
    (commands, options)
}

#[test]
fn completions_and_manual_know_every_word() {
    let (commands, options) = words();
    assert!(commands.len() >= 6 && options.len() >= 13, "{commands:?} {options:?}");
    for topic in [
        vec!["completions", "bash"],
        vec!["completions", "zsh"],
        vec!["completions", "fish"],
        vec!["man"],
    ] {
        let (text, _, status) = vjp(&topic);
        assert_eq!(status, 0);
        let text = text.replace("\\-", "-");
        for word in &commands {
            assert!(text.contains(word.as_str()), "{topic:?}: {word}");
        }
        for option in &options {
            let known =
                text.contains(&format!("--{option}")) || text.contains(&format!("-l {option}"));
            assert!(known, "{topic:?}: --{option}");
        }
    }
    assert_eq!(vjp(&["completions", "tcsh"]).2, 2);
}

#[test]
fn shells_can_read_their_scripts() {
    for shell in ["bash", "zsh", "fish"] {
        let there = Command::new(shell).arg("--version").stdout(Stdio::null()).status();
        if !there.is_ok_and(|s| s.success()) {
            eprintln!("SKIPPED: no {shell} here");
            continue;
        }
        let (script, _, _) = vjp(&["completions", shell]);
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("script");
        fs::write(&file, script).unwrap();
        let read = Command::new(shell).arg("-n").arg(&file).output().unwrap();
        assert!(read.status.success(), "{shell}: {}", String::from_utf8_lossy(&read.stderr));
    }
}

#[test]
fn bash_completes() {
    let (script, _, _) = vjp(&["completions", "bash"]);
    let ask = format!(
        "{script}\nCOMP_WORDS=(vjp export --to j); COMP_CWORD=3; _vjp; echo \"${{COMPREPLY[@]}}\"\n\
         COMP_WORDS=(vjp replay --ch); COMP_CWORD=2; _vjp; echo \"${{COMPREPLY[@]}}\"\n\
         COMP_WORDS=(vjp rep); COMP_CWORD=1; _vjp; echo \"${{COMPREPLY[@]}}\"\n"
    );
    let Ok(output) = Command::new("bash").args(["-c", &ask]).output() else {
        eprintln!("SKIPPED: no bash here");
        return;
    };
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said, "jax\n--check\nreplay\n");
}

#[test]
fn the_config_file_sets_what_set_sets() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("vjp")).unwrap();
    let config = "# mine\ndigits = 2\npanel = false\ntheme = \"light\"\nthme = dark\n\nascii = maybe\npanel =\n";
    fs::write(home.path().join("vjp").join("config.toml"), config).unwrap();
    let mut terminal = Terminal::with(&[], home);
    terminal.prompt();
    let text = terminal.text().replace('\n', "");
    assert!(text.contains("config.toml:5: there is no setting thme"), "{text}");
    assert!(text.contains("config.toml:7: ascii is on or off, not maybe"), "{text}");
    assert!(text.contains("config.toml:8: panel has no value; it is on or off"), "{text}");
    terminal.enter(":set theme", "light");
    terminal.enter(":set panel", "off");
    terminal.enter(":set digits", " 2 ");
    terminal.press(CTRL_D);
    terminal.left();
}

#[test]
fn the_command_line_wins_over_the_config_file() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("vjp")).unwrap();
    let config = "color = never\nstrict = on\n";
    fs::write(home.path().join("vjp").join("config.toml"), config).unwrap();
    let mut terminal = Terminal::with(&["--color", "always"], home);
    terminal.enter(":set color", "always     colours");
    terminal.enter(":set strict", " on ");
}

#[test]
fn only_the_first_start_says_what_to_type() {
    let mut terminal = Terminal::new();
    terminal.prompt();
    assert!(terminal.text().starts_with("vjp: try "));
    terminal.enter("a = 1", "a = 1 ");
    terminal.press(CTRL_D);
    let (status, home) = terminal.left();
    assert_eq!(status, 0);
    let again = Terminal::with(&[], home);
    again.prompt();
    assert_eq!(again.text(), "vjp>");
}
