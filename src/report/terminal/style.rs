//! How output looks: the choices of a person, a terminal or a session file.

/// The frame of every drawing is at most this wide, also on wider terminals.
pub const WIDTH: usize = 80;

/// A panel is at most this high.
pub const HEIGHT: usize = 18;

/// Lines of a terminal where nothing else is known.
pub const WINDOW: usize = 24;

/// Choices of presentation; never of content.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Columns of the terminal; drawings use at most [`WIDTH`] of them.
    pub width: usize,
    /// Lines of the terminal: what is drawn as large as the window fits in them.
    pub height: usize,
    /// Our own drawing in ASCII only; the user's names stay as typed.
    pub ascii: bool,
    pub color: bool,
    /// `:set digits N`: significant digits in drawings; None: the digits rule.
    pub digits: Option<u8>,
    /// Fold long error lines at blanks with a hanging indent (a terminal, a session file), or leave
    /// them whole, so that they can be searched for (a pipe, `-e`).
    pub fold: bool,
    /// The numbers are what a person typed, or to be compared with that: see [`Digits::typed`].
    ///
    /// [`Digits::typed`]: vjp_text::digits::Digits::typed
    pub typed: bool,
    pub medium: Medium,
}

/// What shows the drawings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Medium {
    /// A terminal, a session file: signs alone.
    #[default]
    Text,
    /// A page: what a piece of a panel stands for is told too, and pictures stand in place of drawings made
    /// of signs.
    Page,
    /// A cell of Jupyter: pictures in formats of their own, each beside its drawing made of signs.
    Notebook,
}

impl Style {
    /// As session files are written: 80 columns, Unicode, no colour, whatever the terminal.
    pub fn canonical() -> Style {
        Style {
            width: WIDTH,
            height: WINDOW,
            ascii: false,
            color: false,
            digits: None,
            fold: true,
            typed: false,
            medium: Medium::Text,
        }
    }

    /// The columns that a drawing may take.
    pub fn frame(&self) -> usize {
        self.width.clamp(20, WIDTH)
    }
}

impl Default for Style {
    fn default() -> Self {
        Style::canonical()
    }
}
