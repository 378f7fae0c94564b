//! A list of calls: what the dispatch and the JavaScript are made from.

use super::Core;

/// The most arguments that a call has.
const MOST: usize = 5;

/// The arguments of a call, each as text; empty where the call has none.
pub type Texts<'a> = [&'a str; MOST];

/// A call from JavaScript.
pub(super) struct Call {
    /// The list and the call: `flow.plan_command`.
    pub(super) name: &'static str,
    /// Reads the arguments, calls the core, and writes the result.
    pub(super) perform: fn(&Core, &Texts<'_>) -> String,
}

/// Writes the list of a part as `CALLS`: `calls! { flow FlowCore |core| fn name(argument: Type) -> Result { … } … }`.
///
/// `flow` is the first part of each name, and `FlowCore` the class in JavaScript. In a block, `core` is the [`Core`], `?` returns
/// problems, and the value is the result. `type Name = Type;` gives JavaScript a short name for a type.
///
/// After `direct` come calls that don't go through the dispatch, because they take bytes or are made for each step of a model: each is a
/// method of [`Core`] that `wasm/` exports, and each argument names the type in which it crosses.
macro_rules! calls {
    (
        $(#[doc = $purpose:literal])+
        $list:ident $class:ident |$core:ident|
        $(type $short:ident = $long:ty;)*
        $(
            $(#[doc = $doc:literal])+
            fn $name:ident($($argument:ident: $kind:ty),* $(,)?) -> $answer:ty $body:block
        )*
        $(
            direct
            $(
                $(#[doc = $direct_doc:literal])+
                fn $direct:ident($($direct_argument:ident: $direct_kind:ty = $crossing:ty),* $(,)?)
                    -> $direct_answer:ty $direct_body:block
            )*
        )?
    ) => {
        pub(super) const CALLS: &[$crate::boundary::list::Call] = &[$($crate::boundary::list::Call {
            name: concat!(stringify!($list), ".", stringify!($name)),
            perform: $name,
        }),*];

        $(
            $(#[doc = $doc])+
            fn $name($core: &$crate::boundary::Core, texts: &$crate::boundary::Texts<'_>) -> String {
                let [$($argument,)* ..] = *texts;
                let answer = || -> Result<$answer, $crate::boundary::values::Failure> {
                    $(let $argument: $kind = $core.read($argument)?;)*
                    Ok($body)
                };
                $core.answer(answer())
            }
        )*

        $(impl $crate::boundary::Core {
            $(
                $(#[doc = $direct_doc])+
                pub fn $direct(&self, $($direct_argument: $crossing),*) -> String {
                    let $core = self;
                    let answer = || -> Result<$direct_answer, $crate::boundary::values::Failure> {
                        $(let $direct_argument: $direct_kind = $core.read($direct_argument)?;)*
                        Ok($direct_body)
                    };
                    $core.answer(answer())
                }
            )*
        })?

        /// The list, described.
        #[cfg(test)]
        pub(super) fn described() -> $crate::boundary::facade::List {
            use $crate::boundary::facade::{Described, List, argument, result};
            List {
                name: stringify!($list),
                class: stringify!($class),
                purpose: &[$($purpose),+],
                short: vec![$((stringify!($short), result::<$long>())),*],
                calls: vec![
                    $(Described {
                        name: stringify!($name),
                        doc: &[$($doc),+],
                        arguments: vec![$(argument::<&str, $kind>(stringify!($argument))),*],
                        result: result::<$answer>(),
                        is_direct: false,
                    },)*
                    $($(Described {
                        name: stringify!($direct),
                        doc: &[$($direct_doc),+],
                        arguments: vec![$(argument::<$crossing, $direct_kind>(stringify!($direct_argument))),*],
                        result: result::<$direct_answer>(),
                        is_direct: true,
                    },)*)?
                ],
            }
        }
    };
}

pub(super) use calls;
