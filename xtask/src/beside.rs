//! Steps that go beside others, in a process of their own. What they say waits in a file until it is its turn.

use crate::Result;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;

/// The option of `test` by which the process is begun.
pub(crate) const OPTION: &str = "--beside";
const SAID: &str = "target/beside.log";

/// Steps on their way. Dropped, or where this program ends by a signal, they end with all that they have begun.
pub(crate) struct Beside {
    child: Child,
    /// Nothing is written to it: its end is the sign to end.
    leash: Option<ChildStdin>,
}

impl Beside {
    /// Begins the steps with these names.
    pub(crate) fn start<'n>(names: impl Iterator<Item = &'n str>) -> Result<Self> {
        let begun = || -> io::Result<Self> {
            let said = File::create(SAID)?;
            let mut own = Command::new(env::current_exe()?);
            own.args(["test", OPTION]).args(names).process_group(0);
            let mut child = own.stdin(Stdio::piped()).stdout(said.try_clone()?).stderr(said).spawn()?;
            let leash = child.stdin.take();
            Ok(Self { child, leash })
        };
        begun().map_err(|error| format!("the steps beside the others: {error}"))
    }

    /// Waits for their end, and shows what they said.
    pub(crate) fn finish(mut self) -> Result {
        let shown = self.child.wait().and_then(|status| {
            io::stderr().write_all(&fs::read(SAID)?)?;
            Ok(status)
        });
        let status = shown.map_err(|error| format!("{SAID}: {error}"))?;
        if status.success() { Ok(()) } else { Err("a step beside the others failed".to_owned()) }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.leash = None;
        // It may have ended long ago.
        let _ = self.child.wait();
    }
}

/// In the process itself: ends it, with all that it has begun, as soon as the one that began it is gone.
pub(crate) fn end_with_the_other() {
    thread::spawn(|| {
        // However it ends, the other is gone.
        let _ = io::stdin().read_to_end(&mut Vec::new());
        let _ = Command::new("sh").args(["-c", "kill -KILL 0"]).status();
    });
}
