//! The journal: one checksummed, chained JSON line per event, append-only, the source of truth of a run.
//!
//! A line is `{"n":<number from 1>,"crc":"<8 hex digits>","prev":"<64 hex digits>","at":…,"event":…,…}`: readable by `jq`, and
//! either whole or recognisably damaged. `crc` is CRC-32 (ISO 3309, as in gzip and PNG) over the line's text without the `crc`
//! member and without the line end, because git may have turned `\n` into `\r\n`. A torn last line, which a crash leaves, is
//! ignored; damage anywhere else is an error, because nothing after it can be trusted.
//!
//! `prev` is SHA-256 over all lines before this one, each ending with `\n`. So no line except the last can be changed, inserted,
//! removed or moved without the next one revealing it, even if the checksums are recomputed. For the last line, or all of them,
//! there is the *head*, the same hash over all lines, which `sha256sum journal.jsonl` also prints. Anyone who has noted a head
//! can later check whether a journal continues from it. Lines written before the chain was introduced have no `prev`; a line that
//! is added to them has one.
//!
//! After `prev` a line may have `"mark":"<64 hex digits>"`, by which a machine recognises its own lines ([`crate::origin`]). The
//! mark is computed from the line without `crc` and `mark`.

use crate::code::RunCode;
use crate::digest::hex;
use crate::json;
use crate::json::Read;
use crate::origin::{self, Key, Origin};
use crate::problem::Problem;
use crate::unique;
use crc::{CRC_32_ISO_HDLC, Crc};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The start of the member that identifies the preceding lines.
const PREV: &str = "\"prev\":\"";

/// The start of the member after it, which identifies the machine that wrote the line.
const MARK: &str = "\"mark\":\"";

/// The state of a journal's lines so far that the next one depends on.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    lines: u64,
    /// Lines from before the chain was introduced, all of them at the beginning.
    unchained: u64,
    text: Sha256,
    /// The last line.
    last: String,
    /// Whether any line has a mark.
    is_marked: bool,
}

impl Chain {
    /// How many lines there are.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// How many of them, at the beginning, have no hash of the lines before them.
    pub fn unchained(&self) -> u64 {
        self.unchained
    }

    /// SHA-256 over all lines, in hex.
    pub fn head(&self) -> String {
        hex(self.text.clone())
    }

    /// Where the journal comes from. `key`: this machine's key, if it has one.
    pub fn origin(&self, key: Option<&Key>) -> Origin {
        let is_ours = |key: &Key| {
            let (body, mark) = unmarked(&self.last)?;
            Some(key.made(origin::JOURNAL, &body, mark))
        };
        if key.and_then(is_ours).unwrap_or(false) {
            return Origin::Here;
        }
        if self.is_marked { Origin::Elsewhere } else { Origin::Unmarked }
    }

    /// The next line with this machine's mark if the journal before it is this machine's, or the user has `adopted` it.
    pub fn marked(&self, line: String, key: Option<&Key>, adopted: bool) -> String {
        let is_ours = self.lines == 0 || adopted || self.origin(key) == Origin::Here;
        let Some(key) = key.filter(|_| is_ours) else { return line };
        let Some((body, _)) = unmarked(&line) else { return line };
        let mark = key.mark(origin::JOURNAL, &body);
        let number = self.lines + 1;
        let head = format!("{{\"n\":{number},{PREV}{}\",", self.head());
        let Some(rest) = body.strip_prefix(&head) else { return line };
        seal_text(number, &format!("{{{PREV}{}\",{MARK}{mark}\",{rest}", self.head()))
    }

    /// Makes the next line, with its newline.
    pub fn seal<E: Serialize>(&self, event: &E) -> String {
        let body = serde_json::to_string(event).unwrap_or_default();
        let inner = body.strip_prefix('{').unwrap_or(&body);
        seal_text(self.lines + 1, &format!("{{{PREV}{}\",{inner}", self.head()))
    }

