//! Random programs whose reports are held against the raw arrays by code that shares nothing with the diagnosis: it reads the
//! JSON of a report, as users do, and makes the arrays that its findings describe, in plain binary64.

mod model;
mod programs;
mod reading;

use programs::{Case, Random};
use reading::Claim;
use std::collections::BTreeMap;

/// Judges so many random programs and settles what has to hold of all of them.
fn campaign(seed: u64, count: usize) {
    let mut random = Random::new(seed);
    let (mut named, mut faulty, mut untrue) = ([0usize; 2], [0usize; 2], Vec::new());
    let mut instead: BTreeMap<String, usize> = BTreeMap::new();
    for number in 0..count {
        let case = Case::random(&mut random);
        let report = case.judge();
        let label = format!("program {number} of seed {seed}: {}", case.name());
        if case.faults().is_empty() {
            assert!(report.conforms, "an honest program is accused: {label}\n{report}");
            continue;
        }
        assert!(!report.conforms || !case.departs(), "a fault is missed: {label}\n{report}");
        if report.conforms {
            continue;
        }
        let several = usize::from(case.faults().len() > 1);
        faulty[several] += 1;
        let json = serde_json::to_value(&report).expect("JSON");
        let claims: Vec<Claim> = json["findings"].as_array().into_iter().flatten().map(Claim::new).collect();
        if claims.first().is_some_and(|claim| case.codes().contains(&claim.code.as_str())) {
            named[several] += 1;
        } else {
            let found = claims.first().map_or("nothing", |claim| claim.code.as_str());
            *instead.entry(format!("{} → {found}", case.name())).or_default() += 1;
        }
        if let Some(why) = case.contradicts(&claims) {
            untrue.push(format!("{label}: {why}\n{report}"));
        }
    }
    let all = faulty[0] + faulty[1];
    assert!(
        untrue.is_empty(),
        "{} untrue reports of {all}\n{}",
        untrue.len(),
        untrue[..untrue.len().min(8)].join("\n")
    );
    // Of one fault; two at once may be more than is asked for, and then nothing is said of them but what is true.
    let (one, of_one) = (named[0], faulty[0]);
    assert!(100 * one >= 97 * of_one, "{one} of {of_one} are named first: {instead:#?}");
    println!("{one} of {of_one} single faults are named first, {} of {} pairs: {instead:#?}", named[1], faulty[1]);
    assert!(all * 2 > count, "{all} of {count} programs are faulty");
}

#[test]
fn sentences_of_some_hundred_programs_are_true() {
    campaign(1, 300);
}

#[test]
#[ignore = "minutes: cargo test --release -p posproof-check --test faults -- --ignored all_sentences; POSPROOF_PROGRAMS states another number"]
fn all_sentences_of_twenty_thousand_programs_are_true() {
    let stated = std::env::var("POSPROOF_PROGRAMS").map(|count| count.parse().expect("a number of programs"));
    campaign(2, stated.unwrap_or(20_000));
}
