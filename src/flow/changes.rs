//! What a new draft of a plan changed, for the user who requested it.

use super::plan::{Feature, Plan};

/// The changes, one line each; a single line that says so if there are none.
pub(super) fn changes(before: &Plan, now: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for feature in &now.features {
        match before.feature(&feature.id) {
            None => lines.push(format!("new: {}", feature.id)),
            Some(former) => {
                let parts = parts(former, feature);
                if !parts.is_empty() {
                    lines.push(format!("{}: {}", feature.id, parts.join(", ")));
                }
            }
        }
    }
    let gone = before.features.iter().filter(|former| now.feature(&former.id).is_none());
    lines.extend(gone.map(|former| format!("removed: {}", former.id)));
    let rest = [
        ("requirements", before.requirements != now.requirements),
        ("what the plan leaves out", before.left_out != now.left_out),
        ("risks", before.risks != now.risks),
    ];
    lines.extend(rest.into_iter().filter(|(_, differs)| *differs).map(|(what, _)| what.to_owned()));
    let order = |plan: &Plan| plan.features.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
    if lines.is_empty() {
        let same = if order(before) == order(now) { "nothing" } else { "the order of the features" };
        lines.push(same.to_owned());
    }
    lines
}

/// The differing parts of a feature.
fn parts(former: &Feature, now: &Feature) -> Vec<&'static str> {
    let parts = [
        ("title", former.title != now.title),
        ("summary", former.summary != now.summary),
        ("files", former.files != now.files),
        ("needed features", former.depends_on != now.depends_on),
        ("implemented requirements", former.implements != now.implements),
        ("whether it changes behaviour", former.keeps_behaviour != now.keeps_behaviour),
        ("checks", former.verification != now.verification),
        ("criteria", former.acceptance != now.acceptance),
    ];
    parts.into_iter().filter(|(_, differs)| *differs).map(|(what, _)| what).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::tests::plan;

    #[test]
    fn each_feature_says_what_became_of_it() {
        let before = plan();
        assert_eq!(changes(&before, &before), ["nothing"]);
        let mut now = before.clone();
        now.features[0].summary = "Smaller.".to_owned();
        now.features[0].acceptance.pop();
        now.features[1].id = "door".to_owned();
        assert_eq!(changes(&before, &now), ["limits: summary, criteria", "new: door", "removed: api"]);
        let mut turned = before.clone();
        turned.features.reverse();
        assert_eq!(changes(&before, &turned), ["the order of the features"]);
    }
}
