//! The journal: one checksummed JSON line per event, append-only, the source of truth of a run.
//!
//! A line is `{"n":<number from 1>,"crc":"<8 hex digits>","at":…,"event":…,…}`: readable by `jq`, and
//! whole or recognisably not. `crc` is CRC-32 (ISO 3309, as in gzip and PNG) over the line's text without
//! the `crc` member, nor its line end: git may have made `\r\n` of `\n`. A torn last line, which is what a crash leaves, is ignored; damage anywhere else is an
//! error, since what follows it can't be trusted.

use crate::code::RunCode;
use crate::problem::Problem;
use crc::{CRC_32_ISO_HDLC, Crc};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Makes the line for an event, with its newline.
pub fn seal<E: Serialize>(number: u64, event: &E) -> String {
    seal_text(number, &serde_json::to_string(event).unwrap_or_default())
}

/// Makes the line for an event that is JSON already.
pub fn seal_text(number: u64, body: &str) -> String {
    let inner = body.strip_prefix('{').unwrap_or(body);
    let checked = format!("{{\"n\":{number},{inner}");
    format!("{{\"n\":{number},\"crc\":\"{:08x}\",{inner}\n", crc32(checked.as_bytes()))
}

/// Reads a line that must have this number.
pub fn read<E: DeserializeOwned>(line: &str, number: u64) -> Result<E, Problem> {
    let damaged = |what: String| {
        Problem::new(RunCode::JournalDamaged, format!("Line {number} of the journal is damaged: {what}."))
            .next("Restore journal.jsonl from a copy, or start a new run: the artefacts written so far stay readable.")
    };
    let prefix = format!("{{\"n\":{number},\"crc\":\"");
    let line = line.strip_suffix('\n').unwrap_or(line);
    let rest = line
        .strip_suffix('\r')
        .unwrap_or(line)
        .strip_prefix(&prefix)
        .ok_or_else(|| damaged("it does not begin with its number and checksum".into()))?;
    let (crc, inner) = rest.split_once("\",").ok_or_else(|| damaged("it ends within its checksum".into()))?;
    let checked = format!("{{\"n\":{number},{inner}");
    if crc != format!("{:08x}", crc32(checked.as_bytes())) {
        return Err(damaged("its checksum does not match its content".into()));
    }
    serde_json::from_str(&checked)
        .map_err(|error| damaged(format!("it holds no event that this version knows ({error})")))
}

/// The whole lines of a journal. What follows them is a torn line, to be cut off before anything is appended.
pub fn read_all<E: DeserializeOwned>(text: &str) -> Result<Vec<&str>, Problem> {
    let mut lines = Vec::new();
    let mut rest = text;
    while let Some(end) = rest.find('\n') {
        let (line, tail) = rest.split_at(end + 1);
        let number = lines.len() as u64 + 1;
        if let Err(problem) = read::<E>(line, number) {
            // A crash can leave a full-length last line whose blocks never reached the disk.
            let swallows_another = line.contains(&format!("{{\"n\":{},", number + 1));
            if tail.is_empty() && !lines.is_empty() && !swallows_another {
                return Ok(lines);
            }
            return Err(problem);
        }
        lines.push(line);
        rest = tail;
    }
    Ok(lines)
}

/// CRC-32 as in gzip and PNG (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    // A table of 1 KB: `crc32fast` is faster and brings 17 KB more.
    static CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    CRC.checksum(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::EventKind;
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

    #[test]
    fn a_line_reads_back_and_is_json() {
        let line = seal(7, &woken(5));
        assert_eq!(read(&line, 7), Ok(woken(5)));
        let value: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(value["event"], "woken");
        assert_eq!(value["n"], 7);
    }

    #[test]
    fn every_torn_tail_is_cut_and_nothing_else() {
        let whole: String = (1..=3).map(|n| seal(n, &woken(n))).collect();
        let two = seal(1, &woken(1)).len() + seal(2, &woken(2)).len();
        for length in two..whole.len() {
            let lines = read_all::<Event>(&whole[..length]).unwrap();
            assert_eq!(lines.concat(), whole[..two]);
        }
        assert_eq!(read_all::<Event>(&whole).unwrap().len(), 3);
    }

    #[test]
    fn line_ends_may_have_been_changed_by_git() {
        let lines: Vec<String> = (1..=3).map(|n| seal(n, &woken(n))).collect();
        let clone = lines.concat().replace('\n', "\r\n");
        assert_eq!(read_all::<Event>(&clone).unwrap().concat(), clone);
        // What is appended there ends as ever.
        let gone_on = format!("{clone}{}", seal(4, &woken(4)));
        assert_eq!(read_all::<Event>(&gone_on).unwrap().len(), 4);
        let torn = &clone[..clone.len() - 1];
        assert_eq!(
            read_all::<Event>(torn).unwrap().len(),
            2,
            "a line that ends in the middle of its end is torn"
        );
    }

    #[test]
    fn every_changed_byte_before_the_last_line_is_noticed() {
        let whole: String = (1..=3).map(|n| seal(n, &woken(n))).collect();
        let last = seal(3, &woken(3)).len();
        for index in 0..whole.len() - last {
            let mut bytes = whole.clone().into_bytes();
            bytes[index] = if bytes[index] == b'x' { b'y' } else { b'x' };
            let text = String::from_utf8(bytes).unwrap();
            assert_eq!(read_all::<Event>(&text).unwrap_err().code, "journal.damaged", "byte {index}");
        }
    }
}
