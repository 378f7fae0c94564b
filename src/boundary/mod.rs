//! The boundary: every call from JavaScript into the core, in one list for each part. It makes no decisions.
//!
//! An entry of a list is a call with its documentation, its typed arguments and its typed result. From it come the dispatch
//! ([`Core::call`]) and the method in `plugin-js/core/` through which JavaScript calls it (`facade`), so they can't differ.
//!
//! Values cross as text: a [`Text`](values::Text) as it is, and everything else as JSON, which measured fastest in both directions. A
//! call returns `{"ok": …}` or `{"problems": [Problem, …]}`. A panic is a bug and ends the call as a trap. A trap unwinds nothing, so a
//! borrow would last forever: nothing is borrowed while the core works. After a trap, a run that was only being read is unchanged; one
//! that was being changed is gone from memory, but its journal remains.
//!
//! | module | content |
//! |---|---|
//! | `design_lab`, `flow`, `validation` | the calls of one workflow |
//! | `shared` | the calls that belong to none |
//! | `durable` | what the calls on runs have in common |
//! | `list` | the macro that a list is written with |
//! | `values` | how an argument is read, and a result written |
//! | `handles` | the values that the core keeps between calls |
//! | `facade` | the JavaScript that is generated from the lists |
#![expect(elided_lifetimes_in_paths, reason = "the lists name the types of arguments without lifetimes")]

pub(crate) mod design_lab;
pub(crate) mod durable;
#[cfg(test)]
pub(crate) mod facade;
mod flow;
mod handles;
mod list;
mod shared;
mod validation;
mod values;

use crate::shared::BoundaryCode;
use handles::Handles;
use kernel::origin::Key;
use kernel::problem::Problem;
use kernel::redaction::Known;
use list::Call;
use std::cell::RefCell;
use std::rc::Rc;

pub use list::Texts;

/// The calls of each part.
const LISTS: [&[Call]; 4] = [design_lab::CALLS, flow::CALLS, shared::CALLS, validation::CALLS];

/// The core as JavaScript sees it: the calls, and what is kept between them.
#[derive(Default)]
pub struct Core {
    handles: Handles,
    key: RefCell<Option<Key>>,
    known: RefCell<Rc<Known>>,
}

impl Core {
    /// Performs a call by its name in a list, for example `flow.plan_command`. Arguments that the call doesn't have are not read.
    pub fn call(&self, name: &str, arguments: &Texts) -> String {
        match LISTS.iter().copied().flatten().find(|call| call.name == name) {
            Some(call) => (call.perform)(self, arguments),
            None => self.answer::<()>(Err(Problem::new(
                BoundaryCode::Protocol,
                format!("The core has no call `{name}`: it is of another version than the plugin."),
            )
            .next("Install the package again.")
            .into())),
        }
    }

    /// The secrets and home directories of this machine.
    fn known(&self) -> Rc<Known> {
        self.known.borrow().clone()
    }

    /// The key of this machine.
    fn key(&self) -> Option<Key> {
        self.key.borrow().clone()
    }
}

#[cfg(feature = "panic")]
impl Core {
    /// Makes the next access to a kept value panic.
    pub fn panic_next(&self) {
        self.handles.is_panic_due.set(true);
    }
}

/// What the classes in `plugin-js/core/` are generated from.
#[cfg(test)]
pub(crate) fn described() -> Vec<facade::List> {
    vec![design_lab::described(), flow::described(), shared::described(), validation::described()]
}
