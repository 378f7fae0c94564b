//! Vendors that would get a project's files for the first time: the user is informed before the first call, and asked once for each
//! project.
//!
//! What counts is the provider, because the files go there regardless of who made the model. The provider of the user's session is
//! not a new vendor, since it gets the files already. Nor is a provider on this machine.

use super::choose::AvailableModels;
use super::code::ConfigCode;
use super::raw::RawConfig;
use super::{Layer, Source};
use design_lab_numerics::sorting::sort;
use kernel::json::Deserialize;
use kernel::problem::Problem;
use kernel::visible;
use serde::Serialize;

/// The command with which the user allows vendors to get a project's files.
pub(crate) const ALLOW: &str = "/design-lab-vendors allow";

/// Models of vendors that are new to a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NewVendors {
    /// Which models would have which role: `reviewers will be a/b and c/d`.
    pub who: String,
    /// Their providers, by id, each once.
    pub providers: Vec<String>,
}

impl NewVendors {
    /// Returns the models of these roles whose providers the user has not allowed to get the project's files; `None` when there are
    /// none, or the user doesn't want to be asked. A role is one word: `reviewer`.
    pub(crate) fn among(roles: &[(&str, Vec<&String>)], available: &AvailableModels) -> Option<Self> {
        let agreed = available.agreed.as_ref()?;
        let session = available.current.as_deref().map(provider_of);
        let is_here =
            |id: &str| available.models.iter().any(|model| model.id() == id && model.is_on_loopback());
        let is_new = |id: &str| {
            let provider = provider_of(id);
            Some(provider) != session && !agreed.iter().any(|known| known == provider) && !is_here(id)
        };
        let mut groups: Vec<(Vec<String>, Vec<&str>)> = Vec::new();
        let mut providers: Vec<String> = Vec::new();
        for (role, models) in roles {
            let mut new: Vec<&str> = Vec::new();
            for id in models.iter().map(|id| id.as_str()).filter(|id| is_new(id)) {
                if !new.contains(&id) {
                    new.push(id);
                }
                if !providers.iter().any(|known| known == provider_of(id)) {
                    providers.push(provider_of(id).to_owned());
                }
            }
            let role = if new.len() == 1 { format!("the {role}") } else { format!("{role}s") };
            match groups.iter_mut().find(|(_, models)| *models == new) {
                _ if new.is_empty() => {}
                Some((roles, _)) => roles.push(role),
                None => groups.push((vec![role], new)),
            }
        }
        let who: Vec<String> =
            groups.iter().map(|(roles, models)| format!("{} will be {}", and(roles), and(models))).collect();
        (!who.is_empty()).then(|| Self { who: visible::line(&and(&who)), providers })
    }

    /// Returns the message for the user, as a sentence.
    pub fn sentence(&self) -> String {
        let mut letters = self.who.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        let rest = format!(": your project's files will be sent to {}.", self.recipients());
        first.into_iter().chain(letters).chain(rest.chars()).collect()
    }

    /// Returns the message for use after a colon.
    pub(crate) fn clause(&self) -> String {
        format!("{}, and your project's files will be sent to {}", self.who, self.recipients())
    }

    fn recipients(&self) -> &'static str {
        if self.providers.len() == 1 { "this vendor" } else { "these vendors" }
    }

    /// Returns the command that allows them.
    pub(crate) fn command(&self) -> String {
        format!("{ALLOW} {}", self.providers.join(" "))
    }

    /// Explains why no model is called, and what to do. `again` is what the user types afterwards.
    pub(crate) fn problem(&self, again: &str) -> Problem {
        Problem::new(ConfigCode::VendorsNew, NEW)
            .found(self.sentence())
            .allowed(
                "your session's vendor, servers on this machine, and vendors that you allow for this \
                      project",
            )
            .next(format!("Type {} to allow {}, and then type {again}.", self.command(), self.recipients()))
    }
}

/// The message about vendors that the user hasn't allowed.
pub(crate) const NEW: &str = "No model was called: your project's files would go to a new vendor.";

