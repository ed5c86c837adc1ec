//! Lends the machine to code below it that knows no machine: a sweep calls hooks, and hooks are
//! functions of the program.

use crate::{Halt, Machine, Tried};
use std::cell::{Cell, RefCell};
use std::ptr::NonNull;
use vjp_tensor::{Complaint, Kind, Outcome};

thread_local! {
    static LENT: Cell<Option<NonNull<Machine>>> = const { Cell::new(None) };
    /// What a hook raised, with its place and class, while only its words travel through maths.
    static RAISED: RefCell<Option<Halt>> = const { RefCell::new(None) };
}

struct Reset(Option<NonNull<Machine>>);

impl Drop for Reset {
    fn drop(&mut self) {
        LENT.set(self.0);
    }
}

/// Runs `body`, within which [`borrowed`] reaches the machine.
pub fn lend<T>(machine: &mut Machine, body: impl FnOnce() -> Outcome<T>) -> Tried<T> {
    let _reset = Reset(LENT.replace(Some(NonNull::from(machine))));
    RAISED.with_borrow_mut(Option::take);
    body().map_err(|complaint| {
        RAISED.with_borrow_mut(Option::take).unwrap_or_else(|| complaint.into())
    })
}

/// Calls the program from inside [`lend`].
pub fn borrowed<T>(call: impl FnOnce(&mut Machine) -> Tried<T>) -> Outcome<T> {
    let Some(mut machine) = LENT.take() else {
        return Err(Complaint::new(
            Kind::Runtime,
            "a function of the program was needed where none can run",
        ));
    };
    let _reset = Reset(Some(machine));
    // SAFETY: `lend` holds the only borrow of the machine for as long as the pointer is set, its
    // body cannot name the machine, and the cell is empty while this call uses it.
    let result = call(unsafe { machine.as_mut() });
    result.map_err(|halt| {
        let complaint = Complaint::new(halt.kind(), halt.message());
        RAISED.set(Some(halt));
        complaint
    })
}
