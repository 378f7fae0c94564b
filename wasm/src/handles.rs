//! What the core keeps between calls, by handles. Nothing stays borrowed while the core works: a trap unwinds nothing.

use kernel::problem::Problem;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

thread_local! {
    /// Handles are never used twice, whatever they are of.
    static LAST: Cell<u32> = const { Cell::new(0) };
}

pub(crate) struct Handles<T>(RefCell<BTreeMap<u32, Rc<T>>>);

impl<T: Clone> Handles<T> {
    pub(crate) const fn new() -> Self {
        Self(RefCell::new(BTreeMap::new()))
    }

    /// Keeps it; gives its handle.
    pub(crate) fn keep(&self, kept: T) -> u32 {
        let handle = LAST.get() + 1;
        LAST.set(handle);
        self.0.borrow_mut().insert(handle, Rc::new(kept));
        handle
    }

    pub(crate) fn close(&self, handle: u32) {
        self.0.borrow_mut().remove(&handle);
    }

    /// What is kept there; a reader that panics leaves it as it is.
    pub(crate) fn get(&self, handle: u32) -> Option<Rc<T>> {
        self.0.borrow().get(&handle).cloned()
    }

    /// Takes it out while it is changed: should that panic, the handle is gone instead of poisoned. `None` where nothing is kept.
    pub(crate) fn change<A>(
        &self,
        handle: u32,
        change: impl FnOnce(&mut T) -> Result<A, Problem>,
    ) -> Option<Result<A, Problem>> {
        let kept = self.0.borrow_mut().remove(&handle)?;
        // It is copied only where a reader that panicked has left its share behind.
        let mut kept = Rc::unwrap_or_clone(kept);
        #[cfg(feature = "panic")]
        crate::fault::strike();
        let result = change(&mut kept);
        self.0.borrow_mut().insert(handle, Rc::new(kept));
        Some(result)
    }
}