/// Whether the user wants to be asked before a project's files go to a new vendor. Only the user's own configuration counts, because
/// a project's configuration, or the host's settings for it, may have come with a clone.
pub fn confirms_vendors(sources: &[Source]) -> bool {
    let own: Vec<Source> = sources.iter().filter(|source| source.origin == Layer::Global).cloned().collect();
    RawConfig::of(&own).map_or(true, |raw| raw.confirm_vendors)
}

/// Whether models that can't call tools get a digest of the project.
pub fn briefs(sources: &[Source]) -> bool {
    RawConfig::of(sources).is_ok_and(|raw| raw.brief)
}

/// The input of `/design-lab-vendors`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VendorsInput {
    /// The arguments: nothing, or `allow` or `forget` and providers.
    pub text: String,
    /// The providers that the user has allowed for this project.
    pub agreed: Vec<String>,
    /// The connected providers.
    pub connected: Vec<String>,
}

/// The result of the command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VendorsOutput {
    /// The providers that are allowed from now on.
    pub agreed: Vec<String>,
    /// The message for the user.
    pub wording: String,
}

/// Returns which vendors may get a project's files after the user has allowed some, or withdrawn that.
pub fn vendors(input: &VendorsInput) -> Result<VendorsOutput, Problem> {
    let mut words = input.text.split([' ', ',', '\n', '\t']).filter(|word| !word.is_empty());
    let mut agreed = input.agreed.clone();
    let action = words.next();
    // The user may also name a model to mean its provider.
    let named: Vec<String> = words.map(|word| provider_of(word).to_owned()).collect();
    match (action, &named[..]) {
        (None, []) => {}
        (Some("allow"), [_, ..]) => {
            if let Some(unknown) = named.iter().find(|name| !input.connected.contains(name)) {
                return Err(bad(format!("No provider `{unknown}` is connected."))
                    .found(unknown.as_str())
                    .allowed(input.connected.join(", ")));
            }
            agreed.extend(named);
            sort(&mut agreed);
            agreed.dedup();
        }
        (Some("forget"), [_, ..]) => agreed.retain(|known| !named.contains(known)),
        _ => return Err(bad("Name an action and providers.".to_owned()).found(input.text.trim())),
    }
    let wording = match &agreed[..] {
        [] => "Design Lab · vendors\n\nOnly your session's vendor and servers on this machine get this \
               project's files."
            .to_owned(),
        some => format!(
            "Design Lab · vendors\n\nBesides your session's vendor, these may get this project's files: {}.",
            some.join(", ")
        ),
    };
    Ok(VendorsOutput {
        agreed,
        wording: wording
            + "\n\nNext      /design-lab-vendors allow PROVIDER allows a vendor; /design-lab-vendors forget \
               PROVIDER withdraws the permission.",
    })
}

fn bad(message: String) -> Problem {
    Problem::new(ConfigCode::VendorsArgument, message)
        .next("Type /design-lab-vendors, or add `allow` or `forget` and the names of providers.")
}

/// Returns the provider of `provider/model`.
fn provider_of(model: &str) -> &str {
    model.split_once('/').map_or(model, |(provider, _)| provider)
}

