//! `:set`: each setting with its values, in one table.

use crate::session_options::{Color, bytes};
use crate::shell::cells;
use crate::{Ended, Problem, Shell};
use vjp_report::terminal::theme;
use vjp_tensor::{Dtype, budget};
use vjp_text::did_you_mean::closest;
use vjp_text::words::list;

pub struct Setting {
    pub name: &'static str,
    pub values: &'static str,
    pub says: &'static str,
    show: fn(&Shell) -> String,
    /// None: no such value.
    set: fn(&mut Shell, &str) -> Option<()>,
}

pub static SETTINGS: &[Setting] = &[
    Setting {
        name: "strict",
        values: "on|off",
        says: "Python and PyTorch exactly",
        show: |shell| on_off(shell.machine.strict()),
        set: |shell, word| {
            shell.machine.set_strict(switch(word)?);
            Some(())
        },
    },
    Setting {
        name: "dtype",
        values: "float64|float32",
        says: "the dtype of new tensors",
        show: |shell| shell.machine.dtype().name().to_owned(),
        set: |shell, word| {
            shell.machine.set_dtype(match word {
                "float64" => Dtype::Float64,
                "float32" => Dtype::Float32,
                _ => return None,
            });
            Some(())
        },
    },
    Setting {
        name: "jupyter",
        values: "on|off",
        says: "an input is a notebook's cell",
        show: |shell| on_off(shell.view.jupyter),
        set: |shell, word| {
            shell.view.jupyter = switch(word)?;
            shell.machine.set_strict(shell.view.jupyter || shell.common.strict);
            let dtype = if shell.view.jupyter { Dtype::Float32 } else { shell.common.dtype };
            shell.machine.set_dtype(dtype);
            cells(&mut shell.machine, shell.view.jupyter);
            Some(())
        },
    },
    Setting {
        name: "digits",
        values: "N|auto",
        says: "significant digits shown",
        show: |shell| match shell.view.style().digits {
            Some(n) => n.to_string(),
            None => "auto".to_owned(),
        },
        set: |shell, word| {
            shell.view.set_digits(match word {
                "auto" => None,
                n => Some(n.parse().ok().filter(|n| (1..=17).contains(n))?),
            });
            Some(())
        },
    },
    Setting {
        name: "memory",
        values: "SIZE",
        says: "memory limit for all values",
        show: |_| budget::size(budget::memory_limit()),
        set: |shell, word| {
            // What a file or a pipe says does not lift the limit of the command line.
            let most = shell.common.memory.filter(|_| !shell.interactive);
            let asked = bytes(word)?;
            budget::set_memory_limit(Some(asked).filter(|asked| most.is_none_or(|m| *asked <= m))?);
            Some(())
        },
    },
    Setting {
        name: "panel",
        values: "on|off",
        says: "a panel for each backward",
        show: |shell| on_off(shell.view.panels),
        set: |shell, word| {
            shell.view.panels = switch(word)?;
            Some(())
        },
    },
    Setting {
        name: "preview",
        values: "on|off",
        says: "the result while you type",
        show: |shell| on_off(shell.previews),
        set: |shell, word| {
            shell.previews = switch(word)?;
            Some(())
        },
    },
    Setting {
        name: "notes",
        values: "on|off",
        says: "the notes below answers",
        show: |shell| on_off(shell.view.notes),
        set: |shell, word| {
            shell.view.notes = switch(word)?;
            Some(())
        },
    },
    Setting {
        name: "color",
        values: "always|never",
        says: "colours on this terminal",
        show: |shell| if shell.view.style().color { "always" } else { "never" }.to_owned(),
        set: |shell, word| {
            let color = match Color::named(word)? {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => crate::screen::style(&shell.common).color,
            };
            shell.view.restyle(|style| style.color = color);
            Some(())
        },
    },
    Setting {
        name: "ascii",
        values: "on|off",
        says: "draw with ASCII characters only",
        show: |shell| on_off(shell.view.style().ascii),
        set: |shell, word| {
            let ascii = switch(word)?;
            shell.view.restyle(|style| style.ascii = ascii);
            Some(())
        },
    },
    Setting {
        name: "theme",
        values: "dark|light|colorblind",
        says: "the colours",
        show: |_| theme::current().name.to_owned(),
        set: |_, word| theme::choose(word),
    },
    Setting {
        name: "timing",
        values: "on|off",
        says: "show how long each input took",
        show: |shell| on_off(shell.timing),
        set: |shell, word| {
            shell.timing = switch(word)?;
            Some(())
        },
    },
];

