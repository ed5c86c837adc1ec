//! Answers of the tutor's commands as blocks: `:explain`, `:why`, `:what-if`, `:check`, `:show`, `:cost`, `:heat`, LaTeX.

pub mod check;
pub mod equations;
pub mod explain;
pub mod explain_entry;
pub mod heat;
pub mod jacobian_latex;
pub mod network;
pub mod step;
pub mod what_if;
pub mod why;