/// A list in words.
fn and<T: AsRef<str>>(items: &[T]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match &items[..] {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design_lab::config::AvailableModel;

    fn connected(agreed: Option<&[&str]>) -> AvailableModels {
        let model = |id: &str, host: &str| {
            let (provider, model) = id.split_once('/').unwrap();
            AvailableModel {
                provider: provider.to_owned(),
                model: model.to_owned(),
                host: host.to_owned(),
                ..AvailableModel::default()
            }
        };
        AvailableModels {
            models: vec![
                model("house/chat", "llm.house.example"),
                model("house/large", "llm.house.example"),
                model("mine/a", "127.0.0.1"),
                model("mine6/a", "[::1]"),
                model("named/a", "localhost"),
                model("anthropic/claude", ""),
                model("openai/gpt", "api.openai.com"),
            ],
            current: Some("house/chat".to_owned()),
            agreed: agreed.map(|agreed| agreed.iter().map(|&one| one.to_owned()).collect()),
        }
    }

    fn wording(roles: &[(&str, &[&str])], available: &AvailableModels) -> Option<(String, Vec<String>)> {
        let owned: Vec<(&str, Vec<String>)> =
            roles.iter().map(|(role, ids)| (*role, ids.iter().map(|&id| id.to_owned()).collect())).collect();
        let roles: Vec<(&str, Vec<&String>)> =
            owned.iter().map(|(role, ids)| (*role, ids.iter().collect())).collect();
        NewVendors::among(&roles, available).map(|new| (new.sentence(), new.providers))
    }

    #[test]
    fn new_vendors_are_reported_in_one_sentence_and_known_ones_are_not() {
        let all: &[&str] = &["house/large", "mine/a", "mine6/a", "named/a", "anthropic/claude", "openai/gpt"];
        let (sentence, providers) = wording(&[("reviewer", all)], &connected(Some(&[]))).unwrap();
        assert_eq!(
            sentence,
            "Reviewers will be anthropic/claude and openai/gpt: your project's files will be sent to these \
             vendors."
        );
        assert_eq!(providers, ["anthropic", "openai"]);
        let both = [("designer", all), ("reviewer", all)];
        let (sentence, _) = wording(&both, &connected(Some(&["openai"]))).unwrap();
        assert_eq!(
            sentence,
            "The designer and the reviewer will be anthropic/claude: your project's files will be sent to \
             this vendor."
        );
        let apart: [(&str, &[&str]); 2] = [("planner", &["openai/gpt"]), ("reviewer", &["anthropic/claude"])];
        let (sentence, _) = wording(&apart, &connected(Some(&[]))).unwrap();
        assert_eq!(
            sentence,
            "The planner will be openai/gpt and the reviewer will be anthropic/claude: your project's files \
             will be sent to these vendors."
        );
        assert_eq!(wording(&both, &connected(Some(&["openai", "anthropic"]))), None);
        assert_eq!(wording(&both, &connected(None)), None, "the user doesn't want to be asked");
        let mut nobody = connected(Some(&[]));
        nobody.current = None;
        let (_, providers) = wording(&[("reviewer", &["house/chat"])], &nobody).unwrap();
        assert_eq!(providers, ["house"], "a session without a model adds nothing");
    }

    #[test]
    fn only_the_users_own_configuration_takes_the_question_away() {
        let source = |origin, value: &str| Source {
            origin,
            file: "design-lab.json".to_owned(),
            text: format!("{{ \"confirm_vendors\": {value} }}"),
        };
        for (sources, asks) in [
            (vec![], true),
            (vec![source(Layer::Global, "false")], false),
            (vec![source(Layer::Global, "true")], true),
            (vec![source(Layer::Project, "false")], true),
            (vec![source(Layer::Options, "false")], true),
            (vec![source(Layer::Global, "true"), source(Layer::Project, "false")], true),
            (vec![source(Layer::Global, "\"no\"")], true),
        ] {
            assert_eq!(confirms_vendors(&sources), asks, "{sources:?}");
        }
    }

    #[test]
    fn vendors_are_allowed_and_forgotten_by_name() {
        let after = |text: &str, agreed: &[&str]| {
            vendors(&VendorsInput {
                text: text.to_owned(),
                agreed: agreed.iter().map(|&one| one.to_owned()).collect(),
                connected: ["anthropic", "openai"].map(str::to_owned).to_vec(),
            })
            .map(|output| output.agreed)
            .map_err(|problem| problem.message)
        };
        assert_eq!(after("", &["openai"]).unwrap(), ["openai"]);
        assert_eq!(after("allow openai/gpt, anthropic", &["openai"]).unwrap(), ["anthropic", "openai"]);
        assert_eq!(after("forget openai", &["openai"]).unwrap(), [""; 0]);
        assert_eq!(after("allow nobody", &[]).unwrap_err(), "No provider `nobody` is connected.");
        for text in ["allow", "openai", "forget"] {
            assert_eq!(after(text, &[]).unwrap_err(), "Name an action and providers.");
        }
    }
}
