//! The harness itself: a system that answers "unable" at random and one that lies are handled and caught.

use nalgebra::DVector;
use num_complex::Complex;
use posproof::claim::{Claim, Form, SystemKind};
use posproof::claims::shift::linearity::Linearity;
use posproof::claims::toeplitz::dot_product::DotProduct;
use posproof::evidence::{Effort, Evidence, ExactStatus, FloatStatus, Instance, Plan};
use posproof::number::float::Float;
use posproof::number::format::Format;
use posproof::number::running::{Rounding, Running};
use posproof::number::system::{Decision, Measure, Side, Values};
use posproof::number::{Phase, Relation, System};
use rug::Rational;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

type Number = Running<Float>;

/// Faults of a system.
#[derive(Clone)]
enum Fault {
    /// None: the sound system.
    None,
    /// Answers "unable" to one question in so many.
    UnableOneIn(u64),
    /// Calls everything true.
    Approves,
    /// Adds an error to every sine that its bound does not admit.
    MisstatesSines,
    /// Never able.
    Refuses,
}

/// binary64 with a fault.
#[derive(Clone)]
struct Faulty {
    inner: Arc<Rounding<Float>>,
    fault: Fault,
    asked: Arc<AtomicU64>,
}

impl Faulty {
    fn new(fault: Fault) -> Self {
        Self { inner: Arc::new(Rounding::new(Format::F64)), fault, asked: Arc::default() }
    }
}

impl System for Faulty {
    type Number = Number;

    fn at(&self, values: &Arc<Values>) -> Self {
        Self { inner: Arc::new(self.inner.at(values)), ..self.clone() }
    }

    fn angle(&self, phase: &Phase) -> Number {
        self.inner.angle(phase)
    }

    fn cis(&self, phase: &Phase) -> Complex<Number> {
        let point = self.inner.cis(phase);
        match self.fault {
            // The lie is small, and larger at larger phases: a constant would cancel.
            Fault::MisstatesSines => {
                let lie = 1e-3 * point.re.value().get();
                Complex::new(
                    point.re,
                    Running::with_bound(Float::new(point.im.value().get() + lie, Format::F64), point.im.bound()),
                )
            }
            _ => point,
        }
    }

    fn real(&self, name: &'static str, index: usize) -> Number {
        self.inner.real(name, index)
    }

    fn rational(&self, value: &Rational) -> Number {
        self.inner.rational(value)
    }

