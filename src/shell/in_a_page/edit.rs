//! `:edit` in a page, where every input can be edited in its place.

use crate::fault::Problem;
use crate::shell::{Ended, Shell};

pub fn edit(_shell: &mut Shell, _args: &str) -> Result<Ended, Problem> {
    Err(Problem::new(":edit needs a terminal").help("", "in a page, edit an input where it is"))
}
