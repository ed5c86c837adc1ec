//! Text as HTML: each colour becomes a class, and everything else is escaped.

use super::painted::{MARKUP, MARKUP_END, Painted, RESET};
use unicode_width::UnicodeWidthChar;

/// The colours of [`PAGE`](super::theme::PAGE), and those beside the theme, with their classes.
const CLASSES: &[(&str, &str)] = &[
    ("38;5;1", "cotangent"),
    ("38;5;2", "value"),
    ("38;5;3", "agrees"),
    ("38;5;4", "differs"),
    ("38;5;5", "hint"),
    ("38;5;6", "prompt"),
    ("38;5;7", "prose"),
    ("38;5;8", "string"),
    ("38;5;9", "keyword"),
    ("38;5;10", "number"),
    ("38;5;11", "given"),
    ("38;5;12", "preview"),
    ("1", "own"),
    ("1;4", "pair"),
    ("4;31", "wrong"),
];

/// How a picture begins.
pub const PICTURE: &str = "<span class=\"figure\">";

/// A text of whatever origin, as HTML shows it, also inside quotes.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    text.chars().for_each(|sign| escape(sign, &mut out));
    out
}

fn escape(sign: char, out: &mut String) {
    match sign {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '"' => out.push_str("&quot;"),
        '\'' => out.push_str("&#39;"),
        other => out.push(other),
    }
}

/// Pieces of a matrix's brackets, with their classes: a page draws them, without gaps between the lines.
const BRACKETS: &[(char, &str)] = &[
    ('⎡', "left top"),
    ('⎢', "left"),
    ('⎣', "left end"),
    ('⎤', "right top"),
    ('⎥', "right"),
    ('⎦', "right end"),
];

/// Text as HTML in which each sign that many fonts lack has one column: another font lends it, with a width
/// of its own.
fn in_columns(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        // Lines and blocks, from U+2500 on, are in every font of a terminal.
        let rare = matches!(
            sign, '\u{1d00}'..='\u{1dbf}' | '\u{2010}'..='\u{24ff}' | '\u{25a0}'..='\u{2e7f}'
        );
        let alone = signs.peek().is_none_or(|next| next.width() != Some(0));
        if let Some((_, class)) = BRACKETS.iter().find(|(piece, _)| *piece == sign) {
            out += &format!("<bdi class=\"{class}\">{sign}</bdi>");
        } else if rare && alone && sign.width() == Some(1) {
            out += &format!("<bdi>{sign}</bdi>");
        } else {
            escape(sign, &mut out);
        }
    }
    out
}

/// An output with a `span` for each colour; its own elements stay as they are.
pub fn html(text: &Painted) -> String {
    spans(text, in_columns)
}

/// An input in its colours: its signs stand where an editor has them.
pub fn code(text: &Painted) -> String {
    spans(text, escaped)
}

fn spans(text: &Painted, shown: fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, code)) = rest.split_once('\x1b') {
        out += &shown(before);
        let own = rest.get(before.len()..).and_then(|code| code.strip_prefix(MARKUP));
        if let Some((element, after)) = own.and_then(|own| own.split_once(MARKUP_END)) {
            out += element;
            // A picture is a block: its line has ended.
            let picture = element.starts_with(PICTURE);
            rest = after.strip_prefix('\n').filter(|_| picture).unwrap_or(after);
            continue;
        }
        let Some((code, after)) = code.strip_prefix('[').and_then(|code| code.split_once('m'))
        else {
            return out;
        };
        rest = after;
        let Some((_, class)) = CLASSES.iter().find(|(known, _)| *known == code) else {
            continue;
        };
        let (inside, after) = rest.split_once(RESET).unwrap_or((rest, ""));
        out += &format!("<span class=\"{class}\">{}</span>", shown(inside));
        rest = after;
    }
    out + &shown(rest)
}

/// Formats that Jupyter knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Svg,
    Latex,
}

impl Format {
    const ALL: [Format; 2] = [Format::Svg, Format::Latex];

    /// Its MIME type.
    pub fn name(self) -> &'static str {
        match self {
            Format::Svg => "image/svg+xml",
            Format::Latex => "text/latex",
        }
    }
}

/// A picture in a drawing for a notebook.
pub struct Pictured<'a> {
    pub format: Format,
    pub picture: &'a str,
    /// The drawing made of signs.
    pub text: Painted,
    /// The text says more, and is shown too.
    pub more: bool,
}

/// The picture that a drawing begins with.
pub fn pictured(drawing: &Painted) -> Option<Pictured<'_>> {
    let (own, rest) = drawing.as_str().strip_prefix(MARKUP)?.split_once(MARKUP_END)?;
    let (name, picture) = own.split_once('\n')?;
    let format = Format::ALL.into_iter().find(|format| format.name() == name)?;
    let apart = rest.strip_prefix(MARKUP).and_then(|rest| rest.strip_prefix(MARKUP_END));
    let text = Painted::control(apart.unwrap_or(rest));
    Some(Pictured { format, picture, text, more: apart.is_some() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::{text, theme};
    use crate::{Line, Role, Style};

    #[test]
    fn in_an_output_a_rare_sign_has_its_column() {
        let mut painted = Painted::new();
        painted.push("⎡x₁é・⚠\u{fe0f}<");
        let shown = "<bdi class=\"left top\">⎡</bdi>x<bdi>₁</bdi>é・⚠\u{fe0f}&lt;";
        assert_eq!(html(&painted), shown);
        assert_eq!(code(&painted), escaped(painted.as_str()));
    }

    #[test]
    fn every_colour_of_a_page_has_its_class() {
        theme::for_a_page();
        let style = Style { color: true, ..Style::canonical() };
        let mut line = Line::of(Role::Cotangent, "v");
        line.plain(" <b> ").push(Role::Value, "\"&'").push(Role::User, "\x1b[31m");
        assert_eq!(
            html(&text(&[line], &style)),
            "<span class=\"cotangent\">v</span> &lt;b&gt; \
             <span class=\"value\">&quot;&amp;&#39;</span>\\x1b[31m\n"
        );
        let t = &theme::PAGE;
        for code in [t.prompt, t.prose, t.string, t.keyword, t.number, t.given, t.preview] {
            let mut painted = Painted::new();
            assert!(html(painted.color(code, "x")).starts_with("<span class="), "{code:?}");
        }
    }
}
