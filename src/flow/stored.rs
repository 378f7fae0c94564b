//! Which of the stored sessions the user named, and the list of them.

use super::code::FlowCode;
use super::command::no_session;
use super::recovery::{Recovery, RecoveryStage};
use super::reset::archived;
use super::run::{SessionFacts, VERBS};
use super::status::Status;
use crate::shared::figures::{count, money};
use crate::shared::listed::{List, Listed, Row};
use crate::shared::reader::Reader;
use crate::shared::trust::TRUST;
use design_lab_numerics::sorting::sort_by_key;
use kernel::index::{Owner, by_its_end};
use kernel::nearest::nearest;
use kernel::problem::Problem;
use std::cmp::Reverse;

/// A session as the shell found it.
pub type Found = kernel::index::Found<SessionFacts>;

/// `/flow-session <id>`: the session that becomes active, or the reason why none does.
pub fn to_activate(text: &str, stored: &[Found]) -> Result<String, Problem> {
    let found = named(text, stored, "/flow-session")?;
    if let Some(problem) = &found.problem {
        return Err(problem.clone());
    }
    if found.summary.as_ref().is_some_and(|summary| summary.own.status == Status::Archived) {
        return Err(archived(&found.name).into());
    }
    // Only one session at a time changes the files of a project.
    for one in stored {
        if let Owner::Process { name, .. } = &one.owner {
            return Err(VERBS.locked(&one.name, name));
        }
    }
    Ok(found.name.clone())
}

/// `/flow-session` without a name: all sessions, the latest first. `active`: the current session. `None` when the request is for
/// something else.
pub fn list(
    text: &str,
    stored: &[Found],
    active: Option<&str>,
    reader: Reader,
) -> Result<Option<String>, Problem> {
    let Some(listed) = Listed::parse(text) else { return Ok(None) };
    let mut sessions: Vec<&Found> = stored.iter().filter(|one| is_named(one)).collect();
    if sessions.is_empty() {
        return Err(no_session().into());
    }
    let at = |one: &Found| one.summary.as_ref().map_or(0, |summary| summary.at);
    sort_by_key(&mut sessions, |one| Reverse((at(one), one.name.as_str())));
    let mut out = format!("Flow · {}\n\n", count(sessions.len() as u64, "session", "sessions"));
    let list = List { listed, reader, command: "/flow-session", shows: "/flow-history" };
    list.rows(&mut out, &sessions, |one, name| row(one, name, active == Some(&*one.name)));
    out.push_str("\nNext  /flow-session <id>\n      Makes that session the active one.");
    Ok(Some(out))
}

/// A session of the list.
fn row(one: &Found, name: &str, is_active: bool) -> Row {
    let Some(summary) = &one.summary else { return Row::default() };
    let facts = &summary.own;
    let mut standing = match (summary.outcome, &one.owner) {
        (None, Owner::Nobody) => "interrupted",
        (Some(_), _) if facts.status == Status::Running => "stopped",
        _ => facts.status.word(),
    }
    .to_owned();
    if is_active {
        standing.push_str(", active");
    }
    let far = match facts.features {
        0 => "no plan".to_owned(),
        features => format!("{} of {}", facts.complete, count(features.into(), "feature", "features")),
    };
    Row {
        columns: vec![standing, far, format!("{:>8}", money(summary.cost))],
        words: vec![summary.task.clone()],
        remark: None,
        adopting: Some(format!("/flow-session {name} {TRUST} takes it over")),
    }
}

/// `/flow-history <id>`: the session whose history is shown.
pub fn to_show(text: &str, stored: &[Found]) -> Result<String, Problem> {
    Ok(named(text, stored, "/flow-history")?.name.clone())
}

/// `/validate flow [session]`: the session whose criteria are validated. `active`: the current session; if no name is typed, that
/// one is used, or else the latest. For a session that fixes a validation's findings, it is the session that was validated: all its
/// criteria have to be met, not only those of the fix. `None` when there is no session at all.
pub fn to_validate(text: &str, active: Option<&str>, stored: &[Found]) -> Result<Option<String>, Problem> {
    if !text.trim().is_empty() {
        return Ok(Some(named(text, stored, "/validate flow")?.name.clone()));
    }
    let by_name = |name: &str| stored.iter().find(|one| one.name == name);
    let latest = || stored.iter().filter(|one| is_named(one)).max_by(|one, other| one.name.cmp(&other.name));
    let meant = active.and_then(by_name).or_else(latest);
    let fixed = meant.and_then(|one| by_name(one.summary.as_ref()?.own.fixes.as_deref()?));
    Ok(fixed.or(meant).map(|one| one.name.clone()))
}