    /// Reads the next line.
    pub fn read<E: Read>(&self, line: &str) -> Result<E, Problem> {
        let number = self.lines + 1;
        let checked = checked(line, number)?;
        let follows = match prev(line) {
            Some(prev) => prev == self.head(),
            None => self.unchained == self.lines,
        };
        if !follows {
            return Err(Problem::new(
                RunCode::JournalChain,
                format!(
                    "Line {number} of the journal doesn't follow from the lines before it: a line was \
                     changed, added or removed."
                ),
            )
            .next(RESTORE));
        }
        unique::check(&checked).map_err(|error| damaged(number, &error.to_string()))?;
        json::read(&checked).map_err(|error| {
            damaged(number, &format!("it is not an event that this version knows ({error})"))
        })
    }

    /// Appends the next line to the chain.
    pub fn add(&mut self, line: &str) {
        self.lines += 1;
        if prev(line).is_none() {
            self.unchained += 1;
        }
        self.is_marked |= unmarked(line).is_some_and(|(_, mark)| !mark.is_empty());
        without_end(line).clone_into(&mut self.last);
        self.text.update(&self.last);
        self.text.update("\n");
    }
}

/// Makes the line for an event that is already JSON.
pub fn seal_text(number: u64, body: &str) -> String {
    let inner = body.strip_prefix('{').unwrap_or(body);
    let checked = format!("{{\"n\":{number},{inner}");
    format!("{{\"n\":{number},\"crc\":\"{:08x}\",{inner}\n", crc32(checked.as_bytes()))
}

const RESTORE: &str =
    "Restore journal.jsonl from a copy, or start a new run. The files written so far stay readable.";

fn damaged(number: u64, what: &str) -> Problem {
    Problem::new(RunCode::JournalDamaged, format!("Line {number} of the journal is damaged: {what}."))
        .next(RESTORE)
}

