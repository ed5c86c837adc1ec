//! Our own LaTeX as MathML, which browsers typeset: the commands that our writers of formulas know, and no
//! others.

use crate::terminal::html::escaped;

/// A longer text is better read as text.
const LONGEST: usize = 20_000;

/// Signs and words by their commands.
const SIGNS: &[(&str, &str)] = &[
    ("partial", "∂"),
    ("cdot", "·"),
    ("times", "×"),
    ("odot", "⊙"),
    ("star", "★"),
    ("top", "⊤"),
    ("infty", "∞"),
    ("sum", "∑"),
    ("cdots", "⋯"),
    ("ldots", "…"),
    ("vdots", "⋮"),
    ("ddots", "⋱"),
    ("lVert", "‖"),
    ("rVert", "‖"),
    ("lfloor", "⌊"),
    ("rfloor", "⌋"),
    ("leftarrow", "←"),
    ("bmod", "mod"),
    ("mid", "∣"),
];

const LETTERS: &[(&str, &str)] = &[
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
];

/// Functions that are written upright.
const FUNCTIONS: &[&str] = &[
    "log", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "max", "min",
    "det",
];

/// A `math` element for each equation; None where a command is unknown or there is too much.
pub fn equations(latex: &str) -> Option<String> {
    if latex.len() > LONGEST {
        return None;
    }
    let each = each(latex);
    let math = |one: &String| Some(format!("<math display=\"block\">{}</math>", formula(one)?));
    let all: Option<String> = each.iter().map(math).collect();
    all.filter(|all| !all.is_empty())
}

/// Equations of LaTeX one by one: each ends with its line, a matrix with its last.
pub fn each(latex: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = false;
    for line in latex.lines().filter(|line| !line.trim().is_empty()) {
        match all.last_mut().filter(|_| open) {
            Some(one) => one.push_str(line),
            None => all.push(line.to_owned()),
        }
        if let Some(one) = all.last_mut() {
            one.push('\n');
            open = one.matches(r"\begin{").count() != one.matches(r"\end{").count();
        }
    }
    all
}

/// The inside of a `math` element.
pub fn formula(latex: &str) -> Option<String> {
    let mut reader = Reader { rest: latex, open: 0 };
    let row = reader.row()?;
    reader.rest.trim().is_empty().then_some(row)
}

struct Reader<'a> {
    rest: &'a str,
    /// Parentheses that are open here.
    open: usize,
}

fn operator(sign: &str) -> String {
    format!("<mo>{}</mo>", escaped(sign))
}

fn word(tag: &str, text: &str) -> String {
    format!("<{tag}>{}</{tag}>", escaped(&text.replace(' ', "\u{a0}")))
}

