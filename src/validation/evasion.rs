//! How a test tests something other than the application.

use super::page_code;
use super::protocol::TestSeen;
use kernel::visible;
use std::collections::BTreeSet;

/// The maximum length of an address in a reason, in characters.
const ADDRESS: usize = 100;

/// How a test tests something other than the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Evasion<'a> {
    /// This call answers in place of the application.
    Answers(&'a str),
    /// After this call or option, the test may reach something other than the application, or isn't observed.
    Leaves(&'a str),
    /// The test may change the page itself, in this way.
    Changes(String),
    /// The test opens this address, which is not the application's.
    Opens(&'a str),
}

impl<'a> Evasion<'a> {
    /// How a test does so, if it does. `ports`: those at which the run has ever started a server.
    pub(super) fn of(test: &'a TestSeen, ports: &BTreeSet<u16>) -> Option<Self> {
        let change = || test.evaluated.iter().find_map(|code| page_code::change(code));
        let opened = || test.opened.iter().find(|address| !is_served(address, ports));
        let is_local = |address: &&String| address.starts_with("data:") || address.starts_with("file:");
        let foreign = || opened().or_else(|| test.visited.iter().find(is_local));
        let call = test.mocks.first().map(|call| Self::by(call));
        call.or_else(|| change().map(Self::Changes)).or_else(|| foreign().map(|address| Self::Opens(address)))
    }

    /// What a call or an option means, by the name that plugin-js/validation/ records.
    fn by(call: &'a str) -> Self {
        const LEAVES: [&str; 4] = ["test.use(", "browserType.", "newContext(", "unwatched"];
        if LEAVES.iter().any(|one| call.starts_with(one)) { Self::Leaves(call) } else { Self::Answers(call) }
    }

    /// In words, as the reason of a verdict.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Answers(call) => {
                format!("the test answers in place of the application: {}", visible::line(call))
            }
            Self::Leaves(call) => {
                format!("the test may test something other than the application: {}", visible::line(call))
            }
            Self::Changes(change) => {
                let change = visible::line(change);
                format!("the test may change the page itself, with code that it runs there: {change}")
            }
            Self::Opens(address) => {
                let address: String = visible::line(address).chars().take(ADDRESS).collect();
                format!("the test opens an address that is not the application's: {address}")
            }
        }
    }
}

/// Whether an address is at one of the application's servers, by whichever name of this machine.
fn is_served(address: &str, ports: &BTreeSet<u16>) -> bool {
    let Some((scheme, rest)) = address.split_once("://") else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let place = authority.rsplit('@').next().unwrap_or_default();
    let usual = if scheme == "https" { 443 } else { 80 };
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().ok()),
        _ => (place, Some(usual)),
    };
    let is_here = matches!(host, "127.0.0.1" | "localhost" | "[::1]") || host.ends_with(".localhost");
    is_here && port.is_some_and(|port| ports.contains(&port))
}
