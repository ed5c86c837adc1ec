//! Why an answer is wrong, in words: beside the right answer, and as a hint.

/// A reason in two forms. A hint names the mistake and where it was made; it has no number but those that the question
/// or the answer itself has, so that the right one does not follow from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    pub says: String,
    pub hint: String,
}

impl Why {
    pub fn new(says: impl Into<String>, hint: impl Into<String>) -> Why {
        Why { says: says.into(), hint: hint.into() }
    }

    pub fn told(&self, hint: bool) -> &str {
        if hint { &self.hint } else { &self.says }
    }

    /// Both forms, changed.
    pub fn map(&self, change: impl Fn(&str) -> String) -> Why {
        Why { says: change(&self.says), hint: change(&self.hint) }
    }
}

impl From<String> for Why {
    fn from(says: String) -> Why {
        Why { hint: says.clone(), says }
    }
}

impl From<&str> for Why {
    fn from(says: &str) -> Why {
        says.to_owned().into()
    }
}
