//! `:edit` in a page, where every input can be edited in its place.

use crate::{Ended, Problem, Shell};

pub fn edit(_shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    Err(Problem::new(":edit needs a terminal").help("", "in a page, edit an input where it is"))
}
