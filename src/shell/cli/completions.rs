//! `vjp completions SHELL`: what a shell completes, from the table of commands and options.

use super::usage::{COMMANDS, FLAGS, Flag};
use std::fmt::Write;

/// Shells that scripts are written for.
pub const SHELLS: [&str; 3] = ["bash", "zsh", "fish"];

/// The script for a shell; None: for another one.
pub fn script(shell: &str) -> Option<String> {
    match shell {
        "bash" => Some(bash()),
        "zsh" => Some(zsh()),
        "fish" => Some(fish()),
        _ => None,
    }
}

/// The values that an option takes one of.
fn choices(flag: &Flag) -> Option<String> {
    let listed = flag.args.contains('|');
    listed.then(|| flag.args.replace('|', " "))
}

fn spelled<'a>(flags: impl IntoIterator<Item = &'a Flag>) -> String {
    let names: Vec<String> = flags.into_iter().map(Flag::spelled).collect();
    names.join(" ")
}

fn bash() -> String {
    let mut of_commands = String::new();
    let mut values = String::new();
    let mut seen: Vec<&str> = Vec::new();
    for command in COMMANDS {
        let own = spelled(command.flags);
        let _ = writeln!(of_commands, "    {}) options=\"{own}\" ;;", command.name);
    }
    for flag in FLAGS.iter().chain(COMMANDS.iter().flat_map(|c| c.flags)) {
        if let Some(choices) = choices(flag).filter(|_| !seen.contains(&flag.name)) {
            seen.push(flag.name);
            let _ = writeln!(
                values,
                "    {}) COMPREPLY=($(compgen -W \"{choices}\" -- \"$word\")); return ;;",
                flag.spelled()
            );
        }
    }
    let names: Vec<&str> = COMMANDS.iter().map(|c| c.name).collect();
    format!(
        "_vjp() {{
  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\" options=\"\"
  case \"$before\" in
{values}    completions) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return ;;
  esac
  case \"${{COMP_WORDS[1]}}\" in
{of_commands}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W \"$options {}\" -- \"$word\"))
  else
    [[ $COMP_CWORD -eq 1 ]] && COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))
    COMPREPLY+=($(compgen -f -- \"$word\"))
  fi
}}
complete -o filenames -F _vjp vjp
",
        SHELLS.join(" "),
        spelled(FLAGS),
        names.join(" "),
    )
}

fn zsh() -> String {
    let quoted = |text: &str| text.replace('\'', "'\\''").replace([':', '[', ']'], " ");
    let one = |flag: &Flag| {
        let value = match (flag.args, choices(flag)) {
            ("", _) => String::new(),
            (_, Some(choices)) => format!(":value:({choices})"),
            _ => ":value:_files".to_owned(),
        };
        format!("'{}[{}]{value}'", flag.spelled(), quoted(flag.says))
    };
    let all = |flags: &[Flag]| flags.iter().map(one).collect::<Vec<_>>().join(" ");
    let mut commands = String::new();
    let mut cases = String::new();
    for command in COMMANDS {
        let _ = writeln!(commands, "    '{}:{}'", command.name, quoted(command.says));
        let files = match command.name {
            "completions" => format!("'1:shell:({})'", SHELLS.join(" ")),
            _ => "'*:file:_files'".to_owned(),
        };
        let _ = writeln!(
            cases,
            "    {}) _arguments {} $common {files} ;;",
            command.name,
            all(command.flags)
        );
    }
    format!(
        "#compdef vjp
_vjp() {{
  local -a commands common
  commands=(
{commands}  )
  common=({})
  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
    _describe command commands
    _files
    return
  fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
{cases}    *) _arguments $common '*:file:_files' ;;
  esac
}}
compdef _vjp vjp
",
        all(FLAGS)
    )
}

fn fish() -> String {
    let quoted = |text: &str| text.replace('\'', "\\'");
    let mut out = String::new();
    for command in COMMANDS {
        let _ = writeln!(
            out,
            "complete -c vjp -n __fish_use_subcommand -a {} -d '{}'",
            command.name,
            quoted(command.says)
        );
    }
    let mut option = |flag: &Flag, when: &str| {
        let dash = if flag.name.len() == 1 { "-s" } else { "-l" };
        let value = match (flag.args, choices(flag)) {
            ("", _) => String::new(),
            (_, Some(choices)) => format!(" -x -a '{choices}'"),
            _ => " -r".to_owned(),
        };
        let _ = writeln!(
            out,
            "complete -c vjp{when} {dash} {}{value} -d '{}'",
            flag.name,
            quoted(flag.says)
        );
    };
    for flag in FLAGS {
        option(flag, "");
    }
    for command in COMMANDS {
        let when = format!(" -n '__fish_seen_subcommand_from {}'", command.name);
        command.flags.iter().for_each(|flag| option(flag, &when));
    }
    let _ = writeln!(
        out,
        "complete -c vjp -n '__fish_seen_subcommand_from completions' -x -a '{}'",
        SHELLS.join(" ")
    );
    out
}
