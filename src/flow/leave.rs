//! The user's own rules for shell commands, and the permission that the user gives: a check's command goes through the rules like a
//! call of a worker's shell tool. A plan with a command that a rule denies is not accepted; a command that a rule asks about runs
//! once the user has approved the plan that contains it.
//!
//! The shell passes in what the host reports about the agent `flow-worker`, and the journal keeps it. In a session without rules,
//! because it began before there were any, every command may run.

use super::approval::short;
use super::code::FlowCode;
use super::plan::{Check, Feature, Plan};
use super::recovery::{Recovery, RecoveryStage};
use super::session::{FeatureState, Session};
use crate::opencode::HostAgent;
use crate::opencode::permission::matches;
use crate::opencode::shell_commands::ShellCommands;
use crate::shared::spelled::spelled;
use crate::shared::wrapped::unbroken;
use design_lab_numerics::sorting::sort;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::reason::Reason;
use kernel::visible;
use serde::Serialize;
use std::fmt::Write as _;

/// The agent whose rules apply.
const WORKER: &str = "flow-worker";
/// The tool whose rules apply.
const SHELL: &str = "bash";
/// The beginning of a problem about a command that the rules deny.
const DENIED: &str = "The user's permission rules deny this command";
/// How many rules a planner sees.
const SHOWN: usize = 30;

/// The rules that apply to a worker's shell commands, in the host's order: the last one that matches decides, and if none matches,
/// the user is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(transparent)]
pub struct ShellRules(Vec<ShellRule>);

/// A rule for shell commands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ShellRule {
    /// The commands that it applies to, with `*` and `?` as wildcards.
    pub pattern: String,
    /// What happens to them.
    pub action: ShellAction,
}

/// What happens to a command, with the strictest action last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ShellAction {
    /// It runs.
    Allow,
    /// The user is asked first.
    Ask,
    /// It doesn't run.
    Deny,
}

impl ShellAction {
    fn word(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// What the rules do with a command that they don't simply allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ruling {
    pub(super) action: ShellAction,
    /// The rule and the part of the command that it applies to, in words.
    pub(super) why: String,
}

impl ShellRules {
    /// The rules of Flow's worker among the host's agents; `agents` is `None` when the host doesn't report any.
    pub fn of_worker(agents: Option<&[HostAgent]>) -> Result<Self, Recovery> {
        let worker = agents.unwrap_or_default().iter().find(|agent| agent.name == WORKER);
        let Some(worker) = worker else {
            let message = "OpenCode doesn't report its permission rules for shell commands.";
            return Err(Recovery::new(FlowCode::RulesUnknown, RecoveryStage::Session, message)
                .takes("the agent flow-worker among OpenCode's agents")
                .next(
                    "Restart OpenCode, then type the command again. /design-lab-doctor looks for the cause.",
                    "/design-lab-doctor",
                ));
        };
        let rules = worker.rules.iter().filter(|rule| matches(&rule.permission, SHELL)).map(|rule| {
            let action = match rule.action.as_str() {
                "allow" => ShellAction::Allow,
                "ask" => ShellAction::Ask,
                _ => ShellAction::Deny,
            };
            ShellRule { pattern: rule.pattern.clone(), action }
        });
        let mut rules: Vec<ShellRule> = rules.collect();
        // A rule that comes before a rule for all commands never decides.
        if let Some(last) = rules.iter().rposition(|rule| rule.pattern == "*") {
            rules.drain(..last);
        }
        Ok(Self(rules))
    }

    /// Why no check could run under these rules; `None` when one could.
    pub(super) fn deny_all(&self) -> Option<Recovery> {
        let all = self.0.first().is_some_and(|rule| rule.pattern == "*");
        if !all || self.0.iter().any(|rule| rule.action != ShellAction::Deny) {
            return None;
        }
        let message = "Your permission rules deny every shell command, so no check could run.";
        Some(
            Recovery::new(FlowCode::RulesDenyAll, RecoveryStage::Session, message)
                .takes("a permission rule with `allow` or `ask` for the commands of your tests")
                .next(
                    "Add one to permission.bash in opencode.json, such as \"npm test *\": \"allow\", and restart OpenCode. Then type the command \
                     again.",
                    "/flow-status",
                ),
        )
    }