impl<'a> Reader<'a> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn takes(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// The name of the command that stands here; it stays.
    fn command(&self) -> Option<&'a str> {
        let text = self.rest.strip_prefix('\\')?;
        let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
        // A single sign is a name, too.
        let end = if end == 0 { text.chars().next()?.len_utf8() } else { end };
        text.get(..end)
    }

    /// Whether what stands here ends a row.
    fn ends(&self) -> bool {
        self.rest.is_empty()
            || self.rest.starts_with(['}', '&'])
            || self.open > 0 && self.rest.starts_with(')')
            || matches!(self.command(), Some("right" | "end" | "\\"))
    }

    /// Everything up to where the row ends, as one element.
    fn row(&mut self) -> Option<String> {
        let mut parts: Vec<String> = Vec::new();
        loop {
            self.blanks();
            if self.ends() {
                break;
            }
            if let Some(atom) = self.atom()? {
                parts.push(self.scripted(atom)?);
            }
        }
        Some(match parts.len() {
            1 => parts.concat(),
            _ => format!("<mrow>{}</mrow>", parts.concat()),
        })
    }

    /// What stands below and above an atom.
    fn scripted(&mut self, atom: String) -> Option<String> {
        let (mut below, mut above) = (None, None);
        loop {
            self.blanks();
            if below.is_none() && self.takes("_") {
                below = Some(self.group()?);
            } else if above.is_none() && self.takes("^") {
                above = Some(self.group()?);
            } else {
                break;
            }
        }
        Some(match (below, above) {
            (None, None) => atom,
            (Some(b), None) => format!("<msub>{atom}{b}</msub>"),
            (None, Some(a)) => format!("<msup>{atom}{a}</msup>"),
            (Some(b), Some(a)) => format!("<msubsup>{atom}{b}{a}</msubsup>"),
        })
    }

    /// `{…}`, or the one atom that stands here.
    fn group(&mut self) -> Option<String> {
        self.blanks();
        if !self.takes("{") {
            return self.atom()?;
        }
        let row = self.row()?;
        self.takes("}").then_some(row)
    }

    /// The text between braces, as it is written.
    fn words(&mut self) -> Option<String> {
        let mut out = String::new();
        let mut signs = self.rest.strip_prefix('{')?.char_indices();
        while let Some((_, sign)) = signs.next() {
            match sign {
                '}' => {
                    self.rest = signs.as_str();
                    return Some(out);
                }
                '\\' => out.push(signs.next()?.1),
                // `\^{}` is the sign alone.
                '{' => drop(signs.next()),
                sign => out.push(sign),
            }
        }
        None
    }

    /// One part of a row; an inner None where nothing is shown.
    fn atom(&mut self) -> Option<Option<String>> {
        if let Some(name) = self.command() {
            self.rest = self.rest.get(1 + name.len()..)?;
            return self.commanded(name);
        }
        if self.rest.starts_with('{') {
            return self.group().map(Some);
        }
        let digits = |c: char| c.is_ascii_digit() || c == '.';
        let end = self.rest.find(|c| !digits(c)).unwrap_or(self.rest.len());
        if end > 0 {
            let (number, rest) = self.rest.split_at(end);
            self.rest = rest;
            // Dots right behind its digits are its own.
            let more = if self.takes(r"\ldots") { "…\u{2009}" } else { "" };
            return Some(Some(word("mn", &format!("{number}{more}"))));
        }
        let sign = self.rest.chars().next()?;
        self.rest = self.rest.get(sign.len_utf8()..)?;
        if sign == '(' {
            return Some(Some(self.parenthesis()?));
        }
        Some(Some(match sign {
            '-' => operator("−"),
            sign if sign.is_alphabetic() => word("mi", &sign.to_string()),
            sign => operator(&sign.to_string()),
        }))
    }

    /// What stands between parentheses is one part: an exponent belongs to all of it.
    fn parenthesis(&mut self) -> Option<String> {
        let begun = self.rest;
        self.open += 1;
        let inside = self.row();
        self.open -= 1;
        match inside.filter(|_| self.takes(")")) {
            Some(inside) => Some(format!("<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>")),
            None => {
                self.rest = begun;
                Some(operator("("))
            }
        }
    }

    fn commanded(&mut self, name: &str) -> Option<Option<String>> {
        let known = |table: &[(&str, &'static str)]| {
            table.iter().find(|(command, _)| *command == name).map(|(_, sign)| *sign)
        };
        if let Some(sign) = known(SIGNS) {
            return Some(Some(operator(sign)));
        }
        if let Some(letter) = known(LETTERS) {
            return Some(Some(word("mi", letter)));
        }
        if FUNCTIONS.contains(&name) {
            return Some(Some(word("mi", name)));
        }
        Some(Some(match name {
            "frac" | "tfrac" => format!("<mfrac>{}{}</mfrac>", self.group()?, self.group()?),
            "sqrt" => format!("<msqrt>{}</msqrt>", self.group()?),
            "hat" => format!("<mover accent=\"true\">{}<mo>^</mo></mover>", self.group()?),
            "mathrm" | "operatorname" => word("mi", &self.words()?),
            "mathtt" | "texttt" => {
                format!("<mtext class=\"code\">{}</mtext>", escaped(&self.words()?))
            }
            "mathbf" => format!("<mn class=\"bold\">{}</mn>", escaped(&self.words()?)),
            "mathrel" => format!("{}{}", self.group()?, ""),
            "text" => word("mtext", &self.words()?),
            "left" => self.fenced()?,
            "begin" => self.environment()?,
            "," => "<mspace width=\"0.17em\"></mspace>".to_owned(),
            "quad" => "<mspace width=\"1em\"></mspace>".to_owned(),
            "_" | "#" | "$" | "%" | "&" | "{" | "}" => operator(name),
            "textstyle" => return Some(None),
            _ => return None,
        }))
    }

    /// The sign behind `\left` or `\right`.
    fn fence(&mut self) -> Option<String> {
        if let Some(name) = self.command() {
            self.rest = self.rest.get(1 + name.len()..)?;
            let sign = SIGNS.iter().find(|(command, _)| *command == name);
            return sign.map(|(_, sign)| (*sign).to_owned());
        }
        let sign = self.rest.chars().next()?;
        self.rest = self.rest.get(sign.len_utf8()..)?;
        Some(sign.to_string())
    }

    fn fenced(&mut self) -> Option<String> {
        let left = self.fence()?;
        // Parentheses end inside.
        let outside = std::mem::take(&mut self.open);
        let inside = self.row()?;
        self.open = outside;
        if !self.takes(r"\right") {
            return None;
        }
        let right = self.fence()?;
        Some(between(&left, &inside, &right))
    }

    fn environment(&mut self) -> Option<String> {
        let name = self.words()?;
        let mut rows = String::new();
        loop {
            let mut cells = String::new();
            loop {
                cells += &format!("<mtd>{}</mtd>", self.row()?);
                if !self.takes("&") {
                    break;
                }
            }
            rows += &format!("<mtr>{cells}</mtr>");
            if !self.takes(r"\\") {
                break;
            }
        }
        if !self.takes(r"\end") || self.words()? != name {
            return None;
        }
        let table = format!("<mtable class=\"{name}\">{rows}</mtable>");
        match name.as_str() {
            // The page draws its parentheses: few machines have a font whose signs grow.
            "pmatrix" | "aligned" => Some(table),
            "cases" => Some(between("{", &table, "")),
            _ => None,
        }
    }
}

