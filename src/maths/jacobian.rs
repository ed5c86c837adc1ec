//! The Jacobian as composing local derivatives forwards gives it. (Owner: derivatives.)

/// rows × columns, kept in its cheapest form.
#[derive(Clone, Debug)]
pub struct Jacobian<E> {
    pub rows: usize,
    pub columns: usize,
    pub form: Form<E>,
}

#[derive(Clone, Debug)]
pub enum Form<E> {
    Zero,
    Dense(std::rc::Rc<[Entry<E>]>),
}

/// One entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry<E> {
    /// No path leads from the input to the output, whatever the values: drawn `·`.
    Absent,
    /// A path exists but was not chosen by value: drawn `0`, left out of products.
    Unchosen,
    Value(E),
}
