//! The two ledgers, told apart.

use super::{json, refused, run};
use posproof::claim::Ledger;
use std::path::Path;

#[test]
fn list_tells_the_ledgers_apart() {
    let mut listed = 0;
    for ledger in Ledger::ALL {
        let document = json(&["list", "--json", "--ledger", ledger.name()]);
        let claims = document["claims"].as_array().expect("claims");
        assert_eq!(claims.len(), posproof::claims::of(ledger).len());
        for claim in claims {
            assert_eq!(claim["ledger"], ledger.name(), "{claim}");
            assert!(claim["theorem"].is_string() || ledger == Ledger::Literature, "{claim}");
        }
        listed += claims.len();
    }
    assert_eq!(listed, json(&["list", "--json"])["claims"].as_array().expect("claims").len());
}

#[test]
fn verify_counts_each_ledger_of_which_there_are_claims() {
    let of = |ids: &[&str]| run(&[&["verify", "--effort", "quick"], ids].concat());
    let (status, out, err) = of(&["shift.addition-theorems", "alibi"]);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(
        out.contains("documents: 1 claim, 1 as expected") && out.contains("literature: 2 claims, 2 as expected"),
        "{out}"
    );
    let (_, out, _) = of(&["alibi"]);
    assert!(out.contains("\n2 claims, 2 as expected"), "{out}");
    let document = json(&["verify", "base.safe-from", "--effort", "quick", "--json"]);
    assert_eq!(document["claims"][0]["ledger"], "literature");
    let reason = "no formal proof of the whole; of a part: base_safe_from_tail";
    assert_eq!(document["claims"][0]["evidence"][0]["reason"], reason);
}

#[test]
fn a_claim_of_the_other_ledger_is_a_usage_error() {
    let here = Path::new(".");
    let message = refused(here, &["verify", "shift.linearity", "--ledger", "literature"]);
    assert!(message.contains("shift.linearity"), "{message}");
    assert!(refused(here, &["list", "--ledger", "literatur"]).contains("literature"));
}

#[test]
fn a_claim_of_the_literature_says_what_was_read_and_whether_it_is_proved() {
    let (status, out, _) = run(&["show", "base.integral-limit", "--effort", "quick"]);
    assert!(status == 0 && out.contains("In Coq: base_integral_limit (the claim, proofs/IntegralLimit.v)"), "{out}");
    let (status, out, _) = run(&["show", "base.safe-from", "--effort", "quick"]);
    assert!(status == 0 && out.contains("no formal proof of the whole; of a part: base_safe_from_tail"), "{out}");
    assert!(out.contains("In Coq: base_safe_from_tail (a part of the claim, proofs/LargeBases.v)"), "{out}");
    let (status, out, _) = run(&["show", "precision.base-wall", "--effort", "quick"]);
    assert!(status == 0 && !out.contains("no formal proof"), "{out}");
    for part in ["precision_base_wall", "read in its abstract", "https://arxiv.org/abs/2602.10959", "Feilong Liu"] {
        assert!(out.contains(part), "{part} is missing from:\n{out}");
    }
    let (status, out, _) = run(&["cite", "precision.base-wall"]);
    assert!(status == 0 && out.contains("@misc{phase-modulation,"), "{out}");
}
