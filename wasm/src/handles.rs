//! Values that the core keeps between calls, by handle. Nothing stays borrowed while the core works, because a trap unwinds nothing.

use kernel::problem::Problem;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

thread_local! {
    /// Handles are never reused, whatever their kind.
    static LAST: Cell<u32> = const { Cell::new(0) };
}

pub(crate) struct Handles<T> {
    kept: RefCell<BTreeMap<u32, Rc<T>>>,
    /// The problem of a handle without a value.
    lost: fn() -> Problem,
}

impl<T: Clone> Handles<T> {
    pub(crate) const fn new(lost: fn() -> Problem) -> Self {
        Self { kept: RefCell::new(BTreeMap::new()), lost }
    }

    /// Keeps a value; returns its handle.
    pub(crate) fn keep(&self, kept: T) -> u32 {
        let handle = LAST.get() + 1;
        LAST.set(handle);
        self.kept.borrow_mut().insert(handle, Rc::new(kept));
        handle
    }

    pub(crate) fn close(&self, handle: u32) {
        self.kept.borrow_mut().remove(&handle);
    }

    /// Reads a kept value; a reader that panics leaves it unchanged.
    pub(crate) fn read<A>(
        &self,
        handle: u32,
        read: impl FnOnce(&T) -> Result<A, Problem>,
    ) -> Result<A, Vec<Problem>> {
        let kept = self.kept.borrow().get(&handle).cloned();
        let kept = kept.ok_or_else(|| vec![(self.lost)()])?;
        #[cfg(feature = "panic")]
        crate::fault::strike();
        read(&kept).map_err(|problem| vec![problem])
    }

    /// Takes the value out while it is changed: if that panics, the handle is gone instead of poisoned.
    pub(crate) fn change<A>(
        &self,
        handle: u32,
        change: impl FnOnce(&mut T) -> Result<A, Problem>,
    ) -> Result<A, Vec<Problem>> {
        let kept = self.kept.borrow_mut().remove(&handle);
        // It is copied only if a reader that panicked has left its reference behind.
        let mut kept = Rc::unwrap_or_clone(kept.ok_or_else(|| vec![(self.lost)()])?);
        #[cfg(feature = "panic")]
        crate::fault::strike();
        let result = change(&mut kept);
        self.kept.borrow_mut().insert(handle, Rc::new(kept));
        result.map_err(|problem| vec![problem])
    }
}
