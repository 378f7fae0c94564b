//! Values that the core keeps between calls, by handle. Nothing stays borrowed while the core works, because a trap unwinds nothing.

use kernel::problem::Problem;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A type of which the core keeps values.
pub(super) trait Kept: Any + Clone {
    /// The problem of a handle without a value.
    fn lost() -> Problem;
}

#[derive(Default)]
pub(super) struct Handles {
    kept: RefCell<BTreeMap<u32, Rc<dyn Any>>>,
    /// Handles are never reused.
    last: Cell<u32>,
    /// Whether the next access panics.
    #[cfg(feature = "panic")]
    pub(super) is_panic_due: Cell<bool>,
}

impl Handles {
    /// Keeps a value; returns its handle.
    pub(super) fn keep<T: Kept>(&self, kept: T) -> u32 {
        let handle = self.last.get() + 1;
        self.last.set(handle);
        self.kept.borrow_mut().insert(handle, Rc::new(kept));
        handle
    }

    pub(super) fn close(&self, handle: u32) {
        self.kept.borrow_mut().remove(&handle);
    }

    /// A kept value, to be read: a reader that panics leaves it unchanged.
    pub(super) fn held<T: Kept>(&self, handle: u32) -> Result<Rc<T>, Problem> {
        let held = self.find(handle)?;
        self.panic_if_due();
        Ok(held)
    }

    /// Takes the value out while it is changed: if that panics, the handle is gone instead of poisoned.
    pub(super) fn change<T: Kept, A>(
        &self,
        handle: u32,
        change: impl FnOnce(&mut T) -> Result<A, Problem>,
    ) -> Result<A, Problem> {
        let held: Rc<T> = self.find(handle)?;
        self.close(handle);
        self.panic_if_due();
        // It is copied only if a reader that panicked has left its reference behind.
        let mut kept = Rc::unwrap_or_clone(held);
        let result = change(&mut kept);
        self.kept.borrow_mut().insert(handle, Rc::new(kept));
        result
    }

    fn find<T: Kept>(&self, handle: u32) -> Result<Rc<T>, Problem> {
        let kept = self.kept.borrow().get(&handle).cloned();
        kept.and_then(|kept| kept.downcast().ok()).ok_or_else(T::lost)
    }

    /// A panic on purpose, only for tests: they observe the recovery on a real module in the real host.
    #[cfg_attr(not(feature = "panic"), expect(clippy::unused_self, reason = "only tests panic on purpose"))]
    fn panic_if_due(&self) {
        #[cfg(feature = "panic")]
        assert!(!self.is_panic_due.replace(false), "a panic on purpose");
    }
}