    fn decide(&self, relation: &Relation<Number>) -> Decision {
        let turn = self.asked.fetch_add(1, Ordering::Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        match self.fault {
            Fault::UnableOneIn(n) if turn.is_multiple_of(n) => Decision::unable("out of sorts"),
            Fault::Refuses => Decision::unable("never able"),
            Fault::Approves => Decision::Held(Measure { error: 0.0, bound: 1.0 }),
            _ => self.inner.decide(relation),
        }
    }

    fn side(&self, number: &Number) -> Side {
        self.inner.side(number)
    }
}

fn tally<C: Claim>(fault: Fault, form: Form) -> posproof::evidence::Judgement {
    let plan = Plan { budget: 1 << 14, fewest: 64, ..Plan::new(Effort::Standard, Plan::SEED) };
    Instance::of::<C>().judge(&Faulty::new(fault), SystemKind::Rounded { precision: 53 }, form, &plan)
}

#[test]
fn a_system_that_is_unable_at_random_is_counted_and_changes_no_conclusion() {
    let sound = tally::<Linearity>(Fault::None, Form::Settled);
    let moody = tally::<Linearity>(Fault::UnableOneIn(3), Form::Settled);
    assert_eq!(moody.refuted, 0);
    assert_eq!(moody.held + moody.unable_count(), sound.held, "every comparison is either held or counted as unable");
    let share = moody.unable_count() as f64 / sound.held as f64;
    assert!((0.25..0.42).contains(&share), "one in three was refused, {share} is counted");
    assert_eq!(moody.unable.keys().collect::<Vec<_>>(), ["out of sorts"]);
    assert!(tally::<Linearity>(Fault::UnableOneIn(3), Form::Sabotaged).refuted > 0, "the sabotage is still refuted");
}

#[test]
fn a_system_that_approves_of_everything_is_caught_by_the_sabotage() {
    let flattered = tally::<Linearity>(Fault::Approves, Form::Settled);
    assert!(flattered.held > 0 && flattered.refuted == 0);
    assert_eq!(
        tally::<Linearity>(Fault::Approves, Form::Sabotaged).refuted,
        0,
        "it misses the sabotage, which convicts it"
    );
    assert_eq!(tally::<DotProduct>(Fault::Approves, Form::Sabotaged).refuted, 0);
}

#[test]
fn a_system_that_misstates_its_leaves_is_refuted() {
    let tally = tally::<Linearity>(Fault::MisstatesSines, Form::Settled);
    assert!(tally.refuted > 0, "an error beyond the bound is a refutation");
    let evidence = Evidence::float("f64", &tally);
    assert!(matches!(evidence, Evidence::Float { status: FloatStatus::Refuted, witness: Some(_), .. }));
}

#[test]
fn a_system_that_never_decides_gives_no_evidence() {
    let tally = tally::<Linearity>(Fault::Refuses, Form::Settled);
    assert_eq!((tally.held, tally.refuted), (0, 0));
    assert!(tally.unable_count() > 0);
    assert!(matches!(Evidence::float("f64", &tally), Evidence::Float { status: FloatStatus::Unable, .. }));
    assert!(matches!(Evidence::exact(&tally, true), Evidence::Exact { status: ExactStatus::Unable, .. }));
}

mod settling {
    //! The judge's work on claims that misbehave.

    use super::*;
    use posproof::claim::{
        About, Case, Comparison, Comparisons, Document, Inputs, Record, Size, Source, Verdict, equal_entries,
    };
    use posproof::evidence::settle::{SystemName, settle};
    use posproof::evidence::{Conclusion, Entry, Settlement};
    use posproof::report::pages::claim::ClaimText;
    use posproof::report::theorem::Theorems;
    use posproof::report::{background, text};

    /// Declares a claim whose comparison at a form is as given.
    macro_rules! claim {
        ($name:ident, $verdict:ident, $written:expr, $comparison:expr) => {
            struct $name;
            impl Claim for $name {
                const ABOUT: About = About {
                    id: "test.claim",
                    statement: "",
                    written: $written,
                    sources: &[],
                    verdict: Verdict::$verdict,
                    sabotage: "a mistake",
                    remark: None,
                };
                fn sizes(_: SystemKind) -> Vec<Size> {
                    vec![Size::default()]
                }
                fn inputs(_: &Size) -> Inputs {
                    Inputs::default().reals("x", 1, 1.0)
                }
                fn comparisons<S: System>(system: &S, case: &Case, form: Form) -> Comparisons<S::Number> {
                    let compare: fn(&S, &Case, Form) -> Comparisons<S::Number> = $comparison;
                    compare(system, case, form)
                }
            }
        };
    }

    fn equal<S: System>(system: &S, add: i64) -> Comparisons<S::Number> {
        let x = system.real("x", 0);
        Ok(vec![Comparison::new("x", Relation::Equal(x.clone(), x + system.integer(add)))])
    }

    claim!(Sound, Holds, None, |system, _, form| equal(system, i64::from(form.is_sabotaged())));
    claim!(Toothless, Holds, None, |system, _, _| equal(system, 0));
    claim!(False, Holds, None, |system, _, _| equal(system, 1));
    claim!(Empty, Holds, None, |_, _, _| Ok(Vec::new()));
    claim!(Unwitnessed, Corrected, Some("x = x"), |system, _, form| equal(system, i64::from(form.is_sabotaged())));

