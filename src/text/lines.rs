//! Logical lines: is a text complete, and which inputs does it hold?
