//! `:help` of an operation, the list of operations and the page of them, all read from the catalogue.

use super::layout::{beside, example, folded, folded_after, indented};
use vjp_eval::library;
use vjp_library::describe::{Description, describe};
use vjp_library::introspect;
use vjp_maths::autodiff::rule::Corner;
use vjp_ops::{Entry, Forms};
use vjp_report::terminal::style::WIDTH;
use vjp_report::{Style, echo};
use vjp_text::Symbol;

/// Said of an operation no argument of whose example has a gradient.
const NO_GRADIENT: &str = "no gradient flows through it";

/// `:help NAME` of an operation: how it is called, its formula, its derivative, an example that runs.
pub fn about_operation(entry: &'static Entry) -> String {
    let mut text = String::new();
    for signature in entry.signature.lines() {
        let left = format!("{}{}", entry.name, untyped(signature));
        match text.is_empty() {
            true => text += &beside(&folded_after(&left, ", ", "        "), &spellings(entry)),
            false => text += &format!("{}\n", folded_after(&left, ", ", "        ")),
        }
    }
    let told = describe(entry);
    text += &indented(&folded_after(entry.formula, "; ", ""));
    match &told {
        Some(d) => text += &(derivative(d) + &kinks(d) + &lesson(d)),
        None => text += &(indented(NO_GRADIENT) + &indented(&example(entry.example))),
    }
    if !entry.see_also.is_empty() {
        text += &format!("    see also  {}\n", entry.see_also.join(", "));
    }
    text
}

/// `(Tensor input, int dim=None)` as a person calls it: `(input, dim=None)`.
pub fn untyped(signature: &str) -> String {
    format!("({})", introspect::params(signature).join(", "))
}

/// The slopes as formulas, what J looks like, and the name in the graph.
fn derivative(d: &Description) -> String {
    let (shape, says) = d.structure.split_once(": ").unwrap_or(("", &d.structure));
    let node = format!("grad_fn {}", d.grad_fn);
    match d.slopes.as_slice() {
        [] => folded(&format!("    J  {says}    {node}\n"), 8),
        slopes => {
            let shape = if shape.is_empty() { says } else { shape };
            let with = match d.with.is_empty() {
                true => String::new(),
                false => format!("  with {}", d.with),
            };
            let left = format!("    {}{with}", partials(slopes, "    "));
            let line = format!("{left:26}  J is {shape:12}  {node}\n");
            match line.chars().count() <= WIDTH {
                true => line,
                false => {
                    let slopes = indented(&(partials(slopes, "\n") + &with));
                    format!("{slopes}    J is {shape:12}  {node}\n")
                }
            }
        }
    }
}

/// `kink at x = 0: slope 0 from the left, 1 from the right, 0 there`
fn kinks(d: &Description) -> String {
    let number = |v: f64| {
        let (whole, short) = (format!("{v}"), format!("{v:.3}"));
        let text = if whole.len() <= short.len() { whole } else { short };
        text.replace('-', "−")
    };
    let one = |(at, c): &(f64, Corner)| {
        format!(
            "    kink at x = {}: slope {} from the left, {} from the right, {} there\n",
            number(*at),
            number(c.left),
            number(c.right),
            number(c.taken)
        )
    };
    d.kinks.iter().take(3).map(one).collect()
}

/// `∂/∂a = b    ∂/∂b = a`
fn partials(slopes: &[(&str, String)], between: &str) -> String {
    let all: Vec<String> =
        slopes.iter().map(|(name, slope)| format!("∂/∂{name} = {slope}")).collect();
    all.join(between)
}

/// The example, carried to its gradient.
fn lesson(d: &Description) -> String {
    let grad = format!("x.grad {}", echo::list(&d.grad, &Style::canonical()));
    let left = format!("    {}", d.code);
    match left.chars().count() + grad.chars().count() + 6 <= WIDTH {
        true => format!("{left}      {grad}\n"),
        false => indented(&example(&d.code)) + &indented(&folded_after(&grad, ", ", "        ")),
    }
}

