//! Memory that several variables may share: a tensor, its views, what was detached from it.

pub mod element;
pub mod late;
pub mod layout;
pub mod numbers;
pub(crate) mod walk;

use crate::{Dtype, Place, Tensor, source_place, with_numbers};
use layout::Layout;
use numbers::Stored;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The numbers behind a variable and all its views, how often they were written, and what wrote last.
#[derive(Debug)]
pub struct Store {
    data: RefCell<Tensor>,
    changes: Cell<u32>,
    count: Cell<u32>,
    by: Cell<Option<&'static str>>,
    place: Cell<Place>,
    silent: Cell<bool>,
    moved: RefCell<Vec<Moved>>,
    /// Ids of the variables that lost their history here.
    detached: RefCell<Vec<usize>>,
    /// Where it lies, once a program has asked.
    address: Cell<Option<u64>>,
}

/// A variable whose writes are counted here and whose numbers lie elsewhere: after `x.data = …`, and of
/// what `x.data` gives.
#[derive(Debug)]
struct Moved {
    id: usize,
    /// None: the numbers are here, in another layout.
    to: Option<Rc<Store>>,
    layout: Option<Rc<Layout>>,
}

/// How often a program wrote to a memory, and where last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Writes {
    pub count: u32,
    pub place: Place,
}

thread_local! {
    /// Whether any memory was written through `.data` so far.
    static SILENTLY: Cell<bool> = const { Cell::new(false) };
    /// Where the next memory lies that a program asks about.
    static ADDRESS: Cell<u64> = const { Cell::new(1 << 28) };
}

/// Whether a program wrote anything through `.data`.
#[inline]
pub fn written_silently() -> bool {
    SILENTLY.with(Cell::get)
}

impl Store {
    pub fn new(data: Tensor) -> Rc<Store> {
        Rc::new(Store {
            data: RefCell::new(data),
            changes: Cell::new(0),
            count: Cell::new(0),
            by: Cell::new(None),
            place: Cell::default(),
            silent: Cell::new(false),
            moved: RefCell::default(),
            detached: RefCell::default(),
            address: Cell::new(None),
        })
    }

    /// An address as programs see it: the same from run to run, and no other memory's.
    pub fn address(&self) -> u64 {
        if let Some(address) = self.address.get() {
            return address;
        }
        let size = self.with(|t| t.numel() * t.dtype().size()) as u64;
        let address = ADDRESS.with(|next| next.replace(next.get() + size / 64 * 64 + 128));
        self.address.set(Some(address));
        address
    }

    /// `y.detach_()` of the variable with this id.
    pub fn detach(&self, id: usize) {
        self.detached.borrow_mut().push(id);
    }

    /// The variable with this id has its history again.
    pub fn attach(&self, id: usize) {
        self.detached.borrow_mut().retain(|d| *d != id);
    }

    pub fn is_detached(&self, id: usize) -> bool {
        self.detached.borrow().contains(&id)
    }

    pub fn tensor(&self) -> Tensor {
        self.data.borrow().clone()
    }

    /// Looks at the numbers without taking them.
    pub fn with<T>(&self, look: impl FnOnce(&Tensor) -> T) -> T {
        look(&self.data.borrow())
    }

    /// Grows with every write: what was gathered before is stale.
    pub fn changes(&self) -> u32 {
        self.changes.get()
    }

    pub fn replace(&self, data: Tensor) {
        *self.data.borrow_mut() = data;
        self.changes.set(self.changes.get().wrapping_add(1));
    }

    /// Writes `values` (of the store's type already) at `positions`.
    pub fn put(&self, positions: impl Iterator<Item = usize>, values: &Tensor) {
        self.data.borrow_mut().put(positions, values);
        self.changes.set(self.changes.get().wrapping_add(1));
    }

    /// `x._version`: how often a program wrote here.
    pub fn count(&self) -> u32 {
        self.count.get()
    }

    pub fn writes(&self) -> Writes {
        Writes { count: self.count.get(), place: self.place.get() }
    }

    pub fn set_writes(&self, writes: Writes) {
        self.count.set(writes.count);
        self.place.set(writes.place);
    }

    /// One more write; `by` is the node that the written variable has now, None where not recorded.
    pub fn bump(&self, by: Option<&'static str>) {
        self.count.set(self.count.get() + 1);
        self.place.set(source_place::now());
        if by.is_some() {
            self.by.set(by);
        }
    }

    /// Written without being counted: what backward saved is what stands here now.
    pub fn note_silent(&self) {
        self.silent.set(true);
        self.place.set(source_place::now());
        SILENTLY.with(|s| s.set(true));
    }

    pub fn is_silent(&self) -> bool {
        self.silent.get()
    }

    /// The numbers of the variable with this id lie in `to` from now on, its writes are counted here.
    pub fn moves(self: &Rc<Store>, id: usize, to: &Rc<Store>, layout: Option<Rc<Layout>>) {
        SILENTLY.with(|s| s.set(true));
        self.changes.set(self.changes.get().wrapping_add(1));
        self.place.set(source_place::now());
        let to = (!Rc::ptr_eq(self, to)).then(|| to.clone());
        let mut moved = self.moved.borrow_mut();
        moved.retain(|m| m.id != id);
        moved.push(Moved { id, to, layout });
    }

    /// The numbers of the variable with this id lie here again.
    pub fn stays(&self, id: usize) {
        self.moved.borrow_mut().retain(|m| m.id != id);
    }

    pub fn has_moved(&self) -> bool {
        !self.moved.borrow().is_empty()
    }

    /// What a variable holds whose numbers lie elsewhere.
    pub fn moved(&self, id: usize) -> Option<Tensor> {
        let moved = self.moved.borrow();
        let m = moved.iter().find(|m| m.id == id)?;
        let read = |whole: &Tensor| match &m.layout {
            Some(layout) => layout.gather(whole),
            None => whole.clone(),
        };
        Some(m.to.as_deref().unwrap_or(self).with(read))
    }

    /// Where it was written last.
    pub fn written_at(&self) -> Place {
        self.place.get()
    }

    pub fn by(&self) -> Option<&'static str> {
        self.by.get()
    }
}

impl Layout {
    /// The elements of `data` (the whole store) that this layout shows.
    pub fn gather(&self, data: &Tensor) -> Tensor {
        if self.is_contiguous() && self.offset == 0 && self.numel() == data.numel() {
            return data.reshaped(&self.shape);
        }
        fn read<T: Stored>(layout: &Layout, all: &[T], dtype: Dtype) -> Tensor {
            T::tensor(&layout.shape, layout.read(all), dtype)
        }
        with_numbers!(data, all => read(self, all, data.dtype()))
    }
}
