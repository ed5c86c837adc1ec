//! What an exception that nobody caught means for this program: the path that broke, the shapes that do not
//! fit, the statement put right.

use crate::errors::labels::shapes;
use crate::errors::mended_line::{self, rest_of_line};
use crate::errors::refused_sweep::leaf_written;
use crate::errors::undefined_name::put_right;
use crate::errors::{classics, school};
use crate::path::fixes;
use crate::why::{cut_to_number, tell_no_path};
use vjp_eval::language::exception::raise::Uncaught;
use vjp_eval::record::held::Wonder;
use vjp_eval::record::source_lookup;
use vjp_eval::{Help, Machine};
use vjp_tensor::{Fact, Kind};
use vjp_text::did_you_mean::ASKS;
use vjp_text::{Span, Symbol, foreign_spellings};

/// Adds labels and fixes; gives what may be asked about it.
pub(crate) fn explain(machine: &mut Machine, uncaught: &mut Uncaught) -> Option<Wonder> {
    let Uncaught { kind, message, fact, source, span, inner, .. } = *uncaught;
    let told = &mut uncaught.told;
    let number = span.and_then(|at| cut_to_number(machine, source, at, fact));
    // An attribute's place ends before the call.
    let call = |at: Span| {
        let rest = source.text().get(at.end as usize..).filter(|rest| rest.starts_with('('));
        let end = rest.and_then(|rest| rest.find(')')).map_or(0, |k| k as u32 + 1);
        Span { start: at.start, end: at.end + end }
    };
    let asked = span.map(|at| if number.is_some() { call(at) } else { at });
    let no_path = told.no_path.take().or(number.clone()).filter(|_| inner.is_none());
    if let Some(no_path) = &no_path {
        tell_no_path(machine, source, no_path, asked.unwrap_or(no_path.output), told);
    }
    let shown = inner.unwrap_or(source);
    // `diff` and `gradient` are functions too, of samples.
    let derives = || span.is_some_and(|at| foreign_spellings::derives(called(shown.slice(at))));
    // A line to type that is known already is not read otherwise.
    let known = told.help.iter().any(|help| !help.code.is_empty());
    let misread =
        inner.is_none() && !known && (matches!(kind, Kind::Name | Kind::Type) || derives());
    let line = span.filter(|_| misread).and_then(|at| rest_of_line(machine, source, at));
    let mut school = line.map_or(Vec::new(), |(_, line)| school::readings(machine, line));
    let asks = uncaught.hint.as_ref().is_some_and(|hint| hint.starts_with(ASKS));
    let answered = asks || told.mend.is_some() || !told.help.is_empty() || !school.is_empty();
    if let Some((_, line)) = line.filter(|_| !answered) {
        school.extend(school::begun(machine, line));
    }
    if !school.is_empty() {
        uncaught.hint = None;
        told.mend = None;
        told.help.clear();
    }
    let own = span.filter(|_| *fact == Fact::LeafWritten).and_then(|at| leaf_written(shown, at));
    let right = match (&uncaught.hint, span) {
        (Some(asks), Some(at)) if !machine.trying => {
            put_right(shown, at, message, asks, machine.mode())
                .filter(|help| fixes::tried(machine, &help.code, None).is_some())
        }
        _ => None,
    };
    if number.is_some() || own.is_some() || right.is_some() {
        uncaught.hint = None;
    }
    let mend = told.mend.take().filter(|_| !machine.trying);
    let mended = match (mend, span.filter(|_| inner.is_none())) {
        (Some(mend), Some(at)) => mended_line::failed(machine, source, at, &mend),
        (Some(mend), None) => Some(Help::words(mend.hint())),
        (None, _) => None,
    };
    told.help.extend(school);
    told.help.extend(own.into_iter().chain(right).chain(mended));
    if let Some(at) = span
        && !machine.trying
        && told.help.is_empty()
        && uncaught.hint.is_none()
    {
        let line = shown.line_of(at.start);
        let statement = source_lookup::statement(shown, at);
        let statement = statement.unwrap_or_else(|| shown.line(line).to_owned());
        let alone = told.label.is_none().then_some(statement.as_str());
        let leaf = message
            .starts_with("can't optimize a non-leaf")
            .then(|| leaves_first(machine, &statement));
        let help = leaf.flatten().or_else(|| classics::help(message, shown.slice(at), alone));
        told.help.extend(help);
    }
    if !machine.trying
        && told.more.is_empty()
        && told.label.is_none()
        && inner.is_none()
        && let Some(at) = span
        && let Some((at, more)) = shapes::told(machine, source, at, kind, message)
    {
        uncaught.span = Some(at);
        told.more = more;
    }
    let no_path = no_path?;
    let statement = asked.unwrap_or(no_path.output);
    Some(Wonder::NoPath { source: source.clone(), no_path, statement, later: false })
}

/// A statement behind others that make leaves of the computed values that it names.
fn leaves_first(m: &mut Machine, statement: &str) -> Option<Help> {
    let computed = |name: &Symbol| {
        let value = m.global(*name).and_then(|v| vjp_eval::leaf::existing(&v));
        value.is_some_and(|x| !x.is_leaf())
    };
    let names: Vec<Symbol> = crate::why::names(statement).into_iter().filter(computed).collect();
    let leaf = |name: &Symbol| format!("{name} = {name}.detach().requires_grad_(); ");
    let code = names.iter().map(leaf).collect::<String>() + statement.trim();
    let says = format!("makes {} a leaf again", names.first()?);
    (fixes::fits(&code) && fixes::tried(m, &code, None).is_some()).then_some(Help { code, says })
}

/// The name before the parentheses of a call.
fn called(text: &str) -> &str {
    text.split('(').next().unwrap_or(text).trim()
}