/// How an operation is written: `torch.tanh, x.tanh(), np.tanh`.
fn spellings(entry: &'static Entry) -> String {
    let table = [
        (Forms::TORCH, "torch.", ""),
        (Forms::F, "F.", ""),
        (Forms::LINALG, "torch.linalg.", ""),
        (Forms::SPECIAL, "torch.special.", ""),
        (Forms::METHOD, "x.", "()"),
        (Forms::INPLACE, "x.", "_()"),
        (Forms::ATTRIBUTE, "x.", ""),
        (Forms::NP, "np.", ""),
    ];
    let written = |(form, before, after): (Forms, &str, &str)| {
        entry.names(form).next().map(|name| format!("{before}{name}{after}"))
    };
    let all = table.into_iter().filter_map(written);
    all.chain(entry.aliases.iter().map(|a| (*a).to_owned())).collect::<Vec<_>>().join(", ")
}

/// The operations of a family, or the families for `ops`: each as it is written, without a prefix
/// where the short name is there. A family by its whole title, or by a word of it.
pub fn family(topic: &str, by_word: bool) -> Option<String> {
    let families: Vec<(String, Vec<&Entry>)> = vjp_catalogue::titled()
        .into_iter()
        .map(|(title, all)| (title.to_lowercase(), all))
        .collect();
    if topic == "ops" {
        let titles: Vec<&str> = families.iter().map(|(title, _)| title.as_str()).collect();
        let half = titles.len().div_ceil(2);
        let mut text = ":help FAMILY lists the operations of a family:\n".to_owned();
        for (k, left) in titles[..half].iter().enumerate() {
            let right = titles.get(half + k).unwrap_or(&"");
            text += format!("    {left:36}{right}").trim_end();
            text.push('\n');
        }
        return Some(text);
    }
    let wanted = topic.strip_prefix("ops ").unwrap_or(topic);
    let named = |(title, _): &&(String, _)| title == wanted || by_word && has_word(title, wanted);
    let (title, entries) = families.iter().find(named)?;
    let mut names: Vec<String> = entries.iter().map(|e| written(e)).collect();
    // Forms that differ in their arguments have an entry each.
    names.dedup();
    Some(format!("{title}\n{}\n", indented(&folded_after(&names.join(" "), " ", "")).trim_end()))
}

fn has_word(title: &str, word: &str) -> bool {
    title.split([' ', ',']).any(|w| w == word) && word.len() > 3
}

/// The shortest way to write an operation that is there from the start.
fn written(entry: &'static Entry) -> String {
    let bare = library::builtin(Symbol::new(entry.name), false).is_some();
    let all = spellings(entry);
    let first = all.split(", ").next().unwrap_or(entry.name);
    match bare || first.is_empty() {
        true => entry.name.to_owned(),
        false => first.to_owned(),
    }
}

/// The page of operations, in Markdown.
pub fn page() -> String {
    let mut text = String::from(
        "# Operations\n\nHow each is called, what it computes, its derivative and an example to type. `:help NAME` \
         shows the same at the prompt.\nThis page is written from the catalogue: \
         `VJP_BLESS=1 cargo test --test tests the_page`.\n",
    );
    for (title, entries) in vjp_catalogue::titled() {
        text += &format!(
            "\n## {title}\n\n| operation | formula | derivative | example |\n|---|---|---|---|\n"
        );
        entries.iter().for_each(|entry| text += &table_row(entry));
    }
    text
}

fn table_row(entry: &'static Entry) -> String {
    let calls: Vec<String> = entry
        .signature
        .lines()
        .map(|signature| code(&format!("{}{}", entry.name, untyped(signature))))
        .collect();
    let slope = match describe(entry) {
        Some(d) if d.slopes.is_empty() => {
            format!("J: {}; {}", d.structure, code(&d.grad_fn))
        }
        Some(d) => format!("{}; {}", partials(&d.slopes, ", "), code(&d.grad_fn)),
        None => "—".to_owned(),
    };
    format!(
        "| {}<br>{} | {} | {} | {} |\n",
        calls.join("<br>"),
        spellings(entry),
        escaped(entry.formula),
        escaped(&slope),
        code(entry.example)
    )
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}

/// A bar would end the cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}
