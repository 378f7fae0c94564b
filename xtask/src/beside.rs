//! Steps that run in parallel with others, in a separate process. Their output waits in a file until it is its turn.

use crate::Result;
use std::env;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// The option of `test` that starts the process.
pub(crate) const OPTION: &str = "--beside";
const SAID: &str = "target/beside.log";
/// How often the file is checked for new output.
const LOOK: Duration = Duration::from_millis(200);

/// Running steps. When this is dropped, or a signal ends this program, they end together with every process that they started.
pub(crate) struct Beside {
    child: Child,
    /// Nothing is written to it: closing it is the signal to end.
    leash: Option<ChildStdin>,
}

impl Beside {
    /// Starts the named steps.
    pub(crate) fn start<'n>(names: impl Iterator<Item = &'n str>) -> Result<Self> {
        let begun = || -> io::Result<Self> {
            let said = File::create(SAID)?;
            let mut own = Command::new(env::current_exe()?);
            own.args(["test", OPTION]).args(names).process_group(0);
            let mut child = own.stdin(Stdio::piped()).stdout(said.try_clone()?).stderr(said).spawn()?;
            let leash = child.stdin.take();
            Ok(Self { child, leash })
        };
        begun().map_err(|error| format!("the parallel steps can't be started: {error}"))
    }

    /// Shows their output so far, and any further output until they end.
    pub(crate) fn finish(mut self) -> Result {
        let mut shown = || -> io::Result<ExitStatus> {
            let mut said = File::open(SAID)?;
            loop {
                let ended = self.child.try_wait()?;
                io::copy(&mut said, &mut io::stderr())?;
                if let Some(status) = ended {
                    return Ok(status);
                }
                thread::sleep(LOOK);
            }
        };
        let status = shown().map_err(|error| format!("{SAID}: {error}"))?;
        if status.success() { Ok(()) } else { Err("a parallel step failed".to_owned()) }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.leash = None;
        // It may have ended long ago.
        let _ = self.child.wait();
    }
}

/// In the process itself: ends it, with every process that it started, as soon as its parent is gone.
pub(crate) fn end_with_the_other() {
    thread::spawn(|| {
        // However the read ends, the parent is gone.
        let _ = io::stdin().read_to_end(&mut Vec::new());
        let _ = Command::new("sh").args(["-c", "kill -KILL 0"]).status();
    });
}