/// What may stand for a value, in words.
fn described(value: &'static str) -> &'static str {
    match value {
        "N" => "a number of significant digits from 1 to 17",
        "SIZE" => "a size such as 512MiB",
        word => word,
    }
}

/// The first of the values, to type.
fn example(values: &'static str) -> &'static str {
    match values.split('|').next().unwrap_or(values) {
        "N" => "4",
        "SIZE" => "512MiB",
        word => word,
    }
}

fn on_off(on: bool) -> String {
    if on { "on" } else { "off" }.to_owned()
}

fn switch(word: &str) -> Option<bool> {
    match word {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// `:set`, `:set NAME`, `:set NAME VALUE`
pub fn run(shell: &mut Shell, args: &str) -> Result<Ended, Problem> {
    let mut words = args.split(|c: char| c.is_whitespace() || c == '=').filter(|w| !w.is_empty());
    let Some(name) = words.next() else {
        let table: String = SETTINGS.iter().map(|s| line(shell, s)).collect();
        shell.view.aside(&table);
        return Ok(Ended::Well);
    };
    let setting = named(name)?;
    let value = words.collect::<Vec<_>>().join(" ");
    if value.is_empty() {
        let text = line(shell, setting);
        shell.view.aside(&text);
        return Ok(Ended::Well);
    }
    set(shell, name, &value)?;
    Ok(Ended::Well)
}

fn named(name: &str) -> Result<&'static Setting, Problem> {
    SETTINGS.iter().find(|s| s.name == name).ok_or_else(|| {
        let problem = Problem::new(format!("there is no setting {name}"));
        match closest(name, SETTINGS.iter().map(|s| s.name)) {
            Some(near) => problem.help(format!(":set {near}"), format!("did you mean {near}?")),
            None => problem.help(":set", "lists the settings"),
        }
    })
}

/// Sets `name` to what `value` says.
///
/// # Errors
/// No such setting, no such value, with what would be right.
pub fn set(shell: &mut Shell, name: &str, value: &str) -> Result<(), Problem> {
    let setting = named(name)?;
    (setting.set)(shell, value).ok_or_else(|| {
        let all = || setting.values.split('|');
        let values: Vec<&str> = all().map(described).collect();
        let values = list(&values, "or");
        let problem = match value {
            "" => format!("{name} has no value; it is {values}"),
            _ => format!("{name} is {values}, not {value}"),
        };
        let begun = || all().find(|known| !value.is_empty() && known.starts_with(value));
        let near = begun().or_else(|| closest(value, all()));
        let code = format!(":set {name} {}", near.unwrap_or(example(setting.values)));
        Problem::new(problem).help(code, setting.says)
    })
}

fn line(shell: &Shell, setting: &Setting) -> String {
    format!(
        ":set {:8} {:22} {:10} {}\n",
        setting.name,
        setting.values,
        (setting.show)(shell),
        setting.says
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use vjp_report::terminal::style::WIDTH;

    #[test]
    fn a_line_fits_a_page() {
        for s in SETTINGS {
            let before = ":set ".len() + 8 + 1 + 22 + 1 + 10 + 1;
            assert!(s.name.len() <= 8 && s.values.len() <= 22, "{}", s.name);
            assert!(before + s.says.len() <= WIDTH, "{}", s.says);
        }
    }
}
