//! A page has no files whose names could be completed.

pub fn beginning(_typed: &str) -> Vec<(String, String)> {
    Vec::new()
}
