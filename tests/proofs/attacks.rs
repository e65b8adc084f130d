//! Attacks: small edits with which the development would say less than it seems to. Each must turn the
//! audit red, for the reason that the table gives, on a copy of which only what changes is built again.

use super::copy::Copy;
use super::edits::{ATTACKS, Attack, Edit, FORBIDDEN, HARMLESS};
use posproof::proof::audit::{Audit, audit, static_findings};
use posproof::proof::{RULES, read as read_at};
use posproof_coq_audit::axioms::{self, Seals};
use posproof_coq_audit::build::Status;
use posproof_coq_audit::coq::Coq;
use posproof_coq_audit::violation::{Violation, ViolationKind};
use posproof_coq_audit::{Development, pins, source};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Mutex, OnceLock};

/// The copy that all attacks start from: the development with the target, whose pins are accepted.
fn prepared() -> &'static Copy {
    static PREPARED: OnceLock<Copy> = OnceLock::new();
    PREPARED.get_or_init(|| {
        let copy = Copy::new();
        let targets = [("Target", include_str!("Target.v")), ("Instance", include_str!("Instance.v"))];
        for (module, text) in targets {
            fs::write(copy.proofs().join(module).with_extension("v"), text).expect("a source");
        }
        let found = look(&copy, None);
        let printed = found.printed.expect("Coq has answered for every file");
        let folder = copy.proofs().join(pins::DIRECTORY);
        for (module, _) in targets {
            fs::write(folder.join(module).with_extension("pin"), &printed.to_texts()[module]).expect("a pin file");
        }
        seal(&copy);
        let unchanged = look(&copy, None);
        assert!(unchanged.findings.is_empty(), "{:#?}", unchanged.findings);
        copy
    })
}

/// Seals the axioms that are pinned, as one who accepts pins does, and as one who forges them would.
fn seal(copy: &Copy) {
    let seals = Seals::of(&read(copy)).to_text();
    fs::write(copy.proofs().join(pins::DIRECTORY).join(axioms::FILE), seals).expect("the seals");
}

fn read(copy: &Copy) -> Development {
    read_at(&copy.proofs()).expect("the sources are readable")
}

fn look(copy: &Copy, theorems: Option<&[&str]>) -> Audit {
    audit_of(copy, &read(copy), theorems)
}

fn audit_of(copy: &Copy, development: &Development, theorems: Option<&[&str]>) -> Audit {
    let coq = Coq::find(&RULES).expect("Coq is installed");
    let theorems: Option<BTreeSet<String>> =
        theorems.map(|names| names.iter().map(|name| (*name).to_owned()).collect());
    audit(&coq, development, theorems.as_ref(), &copy.path("build"), 1, &|_| ()).expect("the tools run")
}

fn apply(copy: &Copy, edits: &[Edit]) {
    for (file, old, new) in edits {
        if old.is_empty() {
            fs::write(copy.proofs().join(file), new).expect("a source");
        } else {
            copy.replace(file, old, new);
        }
    }
}

fn lists(findings: &[Violation], code: ViolationKind, subject: &str) -> bool {
    findings.iter().any(|finding| finding.code == code && finding.subject == subject)
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn every_attack_turns_the_audit_red() {
    for attacks in ATTACKS {
        let subjects: BTreeSet<&str> = attacks.iter().map(|attack| attack.found.1).collect();
        assert_eq!(subjects.len(), attacks.len(), "attacks that are made together have subjects of their own");
    }
    let prepared = prepared();
    let next = Mutex::new(ATTACKS.iter());
    let survivors = Mutex::new(Vec::new());
    let worker = || {
        while let Some(attacks) = { next.lock().expect("no panic").next() } {
            let copy = prepared.again();
            attacks.iter().for_each(|attack| apply(&copy, attack.edits));
            let audited: Vec<&str> = attacks.iter().flat_map(|attack| attack.theorems).copied().collect();
            let Audit { findings, theorems, .. } = look(&copy, Some(&audited));
            for Attack { name, theorems: attacked, found: (code, subject), .. } in *attacks {
                let proved = theorems.iter().any(|t| t.proved && attacked.contains(&t.theorem.as_str()));
                if !lists(&findings, *code, subject) || proved {
                    survivors.lock().expect("no panic").push(format!("{name}: {findings:#?}"));
                }
            }
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(worker))));
    let survivors = survivors.into_inner().expect("no panic");
    assert!(survivors.is_empty(), "{}", survivors.join("\n"));
}

#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn what_changes_no_meaning_changes_no_pin() {
    let copy = prepared().again();
    apply(&copy, HARMLESS);
    let names: Vec<&str> = ["rounding_implicit", "rounding_symbols", "rounding_weight"].into();
    let found = look(&copy, Some(&names));
    assert!(found.findings.is_empty(), "{:#?}", found.findings);
    assert!(found.theorems.iter().all(|theorem| theorem.proved));
}