/// The session with that name, or with a part of it that no other name contains.
fn named<'a>(text: &str, stored: &'a [Found], command: &str) -> Result<&'a Found, Recovery> {
    let text = text.trim();
    let stored: Vec<&Found> = stored.iter().filter(|one| is_named(one)).collect();
    let names = || stored.iter().map(|one| one.name.as_str());
    let Some(latest) = names().max() else { return Err(no_session()) };
    if let Some(found) = stored.iter().copied().find(|one| one.name == text) {
        return Ok(found);
    }
    let alike = stored.iter().copied().filter(|one| !text.is_empty() && one.name.contains(text)).collect();
    if let [found] = by_its_end(text, alike, |one| &one.name)[..] {
        return Ok(found);
    }
    let shown: String = text.chars().take(80).collect();
    let (code, message) = if text.is_empty() {
        (FlowCode::SessionUnnamed, "Name a session.".to_owned())
    } else {
        (FlowCode::SessionUnknown, format!("{shown:?} doesn't name exactly one session."))
    };
    let near = nearest(text, names()).unwrap_or(latest);
    Err(Recovery::new(code, RecoveryStage::Session, message)
        .takes(format!("one of {}", names().collect::<Vec<_>>().join(", ")))
        .next("Type the name of a stored session, or a unique part of it.", format!("{command} {near}")))
}