    claim!(Misshapen, Holds, None, |system, _, form| {
        // The sides that can be compared hold, and the sabotage is refuted: the mistake is all that speaks against it.
        let mut all = equal(system, i64::from(form.is_sabotaged()))?;
        let column = |length| DVector::from_element(length, system.integer(1));
        all.extend(equal_entries("column", &column(2), &column(3))?);
        Ok(all)
    });
    claim!(Misnamed, Holds, None, |system, case, form| {
        let nought = case.choice("y")? as i64;
        equal(system, nought + i64::from(form.is_sabotaged()))
    });
    claim!(Unpermuted, Holds, None, |system, case, form| {
        let mut all = equal(system, i64::from(form.is_sabotaged()))?;
        for place in case.permutation("P")? {
            all.extend(equal(system, *place as i64)?);
        }
        Ok(all)
    });

    fn settled(entry: &dyn Entry) -> Settlement {
        settle(entry, &SystemName::ALL, &Plan::new(Effort::Quick, 1), &|| ())
    }

    /// A claim that is stated as true and is false: nowhere does it read as true, and what refuted it stands where it was refuted.
    #[test]
    fn a_refuted_claim_reads_as_refuted() {
        let settlement = settled(&False);
        let strip = |text: &str| anstream::adapter::strip_str(text).to_string();
        let line = strip(&text::line(&settlement));
        assert!(line.starts_with("✗ test.claim") && line.contains(" refuted "), "{line}");
        assert!(line.contains("f32 refuted, 1.00e0 > ") && !line.contains("holds") && !line.contains('≤'), "{line}");
        let page = strip(&text::page(&settlement, Effort::Quick, 1));
        assert!(page.starts_with("test.claim — refuted ✗"), "{page}");
        let f32 = page.lines().skip_while(|line| !line.starts_with("  f32 ")).take(2).collect::<Vec<_>>().join("\n");
        assert!(
            f32.contains("refuted — ") && f32.contains("error 1.00e0 > bound") && f32.contains("at scalar, x"),
            "{f32}"
        );
        assert!(!page.contains("told apart") && !page.contains('≤'), "{page}");
        let words = ClaimText::new(&settlement, Effort::Quick, 1, &Theorems::at_hand());
        assert_eq!(words.verdict, "refuted");
        let row = words.evidence.iter().find(|row| row.system == "f64").unwrap();
        assert!(row.error == "1.00e0" && row.notes[0].line.starts_with("refuted at "), "{row:?}");
        // One whose mistake is not noticed is not said to hold either.
        assert!(!strip(&text::line(&settled(&Toothless))).contains("holds"));
    }

    /// Entries of T(j) T(k) at positions that bf16 does not hold: the bound there is above anything that sines can be.
    #[test]
    fn a_bound_that_nothing_exceeds_is_called_vacuous() {
        let settlement =
            settle(entry("shift.group"), &[SystemName::F64, SystemName::Bf16], &Plan::new(Effort::Quick, 1), &|| ());
        let statuses: Vec<_> = settlement
            .evidence
            .iter()
            .filter_map(|evidence| match evidence {
                Evidence::Float { system, vacuous, .. } => Some((*system, *vacuous)),
                _ => None,
            })
            .collect();
        assert_eq!(statuses, [("f64", false), ("bf16", true)]);
        let page = text::page(&settlement, Effort::Quick, 1);
        assert!(
            page.contains("  bf16         vacuous — ") && page.contains("  f64          within-bound — "),
            "{page}"
        );
        let words = ClaimText::new(&settlement, Effort::Quick, 1, &Theorems::at_hand());
        assert_eq!(words.evidence.iter().map(|row| row.status).collect::<Vec<_>>(), ["within-bound", "vacuous"]);
    }

