//! `vjp man`: the manual page, in troff, from the table of commands and options.

use super::usage::{COMMANDS, FLAGS, Flag};
use crate::commands::settings::SETTINGS;
use crate::commands::table;
use std::fmt::Write;

/// Text escaped for troff.
fn plain(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    let lines = text.lines().map(|line| match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn option(out: &mut String, flag: &Flag) {
    let _ = writeln!(
        out,
        ".TP\n\\fB{}\\fR {}\n{}",
        plain(&flag.spelled()),
        plain(flag.args),
        plain(flag.says)
    );
}

/// The page.
pub fn page() -> String {
    let mut out = format!(
        ".TH VJP 1 \"\" \"vjp {}\"\n.SH NAME\nvjp \\- a prompt for gradients\n.SH SYNOPSIS\n\
         .B vjp\n[FILE]...\n.br\n.B vjp \\-e\nCODE\n",
        env!("CARGO_PKG_VERSION")
    );
    for command in COMMANDS {
        let _ = writeln!(out, ".br\n.B vjp {}\n{}", command.name, plain(command.args));
    }
    out += ".SH DESCRIPTION\nEach backward shows x.grad beside the Jacobian J and their product. \
            Without a file vjp is an interactive prompt; it also reads a program from a pipe.\n.SH COMMANDS\n";
    for command in COMMANDS {
        let _ = writeln!(
            out,
            ".SS vjp {} {}\n{}\n.PP\n.nf",
            command.name,
            plain(command.args),
            plain(command.says)
        );
        let _ = writeln!(out, "{}\n.fi", plain(command.help));
        command.flags.iter().for_each(|flag| option(&mut out, flag));
    }
    out += ".SH OPTIONS\nFor every command.\n";
    FLAGS.iter().for_each(|flag| option(&mut out, flag));
    out += ".SH AT THE PROMPT\n";
    for command in table::COMMANDS {
        let _ = writeln!(
            out,
            ".TP\n\\fB:{}\\fR {}\n{}",
            command.name,
            plain(command.args),
            plain(command.one_line)
        );
    }
    out += ".SH SETTINGS\nFor :set, and for the config file: one name = value per line.\n";
    for setting in SETTINGS {
        let _ = writeln!(
            out,
            ".TP\n\\fB{}\\fR {}\n{}",
            setting.name,
            plain(setting.values),
            plain(setting.says)
        );
    }
    out += ".SH FILES\n.TP\n$XDG_CONFIG_HOME/vjp/config.toml\nSettings of the prompt; VJP_CONFIG names another file, or none if empty.\n\
            .TP\n$XDG_STATE_HOME/vjp/history\nThe history of inputs; VJP_HISTORY names another file, or none if empty.\n\
            .SH ENVIRONMENT\nNO_COLOR switches colours off; EDITOR is the editor that :edit opens.\n\
            .SH EXIT STATUS\n0: done; 1: the program failed, or \\-\\-check found a difference; 2: wrong usage; 130: stopped by Ctrl\\-C.\n";
    out
}