fn without_end(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// The body of a line, if it has this number and a correct checksum.
fn checked(line: &str, number: u64) -> Result<String, Problem> {
    let prefix = format!("{{\"n\":{number},\"crc\":\"");
    let rest = without_end(line)
        .strip_prefix(&prefix)
        .ok_or_else(|| damaged(number, "it doesn't begin with its number and checksum"))?;
    let (crc, inner) =
        rest.split_once("\",").ok_or_else(|| damaged(number, "it ends in the middle of its checksum"))?;
    let checked = format!("{{\"n\":{number},{inner}");
    if crc != format!("{:08x}", crc32(checked.as_bytes())) {
        return Err(damaged(number, "its checksum doesn't match its content"));
    }
    Ok(checked)
}

/// A line without its checksum and mark, and the mark, which may be empty; `None` when it has no hash of the lines before it.
fn unmarked(line: &str) -> Option<(String, &str)> {
    let prev = prev(line)?;
    let (number, after_number) = without_end(line).split_once(',')?;
    let (_, after_crc) = after_number.split_once(',')?;
    let rest = after_crc.strip_prefix(PREV)?.strip_prefix(prev)?.strip_prefix("\",")?;
    let (mark, rest) = match rest.strip_prefix(MARK) {
        Some(marked) => marked.split_once("\",")?,
        None => ("", rest),
    };
    Some((format!("{number},{PREV}{prev}\",{rest}"), mark))
}

/// The hash of the preceding lines in a line.
fn prev(line: &str) -> Option<&str> {
    let (_, after_number) = line.split_once(',')?;
    let (_, after_crc) = after_number.split_once(',')?;
    Some(after_crc.strip_prefix(PREV)?.split_once('"')?.0)
}

/// Every head that a journal had before its last line, according to its lines.
pub fn heads(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(prev)
}

/// The minimum number of digits of a head that can be looked up.
const HEAD_DIGITS: usize = 16;

/// Whether a journal continues from this head, or from the one that starts with these digits.
pub fn is_head(noted: &str, text: &str, chain: &Chain) -> bool {
    let noted = noted.trim().to_ascii_lowercase();
    let now = chain.head();
    noted.len() >= HEAD_DIGITS && heads(text).chain([now.as_str()]).any(|head| head.starts_with(&noted))
}

/// The problem for a journal that doesn't continue from this head, with the facts common to every case.
pub fn no_head(problem: Problem, noted: &str, chain: &Chain) -> Problem {
    let now = chain.head();
    problem
        .found(noted.trim().to_ascii_lowercase().chars().take(64).collect::<String>())
        .allowed(format!(
            "at least {HEAD_DIGITS} digits of a head that this journal had; the current head is {now}"
        ))
        .next(
            "If you copied the head correctly, the journal has been rewritten since. Trust neither the \
             journal nor its files.",
        )
}

/// The whole lines of a journal. Anything after them is a torn line, to be cut off before anything is appended.
pub fn read_all<E: Read>(text: &str) -> Result<Vec<&str>, Problem> {
    let mut chain = Chain::default();
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find('\n') {
        let (line, tail) = rest.split_at(end + 1);
        if let Err(problem) = chain.read::<E>(line) {
            // A crash can leave a full-length last line whose blocks never reached the disk.
            let swallows_another = line.contains(&format!("{{\"n\":{},", chain.lines + 2));
            let whole = problem.code == RunCode::JournalChain;
            if tail.is_empty() && !lines.is_empty() && !swallows_another && !whole {
                return Ok(lines);
            }
            return Err(problem);
        }
        chain.add(line);
        lines.push(line);
        rest = tail;
    }
    Ok(lines)
}

/// CRC-32 as in gzip and PNG (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    // A table of 1 KB: `crc32fast` is faster but adds 17 KB.
    static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    CRC.checksum(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::EventKind;
    use proptest::prelude::*;
    use serde_json::Value;

    type Event = crate::protocol::Event<Value, Value>;

    #[test]
    fn crc32_gives_the_published_check_value() {
        // The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    fn woken(at: u64) -> Event {
        Event { at, kind: EventKind::Woken }
    }

    /// A journal of this many lines.
    fn journal(count: u64) -> Vec<String> {
        continued(Chain::default(), count)
    }

    fn continued(mut chain: Chain, count: u64) -> Vec<String> {
        let next = |at| {
            let line = chain.seal(&woken(at));
            chain.add(&line);
            line
        };
        (1..=count).map(next).collect()
    }

    /// The lines with recomputed numbers and checksums, as a forger who has read this file would write them.
    fn forged(lines: &[String]) -> String {
        let body = |line: &String| {
            let (_, inner) = line.trim_end().split_once("\",").unwrap();
            format!("{{{inner}")
        };
        (1..).zip(lines).map(|(number, line)| seal_text(number, &body(line))).collect()
    }

    fn whole(text: &str) -> Result<usize, Problem> {
        read_all::<Event>(text).map(|lines| lines.len())
    }

    #[test]
    fn a_line_reads_back_and_is_json() {
        let line = Chain::default().seal(&woken(5));
        assert_eq!(Chain::default().read(&line), Ok(woken(5)));
        let value: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["event"], "woken");
        assert_eq!(value["n"], 1);
        assert_eq!(
            value["prev"], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "of nothing"
        );
    }

    #[test]
    fn a_head_is_the_hash_of_the_file_and_stands_in_the_line_that_follows() {
        let lines = journal(4);
        let mut chain = Chain::default();
        for line in &lines {
            let said: Value = serde_json::from_str(line).unwrap();
            assert_eq!(said["prev"], chain.head());
            chain.add(line);
        }
        assert_eq!(chain.head(), crate::digest::sha256(&lines.concat()));
        assert_eq!((chain.lines(), chain.unchained()), (4, 0));
        assert_eq!(heads(&lines.concat()).last().unwrap(), crate::digest::sha256(&lines[..3].concat()));
    }

    #[test]
    fn a_journal_from_before_the_chain_is_read_and_chained_from_there_on() {
        let old: Vec<String> =
            (1..=3).map(|n| seal_text(n, &serde_json::to_string(&woken(n)).unwrap())).collect();
        assert_eq!(whole(&old.concat()), Ok(3));
        let mut chain = Chain::default();
        for line in &old {
            assert_eq!(chain.read::<Event>(line).unwrap().kind, EventKind::Woken);
            chain.add(line);
        }
        let all = [old, continued(chain.clone(), 2)].concat();
        assert_eq!(whole(&all.concat()), Ok(5));
        assert_eq!(chain.unchained(), 3);
        for index in 0..3 {
            let mut changed = all.clone();
            changed[index] = changed[index].replace("\"at\":", "\"at\":9");
            let problem = whole(&forged(&changed)).unwrap_err();
            assert_eq!(problem.code, "journal.chain");
            assert!(problem.message.starts_with("Line 4 "), "{}", problem.message);
        }
        // Once the chain has started, a line without it is refused.
        let loose = [all.concat(), seal_text(6, &serde_json::to_string(&woken(6)).unwrap())].concat();
        assert!(whole(&loose).unwrap_err().message.starts_with("Line 6 "));
    }

    #[test]
    fn a_line_in_which_a_key_stands_twice_is_refused() {
        for twice in [r#""at":1,"at":2,"event":"woken"}"#, r#""at":1,"event":"woken","event":"closed"}"#] {
            let body = format!("{{{PREV}{}\",{twice}", Chain::default().head());
            let problem = Chain::default().read::<Event>(&seal_text(1, &body)).unwrap_err();
            assert_eq!(problem.code, "journal.damaged");
            assert!(problem.message.contains("occurs twice"), "{}", problem.message);
        }
    }

    #[test]
    fn every_torn_tail_is_cut_and_nothing_else() {
        let lines = journal(3);
        let (whole, two) = (lines.concat(), lines[..2].concat());
        for length in two.len()..whole.len() {
            let lines = read_all::<Event>(&whole[..length]).unwrap();
            assert_eq!(lines.concat(), two);
        }
        assert_eq!(read_all::<Event>(&whole).unwrap().len(), 3);
    }

    #[test]
    fn line_ends_may_have_been_changed_by_git() {
        let mut lines = journal(4);
        let last = lines.pop().unwrap();
        let clone = lines.concat().replace('\n', "\r\n");
        assert_eq!(read_all::<Event>(&clone).unwrap().concat(), clone);
        // A line that is appended there ends with `\n` as usual.
        assert_eq!(whole(&format!("{clone}{last}")), Ok(4));
        let torn = &clone[..clone.len() - 1];
        assert_eq!(whole(torn), Ok(2), "a line that ends in the middle of its end is torn");
    }

    #[test]
    fn every_changed_byte_before_the_last_line_is_noticed() {
        let lines = journal(3);
        let text = lines.concat();
        for index in 0..text.len() - lines[2].len() {
            let mut bytes = text.clone().into_bytes();
            bytes[index] = if bytes[index] == b'x' { b'y' } else { b'x' };
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(whole(&text).unwrap_err().code, "journal.damaged", "byte {index}");
        }
    }

    fn key(digits: &str) -> Key {
        Key::parse(&digits.repeat(32)).unwrap()
    }

    /// A journal that continues from a chain by this many lines, as a machine with this key writes them.
    fn marked(chain: &mut Chain, count: u64, key: Option<&Key>) -> String {
        let next = |at| {
            let line = chain.marked(chain.seal(&woken(at)), key, false);
            chain.read::<Event>(&line).unwrap();
            chain.add(&line);
            line
        };
        (1..=count).map(next).collect()
    }

    #[test]
    fn a_journal_is_recognised_by_the_machine_that_began_it_and_by_no_other() {
        let (ours, theirs) = (key("0a"), key("0b"));
        let mut chain = Chain::default();
        let text = marked(&mut chain, 3, Some(&ours));
        assert_eq!(whole(&text), Ok(3));
        assert_eq!(chain.head(), crate::digest::sha256(&text));
        assert_eq!(chain.origin(Some(&ours)), Origin::Here);
        assert_eq!(chain.origin(Some(&theirs)), Origin::Elsewhere);
        assert_eq!(chain.origin(None), Origin::Elsewhere);
        // Cutting lines off the end leaves a state that the run had.
        let mut shorter = Chain::default();
        text.lines().take(2).for_each(|line| shorter.add(&format!("{line}\r\n")));
        assert_eq!(shorter.origin(Some(&ours)), Origin::Here, "git has changed the line ends");

        let mut unmarked = Chain::default();
        marked(&mut unmarked, 2, None);
        assert_eq!(unmarked.origin(Some(&ours)), Origin::Unmarked);
    }

    #[test]
    fn what_somebody_else_appends_makes_it_theirs_until_the_user_adopts_it() {
        let (ours, theirs) = (key("0a"), key("0b"));
        for other in [None, Some(&theirs)] {
            let mut chain = Chain::default();
            marked(&mut chain, 2, Some(&ours));
            let added = chain.marked(chain.seal(&woken(9)), other, true);
            chain.add(&added);
            assert_eq!(chain.origin(Some(&ours)), Origin::Elsewhere);
            marked(&mut chain, 1, Some(&ours));
            assert_eq!(chain.origin(Some(&ours)), Origin::Elsewhere, "nothing of ours vouches for that line");
            let adopting = chain.marked(chain.seal(&woken(9)), Some(&ours), true);
            chain.add(&adopting);
            assert_eq!(chain.origin(Some(&ours)), Origin::Here);
            marked(&mut chain, 1, Some(&ours));
            assert_eq!(chain.origin(Some(&ours)), Origin::Here);
        }
    }

    #[test]
    fn a_mark_fits_no_other_line_and_no_other_journal() {
        let ours = key("0a");
        let mut chain = Chain::default();
        let first = marked(&mut chain, 1, Some(&ours));
        let (_, mark) = unmarked(&first).unwrap();
        let forged = |at: u64, prev: &Chain, number: u64| {
            let head = prev.head();
            seal_text(number, &format!("{{{PREV}{head}\",{MARK}{mark}\",\"at\":{at},\"event\":\"woken\"}}"))
        };
        assert_eq!(forged(1, &Chain::default(), 1), first);
        for (line, before) in
            [(forged(2, &Chain::default(), 1), Chain::default()), (forged(1, &chain, 2), chain)]
        {
            let mut chain = before;
            chain.read::<Event>(&line).unwrap();
            chain.add(&line);
            assert_eq!(chain.origin(Some(&ours)), Origin::Elsewhere);
        }
    }

    proptest! {
        #[test]
        fn no_line_is_changed_dropped_moved_or_put_in(count in 3_u64..9, at in 0_usize..7, how in 0..4, other in 0_u64..99) {
            let mut lines = journal(count);
            let at = at % (lines.len() - 1);
            // The line that reveals it: the first with a different hash of the lines before it.
            let noticed = match how {
                0 => {
                    lines[at] = lines[at].replace("\"at\":", &format!("\"at\":{}", other + 1));
                    at + 2
                }
                1 => {
                    lines.remove(at);
                    at + 1
                }
                2 => {
                    lines.swap(at, at + 1);
                    at + 1
                }
                _ => {
                    let mut chain = Chain::default();
                    lines[..at].iter().for_each(|line| chain.add(line));
                    lines.insert(at, chain.seal(&woken(other)));
                    at + 2
                }
            };
            let problem = whole(&forged(&lines)).unwrap_err();
            prop_assert_eq!(problem.code.as_str(), "journal.chain");
            prop_assert!(problem.message.starts_with(&format!("Line {noticed} ")), "{}", problem.message);
        }
    }
}
