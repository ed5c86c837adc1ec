//! Colours, by theme: one table for panels, for what is typed and for narration. Colour never carries a
//! meaning alone.

use super::painted::Painted;
use super::roles::Role;
use colored::Color;
use std::cell::Cell;

/// The colours of one theme.
#[derive(Debug)]
pub struct Theme {
    pub name: &'static str,
    pub says: &'static str,
    /// v, vᵀJ and gradients.
    pub cotangent: Color,
    /// Values and derivatives.
    pub value: Color,
    pub agrees: Color,
    pub differs: Color,
    pub hint: Color,
    // Of what is typed and printed: whole escape sequences.
    pub prompt: &'static str,
    pub prose: &'static str,
    pub string: &'static str,
    pub keyword: &'static str,
    pub number: &'static str,
    /// A name of the library.
    pub given: &'static str,
    /// What is offered while typing.
    pub preview: &'static str,
}

/// The first is the one without a choice. It uses the terminal's own sixteen colours.
pub static THEMES: &[Theme] = &[
    Theme {
        name: "dark",
        says: "the terminal's own colours, for a dark background",
        cotangent: Color::Magenta,
        value: Color::Cyan,
        agrees: Color::Green,
        differs: Color::Red,
        hint: Color::Yellow,
        prompt: "\x1b[1;36m",
        prose: "\x1b[33m",
        string: "\x1b[32m",
        keyword: "\x1b[35m",
        number: "\x1b[36m",
        given: "\x1b[34m",
        preview: "\x1b[90m",
    },
    Theme {
        name: "light",
        says: "dark colours, for a white background or a projector",
        cotangent: Color::AnsiColor(90),
        value: Color::AnsiColor(25),
        agrees: Color::AnsiColor(22),
        differs: Color::AnsiColor(124),
        hint: Color::AnsiColor(94),
        prompt: "\x1b[1;38;5;25m",
        prose: "\x1b[38;5;94m",
        string: "\x1b[38;5;22m",
        keyword: "\x1b[38;5;90m",
        number: "\x1b[38;5;25m",
        given: "\x1b[38;5;18m",
        preview: "\x1b[38;5;242m",
    },
    Theme {
        name: "colorblind",
        says: "orange, blue and yellow, distinct to colour-blind readers",
        cotangent: Color::AnsiColor(214),
        value: Color::AnsiColor(74),
        agrees: Color::AnsiColor(75),
        differs: Color::AnsiColor(208),
        hint: Color::AnsiColor(227),
        prompt: "\x1b[1;38;5;74m",
        prose: "\x1b[38;5;227m",
        string: "\x1b[38;5;227m",
        keyword: "\x1b[38;5;214m",
        number: "\x1b[38;5;74m",
        given: "\x1b[38;5;75m",
        preview: "\x1b[38;5;247m",
    },
];

/// Each meaning has a colour of its own, which the page's style sheet decides; see
/// [`html`](super::html::html).
pub static PAGE: Theme = Theme {
    name: "page",
    says: "the page's own colours",
    cotangent: Color::AnsiColor(1),
    value: Color::AnsiColor(2),
    agrees: Color::AnsiColor(3),
    differs: Color::AnsiColor(4),
    hint: Color::AnsiColor(5),
    prompt: "\x1b[38;5;6m",
    prose: "\x1b[38;5;7m",
    string: "\x1b[38;5;8m",
    keyword: "\x1b[38;5;9m",
    number: "\x1b[38;5;10m",
    given: "\x1b[38;5;11m",
    preview: "\x1b[38;5;12m",
};

thread_local! {
    static CURRENT: Cell<&'static Theme> = Cell::new(&THEMES[0]);
}

/// The theme that was chosen.
pub fn current() -> &'static Theme {
    CURRENT.get()
}

/// Chooses a theme by its name; None if there is no such theme. A page keeps its own.
pub fn choose(name: &str) -> Option<()> {
    let chosen = THEMES.iter().find(|t| t.name == name)?;
    if !std::ptr::eq(current(), &PAGE) {
        CURRENT.set(chosen);
    }
    Some(())
}

/// From now on what is drawn goes to a page.
pub fn for_a_page() {
    CURRENT.set(&PAGE);
}

/// What was drawn for a page, in the sixteen colours of a terminal.
pub fn for_a_terminal(page: &Painted) -> Painted {
    let mut text = page.as_str().to_owned();
    for (own, plain) in PAGE.codes().iter().zip(THEMES[0].codes()) {
        text = text.replace(own, &plain);
    }
    Painted::control(text)
}

impl Theme {
    /// The escape sequences of all colours.
    fn codes(&self) -> [String; 12] {
        let drawn = [self.cotangent, self.value, self.agrees, self.differs, self.hint];
        let [cotangent, value, agrees, differs, hint] =
            drawn.map(|color| format!("\x1b[{}m", color.to_fg_str()));
        let typed = [
            self.prompt,
            self.prose,
            self.string,
            self.keyword,
            self.number,
            self.given,
            self.preview,
        ];
        let [prompt, prose, string, keyword, number, given, preview] = typed.map(str::to_owned);
        [
            cotangent, value, agrees, differs, hint, prompt, prose, string, keyword, number, given,
            preview,
        ]
    }

    /// v and the cotangents in one hue, values in another, agreement green.
    pub fn of(&self, role: Role) -> Option<Color> {
        match role {
            Role::Plain | Role::User => None,
            Role::Cotangent => Some(self.cotangent),
            Role::Value | Role::Formula => Some(self.value),
            Role::Agrees => Some(self.agrees),
            Role::Differs => Some(self.differs),
            Role::Hint => Some(self.hint),
        }
    }
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;

    /// Red, green and blue of one of the 216 colours or greys.
    fn rgb(code: &str) -> Option<[f64; 3]> {
        let n: u16 = code.split("38;5;").nth(1)?.trim_end_matches('m').parse().ok()?;
        let level = |k: u16| if k == 0 { 0.0 } else { f64::from(55 + 40 * k) };
        Some(match n {
            16..=231 => {
                let n = n - 16;
                [level(n / 36), level(n / 6 % 6), level(n % 6)]
            }
            232..=255 => [f64::from(8 + 10 * (n - 232)); 3],
            _ => return None,
        })
    }

    /// WCAG 2's relative luminance.
    fn luminance(rgb: [f64; 3]) -> f64 {
        let linear = rgb.map(|c| {
            let c = c / 255.0;
            if c <= 0.03928 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn fixed_colours_can_be_read_on_their_ground() {
        for (name, ground) in [("light", 1.0), ("colorblind", 0.0)] {
            let Some(theme) = THEMES.iter().find(|t| t.name == name) else {
                panic!("no theme {name}");
            };
            let drawn = [theme.cotangent, theme.value, theme.agrees, theme.differs, theme.hint];
            let drawn = drawn.map(|color| color.to_fg_str().into_owned());
            let typed = [
                theme.prompt,
                theme.prose,
                theme.string,
                theme.keyword,
                theme.number,
                theme.given,
                theme.preview,
            ];
            for code in drawn.iter().map(String::as_str).chain(typed) {
                let Some(rgb) = rgb(code) else {
                    panic!("{name}: {code:?}");
                };
                let l: f64 = luminance(rgb);
                let (light, dark) = (f64::max(l, ground), f64::min(l, ground));
                let contrast = (light + 0.05) / (dark + 0.05);
                assert!(contrast >= 4.5, "{name}: {code:?} has a contrast of {contrast:.1}");
            }
        }
    }
}