/// Assumptions that the text alone shows need no Coq.
#[test]
fn what_is_assumed_or_unchecked_is_seen_in_the_text() {
    let development = read_at(&super::proofs()).expect("the sources are readable");
    for (name, sentences, words) in FORBIDDEN {
        let mut spoilt = development.clone();
        let place = spoilt.sources.iter().position(|source| source.module == "Alternatives").expect("the file");
        let text = format!("{}\n{sentences}\n", spoilt.sources[place].text);
        spoilt.sources[place] = source::Source::new(&RULES, "Alternatives", &text);
        let findings = static_findings(&spoilt);
        let named = findings.iter().any(|finding| finding.message.starts_with(&format!("'{words}'")));
        assert!(named && lists(&findings, ViolationKind::Forbidden, "Alternatives.v"), "{name}: {findings:#?}");
    }
    for paths in ["-Q . Posproof -R /tmp Coq", "-Q . Posproof\n-arg -type-in-type", ""] {
        let spoilt = Development { project: Some(paths.to_owned()), ..development.clone() };
        assert!(lists(&static_findings(&spoilt), ViolationKind::Forbidden, "_CoqProject"), "{paths}");
    }
}

/// Assumptions and unchecked recursion are found by Coq too, although the text's findings are taken away.
#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn what_is_assumed_or_unchecked_is_seen_by_coq_too() {
    let copy = prepared().again();
    apply(
        &copy,
        &[
            (
                "Target.v",
                "Theorem rounding_weight (n : nat) : weight n = weight n.\nProof. reflexivity. Qed.",
                "Module Type Assumed. Axiom assumed : False. End Assumed.\n\
                 Module Use (A : Assumed). Definition use := A.assumed. End Use.\n\
                 Declare Module Given : Assumed.\nModule Used := Use Given.\n\
                 Theorem rounding_weight (n : nat) : weight n = weight n.\nProof. destruct Used.use. Qed.",
            ),
            (
                "Target.v",
                "Theorem rounding_picked : picked = picked.\nProof. reflexivity. Qed.",
                "#[bypass_check(guard)] Fixpoint loop (n : nat) : False := loop n.\n\
                 Theorem rounding_picked : picked = picked.\nProof. destruct (loop 0). Qed.",
            ),
        ],
    );
    let mut development = read(&copy);
    development.sources.iter_mut().for_each(|source| source.forbidden.clear());
    let Audit { findings, .. } = audit_of(&copy, &development, Some(&["rounding_weight", "rounding_picked"]));
    for theorem in ["rounding_weight", "rounding_picked"] {
        assert!(lists(&findings, ViolationKind::ForbiddenAxiom, theorem), "{theorem}: {findings:#?}");
    }
    assert!(lists(&findings, ViolationKind::Recheck, "Target.v"), "{findings:#?}");
}

/// An axiom more is found among theorems that are asked about together, one too many in a pin that is not sealed.
#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn a_pinned_axiom_too_few_or_too_many_is_found() {
    let classic = "  Classical_Prop.classic\n";
    let lemma = "Lemma middle (p : Prop) : p \\/ ~ p.\nProof. apply Classical_Prop.classic. Qed.";
    let theorem = "Theorem rounding_tree : size (Leaf 5) = size (Leaf 5).\nProof.";
    let copy = prepared().again();
    let proof = format!("From Coq Require Classical_Prop.\n{lemma}\n{theorem} destruct (middle True).");
    copy.replace("Target.v", theorem, &format!("{proof} reflexivity."));
    seal(&copy);
    let found = look(&copy, Some(&["rounding_tree", "rounding_proof"]));
    assert!(lists(&found.findings, ViolationKind::Axioms, "rounding_tree"), "{:#?}", found.findings);
    assert!(!lists(&found.findings, ViolationKind::Axioms, "rounding_proof"), "{:#?}", found.findings);

    let copy = prepared().again();
    let pin = fs::read_to_string(copy.proofs().join("audit/Target.pin")).expect("a pin file");
    let entry = pin.split("theorem rounding_tree").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("the pin");
    copy.replace("audit/Target.pin", entry, &format!("{}\n{classic}", entry.trim_end()));
    fs::remove_file(copy.path("build").join("Target.answers.json")).expect("answers");
    let found = look(&copy, Some(&["rounding_tree"]));
    assert!(lists(&found.findings, ViolationKind::Axioms, "rounding_tree"), "{:#?}", found.findings);
}

/// So that the whole audit asks about theorems together.
#[test]
fn the_axioms_pinned_are_sealed_for_these_sources() {
    let development = read_at(&super::proofs()).expect("the sources are readable");
    assert_eq!(Seals::of(&development), development.seals, "posproof prove --accept writes proofs/audit/SOURCES");
}

/// A compiled file is taken for what it was compiled from, nothing else.
#[test]
#[ignore = "the proofs were not run: this needs Coq; sh scripts/test installs it and runs them, or: posproof prove"]
fn a_compiled_file_of_other_sources_is_compiled_again() {
    let (copy, other) = (prepared().again(), prepared().again());
    apply(&other, &[("Target.v", "Lemma small : (0 < 1)%nat.", "Lemma small : (0 < 0 + 1)%nat.")]);
    look(&other, Some(&["rounding_proof"]));
    fs::copy(other.path("build").join("Target.vo"), copy.path("build").join("Target.vo")).expect("a copy");
    let found = look(&copy, Some(&["rounding_proof"]));
    assert!(found.findings.is_empty(), "{:#?}", found.findings);
    let of: BTreeMap<_, _> = found.files.into_iter().collect();
    assert_eq!((of["Target"], of["RoundingFormat"]), (Status::Checked, Status::Unchanged));
}