    /// *ratio* is bound ÷ error, of the figures beside it; *share* the reverse.
    #[test]
    fn a_ratio_is_that_of_the_figures_beside_it() {
        let settlement = settle(entry("shift.group"), &[SystemName::F64], &Plan::new(Effort::Quick, 1), &|| ());
        let words = ClaimText::new(&settlement, Effort::Quick, 1, &Theorems::at_hand());
        let row = &words.evidence[0];
        let [error, bound, ratio] = [&row.error, &row.bound, &row.ratio].map(|text| text.parse::<f64>().unwrap());
        // Each figure has three digits.
        assert!(ratio >= 1.0 && (bound / error / ratio - 1.0).abs() < 0.02, "{row:?}");
        let page = text::page(&settlement, Effort::Quick, 1);
        assert!(page.contains(&format!("(ratio {}; largest share 0.", row.ratio)), "{page}");
    }

    /// A claim of one's own, whatever its id, whichever document it cites: nothing is said of it that does not exist.
    #[test]
    fn no_theorem_and_no_command_is_invented() {
        const NOTES: Record = Record::new("notes", "My notes", "notes");
        const OWN: Source = Source { document: Document::Other(&NOTES), place: "page 3" };
        const LISTED: Source = Source { document: Document::RoFormer, place: "page 3" };
        for id in ["mine.chord", "shift.linearity", "base.minimum"] {
            for sources in [&[][..], &[OWN], &[LISTED]] {
                let about: &'static About = Box::leak(Box::new(About { id, sources, ..Sound::ABOUT }));
                assert!(
                    about.theorems().is_empty() && about.parts().is_empty() && about.ledger().is_none(),
                    "{about:?}"
                );
                let settlement = Settlement { about, ..settled(&Sound) };
                let page = text::page(&settlement, Effort::Quick, 1);
                let page = page + &background::text(about, &Theorems::at_hand());
                for invented in ["(Coq)", "posproof show", "posproof cite", "In Coq: "] {
                    assert!(!page.contains(invented), "{invented}: {page}");
                }
                assert!(page.contains("Theorem\n  none: "), "{page}");
                let words = ClaimText::new(&settlement, Effort::Quick, 1, &Theorems::at_hand());
                assert!(words.theorem.is_none() && words.stated.is_empty() && !words.command.contains("posproof"));
            }
        }
    }

    fn entry(id: &str) -> &'static dyn Entry {
        posproof::claims::all().into_iter().find(|entry| entry.about().id == id).unwrap()
    }

    fn conclusion(entry: &dyn Entry) -> Conclusion {
        settled(entry).conclusion
    }

    #[test]
    fn a_sound_claim_is_as_expected() {
        assert_eq!(conclusion(&Sound), Conclusion::AsExpected);
    }

    #[test]
    fn a_claim_whose_sabotage_passes_falls_short() {
        assert!(matches!(conclusion(&Toothless), Conclusion::FallsShort(why) if why.contains("sabotage")));
    }

    #[test]
    fn a_false_claim_falls_short_with_a_witness() {
        assert!(matches!(conclusion(&False), Conclusion::FallsShort(why) if why.contains("refutes it at")));
    }

    #[test]
    fn a_claim_of_which_nothing_is_held_is_never_as_expected() {
        assert!(matches!(conclusion(&Empty), Conclusion::Inconclusive(_)));
    }

    /// One column shorter than the other, an integer and a permutation that the inputs lack: each is refused at
    /// every case, and the claim falls short by name, although whatever else it compares holds.
    #[test]
    fn a_claim_that_is_mistaken_about_itself_falls_short() {
        for (entry, mistake) in [
            (&Misshapen as &dyn Entry, "column: a 2 × 1 matrix is compared with a 3 × 1 matrix"),
            (&Misnamed, "the inputs have no integer 'y'"),
            (&Unpermuted, "the inputs have no permutation 'P'"),
        ] {
            assert!(matches!(conclusion(entry), Conclusion::FallsShort(why) if why.ends_with(mistake)), "{mistake}");
        }
    }

    #[test]
    fn a_correction_without_a_witness_is_never_as_expected() {
        assert!(matches!(conclusion(&Unwitnessed), Conclusion::Inconclusive(why) if why.contains("as written")));
    }
}
