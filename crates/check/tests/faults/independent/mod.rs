//! Random programs whose reports are held against the raw arrays by code that shares nothing with the diagnosis: it reads the
//! JSON of a report, as users do, and makes the arrays that its findings describe, in plain binary64.

mod axial;
mod axial_reading;
mod files;
mod honest;
mod model;
mod programs;
mod reading;

use axial::AxialCase;
use posproof_check::Finding;
use programs::{Case, Random};
use reading::Claim;
use std::collections::BTreeMap;

/// Counts of random programs, and the reports that are wrong.
#[derive(Default)]
struct Tally {
    honest: usize,
    /// Programs of one fault and of two, those of them that were named first, and the reports that were held against arrays.
    faulty: [usize; 2],
    named: [usize; 2],
    read: usize,
    accused: Vec<String>,
    missed: Vec<String>,
    untrue: Vec<String>,
    instead: BTreeMap<String, usize>,
}

/// A program, as it was judged: its name, its faults, the codes that say them, whether entries are far from the right ones.
struct Program<'a> {
    label: String,
    name: String,
    faults: usize,
    codes: Vec<&'static str>,
    departs: &'a dyn Fn() -> bool,
    contradicts: &'a dyn Fn(&[Claim]) -> Result<bool, String>,
}

impl Tally {
    fn add(&mut self, program: &Program<'_>, conforms: bool, findings: &[Finding], report: &dyn std::fmt::Display) {
        let label = &program.label;
        if program.faults == 0 {
            self.honest += 1;
            if !conforms {
                self.accused.push(format!("{label}\n{report}"));
            }
            return;
        }
        if conforms {
            if (program.departs)() {
                self.missed.push(format!("{label}\n{report}"));
            }
            return;
        }
        let several = usize::from(program.faults > 1);
        self.faulty[several] += 1;
        let json = serde_json::to_value(findings).expect("JSON");
        let claims: Vec<Claim> = json.as_array().into_iter().flatten().map(Claim::new).collect();
        if claims.first().is_some_and(|claim| program.codes.contains(&claim.code.as_str())) {
            self.named[several] += 1;
        } else {
            let found = claims.first().map_or("nothing", |claim| claim.code.as_str());
            *self.instead.entry(format!("{} → {found}", program.name)).or_default() += 1;
        }
        match (program.contradicts)(&claims) {
            Ok(read) => self.read += usize::from(read),
            Err(why) => self.untrue.push(format!("{label}: {why}\n{report}")),
        }
    }

    fn shown(&self) -> String {
        let ([one, two], [of_one, of_two]) = (self.named, self.faulty);
        format!(
            "{} honest programs, {} accused; {} faulty ones, {} missed, {} untrue, {} read against arrays; {one} of {of_one} single faults are named first, {two} of {of_two} pairs",
            self.honest,
            self.accused.len(),
            of_one + of_two,
            self.missed.len(),
            self.untrue.len(),
            self.read,
        )
    }

    /// Demands what has to hold of all.
    fn settle(&self) {
        println!("{}: {:#?}", self.shown(), self.instead);
        for (what, all) in [("accused", &self.accused), ("missed", &self.missed), ("untrue", &self.untrue)] {
            assert!(all.is_empty(), "{} {what}\n{}\n{}", all.len(), all[..all.len().min(8)].join("\n"), self.shown());
        }
        // Of one fault; two at once may be more than is asked for, and then nothing is said of them but what is true.
        let (one, of_one) = (self.named[0], self.faulty[0]);
        assert!(100 * one >= 97 * of_one, "{one} of {of_one} are named first: {:#?}", self.instead);
    }
}

/// Judges so many random programs of one axis, and a third as many of several, from those of a number on.
fn campaign(seed: u64, numbers: std::ops::Range<usize>) -> Tally {
    let mut tally = Tally::default();
    for number in numbers {
        // Each by itself, so that a part of them can be run.
        let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(number as u64));
        let label = |name: String| format!("program {number} of seed {seed}: {name}");
        if number % 4 == 3 {
            let case = AxialCase::random(&mut random);
            let report = case.judge();
            let program = Program {
                label: label(case.name()),
                name: case.name(),
                faults: case.faults().len(),
                codes: case.codes(),
                departs: &|| case.departs(),
                contradicts: &|claims| case.contradicts(claims),
            };
            tally.add(&program, report.conforms, &report.findings, &report);
            continue;
        }
        let case = Case::random(&mut random);
        let report = case.judge();
        let contradicts = |claims: &[Claim]| case.contradicts(claims).map_or(Ok(true), Err);
        let program = Program {
            label: label(case.name()),
            name: case.name(),
            faults: case.faults().len(),
            codes: case.codes(),
            departs: &|| case.departs(),
            contradicts: &contradicts,
        };
        tally.add(&program, report.conforms, &report.findings, &report);
    }
    tally
}

#[test]
fn sentences_of_some_hundred_programs_are_true() {
    campaign(1, 0..220).settle();
}

/// A number from the environment.
fn stated(name: &str, usual: usize) -> usize {
    std::env::var(name).map_or(usual, |number| number.parse().expect("a number"))
}

#[test]
#[ignore = "half an hour: cargo test --release -p posproof-check --all-features --test faults -- --ignored all_sentences; POSPROOF_PROGRAMS and POSPROOF_FROM state a part"]
fn all_sentences_of_twenty_thousand_programs_are_true() {
    let from = stated("POSPROOF_FROM", 0);
    campaign(2, from..from + stated("POSPROOF_PROGRAMS", 20_000)).settle();
}