    /// What the rules do with this command; `None` if they allow it and every part of it. The strictest rule decides.
    pub(super) fn ruling(&self, argv: &[String]) -> Option<Ruling> {
        let ShellCommands { texts, in_doubt } = ShellCommands::of(argv);
        let rulings = texts.iter().filter_map(|text| self.of_text(text));
        let strictest = rulings.reduce(|one, other| if other.action > one.action { other } else { one });
        let in_doubt = in_doubt && self.0.iter().any(|rule| rule.action != ShellAction::Allow);
        strictest.or_else(|| {
            let why = "Flow can't tell which commands this shell text runs, and your permission rules \
                       don't allow all commands"
                .to_owned();
            in_doubt.then_some(Ruling { action: ShellAction::Ask, why })
        })
    }

    fn of_text(&self, text: &str) -> Option<Ruling> {
        let rule = self.0.iter().rev().find(|rule| matches(&rule.pattern, text));
        let action = rule.map_or(ShellAction::Ask, |rule| rule.action);
        let text = visible::line(text);
        let why = match rule {
            Some(rule) => {
                format!("your rule `{}` ({}) matches `{text}`", visible::line(&rule.pattern), action.word())
            }
            None => format!("no rule allows `{text}`"),
        };
        (action != ShellAction::Allow).then_some(Ruling { action, why })
    }