fn between(left: &str, inside: &str, right: &str) -> String {
    let fence = |sign: &str| match sign {
        "" => String::new(),
        sign => format!("<mo fence=\"true\" stretchy=\"true\">{}</mo>", escaped(sign)),
    };
    format!("<mrow>{}{inside}{}</mrow>", fence(left), fence(right))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn fractions_roots_and_scripts() {
        assert_eq!(
            formula("6x_{1}^{2}").unwrap(),
            "<mrow><mn>6</mn><msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup></mrow>"
        );
        assert_eq!(
            formula(r"\frac{1}{2\sqrt{x}}").unwrap(),
            "<mfrac><mn>1</mn><mrow><mn>2</mn><msqrt><mi>x</mi></msqrt></mrow></mfrac>"
        );
        assert_eq!(formula(r"a < b").unwrap(), "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>");
        assert_eq!(formula(r"\mathrm{w\_2}").unwrap(), "<mi>w_2</mi>");
        assert_eq!(
            formula("(x)^{2}").unwrap(),
            "<msup><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow><mn>2</mn></msup>"
        );
        assert_eq!(
            formula(r"0.3989\ldots  x").unwrap(),
            "<mrow><mn>0.3989…\u{2009}</mn><mi>x</mi></mrow>"
        );
        assert_eq!(formula("(x").unwrap(), "<mrow><mo>(</mo><mi>x</mi></mrow>");
    }

    #[test]
    fn a_matrix_is_one_equation_over_several_lines() {
        let latex = "J = \\begin{pmatrix}\n  1 & 0 \\\\\n  0 & \\left(x + 1\\right)^{2}\n\\end{pmatrix}\n\\text{where } u = 2\n";
        let math = equations(latex).unwrap();
        assert_eq!(math.matches("<math").count(), 2);
        assert_eq!((math.matches("<mtr>").count(), math.matches("<mtd>").count()), (2, 4));
        assert_eq!(math.matches('<').count(), math.matches('>').count());
    }

    #[test]
    fn what_is_unknown_or_open_is_no_formula() {
        for text in [r"\unknown x", "{x", r"\left(x", r"\begin{pmatrix} 1", r"\frac{1}"] {
            assert_eq!(formula(text), None, "{text}");
            assert_eq!(equations(text), None, "{text}");
        }
    }
}