/// A session without its own name was left by a process that died before it began.
fn is_named(one: &Found) -> bool {
    one.summary.as_ref().is_none_or(|summary| summary.directory.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::forecast::Past;
    use kernel::index::Summary;
    use kernel::origin::Origin;
    use kernel::protocol::Outcome;
    use kernel::tokens::Tokens;

    fn stored(name: &str, status: Status) -> Found {
        let summary = Summary {
            directory: Some(name.to_owned()),
            task: "T".to_owned(),
            outcome: None,
            unfinished: false,
            failed: false,
            at: 0,
            cost: 0.0,
            tokens: Tokens::default(),
            likeness: 0,
            origin: Origin::Here,
            own: SessionFacts {
                lane_of: None,
                status,
                plan_hash: None,
                take_hash: None,
                fixes: None,
                features: 0,
                complete: 0,
                past: Past::default(),
            },
        };
        Found { name: name.to_owned(), summary: Some(summary), problem: None, owner: Owner::Nobody }
    }

    #[test]
    fn a_stored_session_is_found_or_it_is_stated_which_there_are() {
        let all = [
            stored("2026-11-20-limits", Status::Approved),
            stored("2026-11-21-cache", Status::Completed),
            stored("2026-11-22-old", Status::Archived),
        ];
        let choose = |text: &str| to_activate(text, &all).map_err(|problem| problem.code.to_string());
        assert_eq!(choose("2026-11-21-cache"), Ok("2026-11-21-cache".to_owned()));
        assert_eq!(choose(" limits "), Ok("2026-11-20-limits".to_owned()));
        for (text, code) in [
            ("", "session.unnamed"),
            ("2026", "session.unknown"),
            ("cachet", "session.unknown"),
            ("old", "session.archived"),
        ] {
            assert_eq!(choose(text), Err(code.to_owned()), "{text}");
        }
        assert_eq!(to_show("old", &all), Ok("2026-11-22-old".to_owned()), "what is archived can be read");
        let problem = to_activate("2026-11-20-limit", &all[1..]).unwrap_err();
        assert_eq!(problem.allowed.as_deref(), Some("one of 2026-11-21-cache, 2026-11-22-old"));
        let problem = to_activate("2026-11-21-cachet", &all).unwrap_err();
        assert!(problem.next.unwrap().ends_with("Type: /flow-session 2026-11-21-cache"), "the nearest");
        assert_eq!(to_activate("x", &[]).unwrap_err().code, FlowCode::SessionNone);
        let mut staged = stored(".new-1", Status::Draft);
        staged.summary.as_mut().unwrap().directory = None;
        assert_eq!(to_activate("new", &[staged]).unwrap_err().code, FlowCode::SessionNone);
    }

    #[test]
    fn a_validation_is_of_the_session_that_is_named_by_any_part_of_its_name_or_of_the_active_one() {
        let all =
            [stored("2026-11-20-limits", Status::Completed), stored("2026-11-21-cache", Status::Completed)];
        let of = |text: &str, active| to_validate(text, active, &all).unwrap();
        assert_eq!(of("limits", None).as_deref(), Some("2026-11-20-limits"));
        assert_eq!(of("", Some("2026-11-20-limits")).as_deref(), Some("2026-11-20-limits"));
        assert_eq!(of("", None).as_deref(), Some("2026-11-21-cache"), "the latest");
        assert_eq!(to_validate("", None, &[]).unwrap(), None);
        let mut fixing = all.to_vec();
        fixing[1].summary.as_mut().unwrap().own.fixes = Some("2026-11-20-limits".to_owned());
        let of = |text: &str, active| to_validate(text, active, &fixing).unwrap();
        assert_eq!(of("", None).as_deref(), Some("2026-11-20-limits"), "what the fix was for");
        assert_eq!(of("", Some("2026-11-21-cache")).as_deref(), Some("2026-11-20-limits"));
        assert_eq!(of("cache", None).as_deref(), Some("2026-11-21-cache"), "unless it is named itself");
        assert_eq!(to_validate("", None, &fixing[1..]).unwrap().as_deref(), Some("2026-11-21-cache"));
        let problem = to_validate("cachet", None, &all).unwrap_err();
        assert!(problem.next.unwrap().ends_with("Type: /validate flow 2026-11-21-cache"), "of this workflow");
    }

    #[test]
    fn no_other_session_becomes_active_while_one_is_worked_on() {
        let mut all = [stored("one", Status::Running), stored("two", Status::Approved)];
        all[0].owner = Owner::Process { name: "process 7".to_owned(), here: false };
        for text in ["one", "two"] {
            let problem = to_activate(text, &all).unwrap_err();
            assert_eq!(problem.code, "run.locked");
            assert!(problem.message.contains("one is running in process 7"), "{}", problem.message);
        }
        all[0].owner = Owner::Nobody;
        all[1].problem = Some(Problem::new(FlowCode::SessionNone, "It can't be read."));
        assert_eq!(to_activate("two", &all).unwrap_err().message, "It can't be read.");
        assert_eq!(
            to_show("two", &all),
            Ok("two".to_owned()),
            "why it can't be shown is said where it is looked at"
        );
    }

    #[test]
    fn all_sessions_are_listed_with_goal_and_state_the_latest_first() {
        let mut all = [
            stored("2026-11-20-limits", Status::Completed),
            stored("2026-11-21-cache", Status::Approved),
            stored("2026-11-22-search", Status::Running),
            stored("2026-11-23-login", Status::Running),
            stored(".new-1", Status::Draft),
            stored("2026-11-19-lost", Status::Draft),
        ];
        for (at, one) in all.iter_mut().enumerate() {
            let summary = one.summary.as_mut().unwrap();
            (summary.at, summary.outcome) = (at as u64, Some(Outcome::Complete));
            (summary.own.features, summary.own.complete) = (3, 2);
            summary.cost = 0.25;
        }
        all[1].summary.as_mut().unwrap().own.features = 0;
        all[2].summary.as_mut().unwrap().origin = Origin::Elsewhere;
        all[3].summary.as_mut().unwrap().outcome = None;
        all[4].summary.as_mut().unwrap().directory = None;
        all[5].summary = None;
        let list = |text: &str, reader| list(text, &all, Some("2026-11-21-cache"), reader);
        assert_eq!(
            list(" ", Reader::Person).unwrap().unwrap(),
            "Flow · 5 sessions\n\n\
             \x20 2026-11-23-login   interrupted       2 of 3 features     $0.25\n    T\n\
             \x20 2026-11-22-search  stopped           2 of 3 features     $0.25\n    T\n\
             \x20   not all written on this machine;\n\
             \x20   /flow-session 2026-11-22-search --trust takes it over\n\
             \x20 2026-11-21-cache   approved, active  no plan             $0.25\n    T\n\
             \x20 2026-11-20-limits  completed         2 of 3 features     $0.25\n    T\n\
             \x20 2026-11-19-lost    can't be read (journal.damaged)\n\
             \x20   /flow-history 2026-11-19-lost says why\n\n\
             Next  /flow-session <id>\n      Makes that session the active one."
        );
        let listing = list("--all", Reader::Model).unwrap().unwrap();
        assert_eq!(
            listing.matches("    T\n").count(),
            3,
            "a model reads nothing of one from elsewhere: {listing}"
        );
        assert_eq!(list("cache", Reader::Person), Ok(None));
        assert_eq!(super::list("", &[], None, Reader::Person).unwrap_err().code, FlowCode::SessionNone);
    }
}
