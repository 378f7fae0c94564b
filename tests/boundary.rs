//! The calls of JavaScript into the core, made natively.

use lab_core::boundary::Core;
use serde_json::{Value, json};

/// Makes a call; each argument crosses as JSON.
fn call(core: &Core, name: &str, arguments: &[Value]) -> Value {
    let texts: Vec<String> = arguments.iter().map(Value::to_string).collect();
    let mut crossing = [""; 5];
    for (slot, text) in crossing.iter_mut().zip(&texts) {
        *slot = text;
    }
    serde_json::from_str(&core.call(name, &crossing)).expect("an answer is JSON")
}

#[test]
fn a_call_that_the_core_does_not_have_is_a_problem() {
    let answer = call(&Core::default(), "flow.nothing", &[]);
    assert_eq!(answer["problems"][0]["code"], "internal.protocol");
    assert!(
        answer["problems"][0]["message"].as_str().is_some_and(|message| message.contains("`flow.nothing`"))
    );
}

#[test]
fn a_handle_belongs_to_one_kind_of_value_and_is_never_used_again() {
    let core = Core::default();
    let open = |list: &str| call(&core, &format!("{list}.open_run"), &[])["ok"].clone();
    let (session, run) = (open("flow"), open("validation"));
    assert_eq!(call(&core, "flow.summary", std::slice::from_ref(&session)), json!({ "ok": null }));
    for (name, handle) in
        [("flow.summary", &run), ("validation.summary", &session), ("design_lab.summary", &run)]
    {
        let answer = call(&core, name, std::slice::from_ref(handle));
        assert_eq!(answer["problems"][0]["code"], "internal.lost-run", "{name}");
    }
    assert_eq!(call(&core, "flow.close_run", std::slice::from_ref(&session)), json!({ "ok": null }));
    assert_eq!(
        call(&core, "flow.summary", std::slice::from_ref(&session))["problems"][0]["code"],
        "internal.lost-run"
    );
    assert_ne!(open("flow"), session);
}

#[test]
fn a_session_is_lost_with_its_own_remedy() {
    let core = Core::default();
    for (list, command) in
        [("design_lab", "/design-lab-resume"), ("flow", "/flow-resume"), ("validation", "/validate-resume")]
    {
        let answer = call(&core, &format!("{list}.summary"), &[json!(7)]);
        let next = answer["problems"][0]["next"].as_str().unwrap_or_default();
        assert!(next.contains(command), "{answer}");
    }
}