    /// The rules in their order, for the planner.
    fn wording(&self) -> String {
        let skipped = self.0.len().saturating_sub(SHOWN);
        let rules = self.0.iter().skip(skipped);
        rules
            .map(|rule| format!("`{}`: {}", visible::line(&rule.pattern), rule.action.word()))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

/// A check of a plan whose command the rules don't simply allow.
pub(super) struct Ruled<'a> {
    pub(super) feature: &'a Feature,
    pub(super) check: &'a Check,
    pub(super) ruling: Ruling,
}

impl Ruled<'_> {
    /// The check, its command, and the rule, in one line.
    fn line(&self) -> String {
        let Self { feature, check, ruling } = self;
        format!("{}/{}: {} ({})", feature.id, check.id, unbroken(&spelled(&check.command)), ruling.why)
    }
}

impl Session {
    /// The checks of a plan for which the rules require this action.
    fn ruled<'a>(&self, plan: &'a Plan, action: ShellAction) -> Vec<Ruled<'a>> {
        let Some(rules) = &self.shell_rules else { return Vec::new() };
        let checks = plan
            .features
            .iter()
            .flat_map(|feature| feature.verification.iter().map(move |check| (feature, check)));
        let found = checks.filter_map(|(feature, check)| {
            let ruling = rules.ruling(&check.command)?;
            (ruling.action == action).then_some(Ruled { feature, check, ruling })
        });
        found.collect()
    }

    /// A problem for each command of a draft that the rules deny. Completed features stay as they are.
    pub(super) fn denied_in(&self, plan: &Plan) -> Vec<Problem> {
        let wording = self.shell_rules.as_ref().map(ShellRules::wording).unwrap_or_default();
        let denied = self.ruled(plan, ShellAction::Deny);
        let denied =
            denied.into_iter().filter(|one| self.state_of(&one.feature.id) != FeatureState::Completed);
        let place = |one: &Ruled<'_>| {
            let feature =
                plan.features.iter().position(|feature| feature.id == one.feature.id).unwrap_or_default();
            let check = one
                .feature
                .verification
                .iter()
                .position(|check| check.id == one.check.id)
                .unwrap_or_default();
            format!("/features/{feature}/verification/{check}/command")
        };
        denied
            .map(|one| {
                Problem::new(FlowCode::PlanCommandDenied, format!("{DENIED}: {}.", one.ruling.why))
                    .at(place(&one))
                    .found(spelled(&one.check.command))
                    .allowed(format!(
                        "a command that the user's permission rules don't deny (the last matching rule \
                         counts): {wording}"
                    ))
            })
            .collect()
    }

    /// Why there is no plan, if its planner insisted on a command that the rules deny; `None` for any other reason.
    pub(super) fn no_plan_without_it(reason: &Reason) -> Option<Recovery> {
        let message = format!("No plan was written: {reason}.");
        reason.wording().contains(DENIED).then(|| {
            Recovery::new(FlowCode::PlanCommandDenied, RecoveryStage::Plan, message)
                .takes("a plan whose commands your permission rules don't deny")
                .next(
                    "Asks the planner again. If your project needs that command, first allow it with \
                     permission.bash in opencode.json and restart OpenCode.",
                    "/flow-resume",
                )
        })
    }

    /// The commands of the plan that need the user's permission to run.
    pub(super) fn asked(&self) -> Vec<Ruled<'_>> {
        self.plan.as_ref().map_or_else(Vec::new, |plan| self.ruled(plan, ShellAction::Ask))
    }

    /// The commands that an approval permits now.
    pub(super) fn leave(&self) -> Vec<Vec<String>> {
        let mut leave: Vec<Vec<String>> =
            self.asked().into_iter().map(|one| one.check.command.clone()).collect();
        sort(&mut leave);
        leave.dedup();
        leave
    }

    /// Applies these rules from now on. An approval no longer counts if they ask about commands that it didn't permit.
    pub(super) fn take_rules(&mut self, rules: ShellRules) {
        self.shell_rules = Some(rules);
        let Some(approval) = &self.approval else { return };
        if self.leave().iter().any(|argv| !approval.leave.contains(argv)) {
            self.approval = None;
            self.log(
                "Your permission rules now require approval for commands of the plan, so its approval no \
                 longer counts.",
            );
        }
    }

    /// Why a plan with commands that the rules deny can't be approved or built; `None` when it has none.
    pub(super) fn denied(&self) -> Option<Recovery> {
        let denied = self.ruled(self.plan.as_ref()?, ShellAction::Deny);
        let message =
            format!("Your permission rules deny a command of the plan: {}.", denied.first()?.line());
        Some(
            Recovery::new(FlowCode::PlanCommandDenied, RecoveryStage::Plan, message)
                .takes("a plan whose commands your permission rules don't deny")
                .next(
                    "Draft the plan again without that command. Or allow it with permission.bash in \
                     opencode.json and restart OpenCode.",
                    "/flow-plan revise Use no check whose command my permission rules deny.",
                ),
        )
    }

    /// Why the plan can't continue without a person; `None` when it can.
    pub(super) fn wants_leave(&self) -> Option<Recovery> {
        if self.plan.is_none() || self.approval.is_some() {
            return None;
        }
        // Several checks may run the same command.
        let commands = match self.leave().len() {
            0 => return None,
            1 => "one".to_owned(),
            asked => asked.to_string(),
        };
        let message = format!(
            "This plan isn't approved. Your permission rules require approval for {commands} of its commands."
        );
        Some(
            Recovery::new(FlowCode::ApprovalAsked, RecoveryStage::Approval, message)
                .takes("your approval of the plan, or permission rules that allow its commands")
                .next(
                    "Type /flow-status in OpenCode's TUI to read the plan, then approve it with this \
                     command. The approval also lets these commands run. After that, /flow-auto builds all \
                     features.",
                    format!("/flow-plan approve {}", short(&self.hash)),
                ),
        )
    }

    /// Why the current build can't continue under the rules that apply now; `None` when it can.
    pub(super) fn held_up(&self) -> Option<Recovery> {
        if self.build.is_none() && !self.is_racing() {
            return None;
        }
        let asked = self.asked();
        let message = match (self.denied(), asked.first()) {
            (Some(denied), _) => denied.message,
            (None, Some(one)) if self.approval.is_none() => {
                format!(
                    "Your permission rules now require approval for a command that you haven't approved: {}.",
                    one.line()
                )
            }
            _ => return None,
        };
        Some(
            Recovery::new(FlowCode::PlanCommandDenied, RecoveryStage::Run, message)
                .takes("permission rules that allow the commands of the plan")
                .next(
                    "Allow the command with permission.bash in opencode.json, restart OpenCode, and \
                     continue.",
                    "/flow-resume",
                ),
        )
    }

    /// Lists what an approval permits, for people who read the plan.
    pub(super) fn account_of_leave(&self, out: &mut String) {
        let asked = self.asked();
        if asked.is_empty() {
            return;
        }
        out.push_str(
            "\nYour permission rules require your approval for these commands. If you approve the plan, you approve \
             exactly these:\n",
        );
        for one in asked {
            let _ = writeln!(out, "  {}", one.line());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opencode::HostRule;

    /// The worker's rules after the rules that OpenCode gives every agent.
    fn rules(own: &[(&str, &str, &str)]) -> ShellRules {
        let usual = [("*", "*", "allow"), ("doom_loop", "*", "ask"), ("external_directory", "*", "ask")];
        let rule = |&(permission, pattern, action): &(&str, &str, &str)| HostRule {
            permission: permission.to_owned(),
            pattern: pattern.to_owned(),
            action: action.to_owned(),
        };
        let rules = usual.iter().chain(own).map(rule).collect();
        ShellRules::of_worker(Some(&[HostAgent { name: WORKER.to_owned(), rules }])).unwrap()
    }

    /// Rules, a command, and the expected ruling.
    type Row = (&'static [(&'static str, &'static str, &'static str)], Vec<&'static str>, ShellAction);

    #[test]
    fn a_command_goes_through_the_rules_as_a_workers_call_would() {
        use ShellAction::{Allow, Ask, Deny};
        let sh = |text: &'static str| vec!["sh", "-c", text];
        let table: Vec<Row> = vec![
            // The user has no rules.
            (&[], vec!["npm", "test"], Allow),
            (&[], sh("rm -f x; $CMD"), Allow),
            // One rule for all commands.
            (&[("bash", "*", "deny")], vec!["npm", "test"], Deny),
            (&[("bash", "*", "ask")], vec!["npm", "test"], Ask),
            (&[("*", "*", "ask")], vec!["npm", "test"], Ask),
            (&[("*", "*", "deny"), ("bash", "*", "allow")], vec!["npm", "test"], Allow),
            (&[("ba*", "*", "deny")], vec!["npm", "test"], Deny),
            (&[("edit", "*", "deny")], vec!["npm", "test"], Allow),
            // The last matching rule decides.
            (&[("bash", "*", "ask"), ("bash", "npm *", "allow")], vec!["npm", "test"], Allow),
            (&[("bash", "npm *", "allow"), ("bash", "*", "ask")], vec!["npm", "test"], Ask),
            (&[("bash", "*", "deny"), ("bash", "npm *", "allow")], vec!["pnpm", "test"], Deny),
            (&[("bash", "npm *", "deny"), ("bash", "npm test", "allow")], vec!["npm", "test"], Allow),
            (&[("bash", "npm *", "deny"), ("bash", "npm test", "allow")], vec!["npm", "test", "x"], Deny),
            (&[("bash", "rm *", "deny")], vec!["rm", "-f", "/home/me/x"], Deny),
            (&[("bash", "rm *", "deny")], vec!["rm"], Deny),
            (&[("bash", "rm *", "deny")], vec!["rmdir", "x"], Allow),
            (&[("bash", "rm -? *", "ask")], vec!["rm", "-f", "x"], Ask),
            // As in OpenCode, a program with a path is a different program.
            (&[("bash", "rm *", "deny")], vec!["/bin/rm", "x"], Allow),
            // Commands in shell text.
            (&[("bash", "rm *", "deny")], sh("npm test && rm -f x"), Deny),
            (&[("bash", "rm *", "deny")], sh("npm test"), Allow),
            (&[("bash", "echo *", "ask")], sh("echo x > ~/y"), Ask),
            (&[("bash", "* > *", "deny")], sh("echo x > ~/y"), Deny),
            (&[("bash", "sh *", "deny")], sh("npm test"), Deny),
            (&[("bash", "*", "ask"), ("bash", "sh *", "allow")], sh("rm x"), Ask),
            (
                &[("bash", "*", "ask"), ("bash", "sh *", "allow"), ("bash", "npm *", "allow")],
                sh("cd a && npm test"),
                Allow,
            ),
            (&[("bash", "rm *", "deny"), ("bash", "npm *", "ask")], sh("npm test; rm x"), Deny),
            (&[("bash", "rm *", "deny")], sh("echo \"$(rm x)\""), Deny),
            (&[("bash", "rm *", "deny")], sh("'r'm x"), Deny),
            (&[("bash", "rm *", "deny")], sh("bash -c 'eval \"rm x\"'"), Deny),
            (&[("bash", "rm *", "deny")], vec!["env", "A=1", "timeout", "5", "rm", "x"], Deny),
            // When in doubt, the user is asked, unless everything is allowed.
            (&[("bash", "rm *", "deny")], sh("$CMD x"), Ask),
            (&[("bash", "rm *", "deny"), ("bash", "*", "allow")], sh("$CMD x"), Allow),
            // An unknown action.
            (&[("bash", "*", "maybe")], vec!["npm", "test"], Deny),
        ];
        for (own, argv, expected) in table {
            let words: Vec<String> = argv.iter().map(|&word| word.to_owned()).collect();
            let action = rules(own).ruling(&words).map_or(Allow, |ruling| ruling.action);
            assert_eq!(action, expected, "{own:?} {argv:?}");
        }
    }

    #[test]
    fn the_rule_and_the_part_are_named() {
        let why = |own: &[(&str, &str, &str)], text: &str| {
            rules(own).ruling(&["sh", "-c", text].map(str::to_owned)).unwrap().why
        };
        assert_eq!(
            why(&[("bash", "rm *", "deny")], "ls; rm -f x"),
            "your rule `rm *` (deny) matches `rm -f x`"
        );
        let none = ShellRules(Vec::new()).ruling(&["ls".to_owned()]).unwrap();
        assert_eq!((none.action, none.why.as_str()), (ShellAction::Ask, "no rule allows `ls`"));
        assert!(why(&[("bash", "rm *", "deny")], "$X").starts_with("Flow can't tell"));
    }

    #[test]
    fn only_what_can_decide_is_kept_and_a_host_that_says_nothing_is_refused() {
        let kept = rules(&[("bash", "a", "deny"), ("bash", "*", "ask"), ("bash", "b", "allow")]);
        assert_eq!(
            serde_json::to_value(&kept).unwrap(),
            serde_json::json!([{"pattern": "*", "action": "ask"}, {"pattern": "b", "action": "allow"}])
        );
        assert_eq!(kept.wording(), "`*`: ask, `b`: allow");
        for agents in [None, Some(&[][..])] {
            assert_eq!(ShellRules::of_worker(agents).unwrap_err().error_code, FlowCode::RulesUnknown);
        }
        assert!(rules(&[("bash", "*", "deny")]).deny_all().is_some());
        assert!(rules(&[("bash", "*", "deny"), ("bash", "x", "ask")]).deny_all().is_none());
        assert!(rules(&[("bash", "x", "deny")]).deny_all().is_none());
    }
}
