//! Admissible bases against figures found by other means, and merging of their shards.

use posproof_numerics::{Interval, Rational};
use posproof_sweep::bases::{AdmissibleBases, Base, Intervals};
use posproof_sweep::{Document, InvalidResult, Shard, Sweep};
use serde_json::{Value, json};

fn sweep(length: u32, lower: &str, upper: &str) -> AdmissibleBases {
    AdmissibleBases { dim: 128, length, bases: [lower, upper].map(|base| base.parse().unwrap()) }
}

fn whole(sweep: &AdmissibleBases) -> Intervals {
    Document::compute(sweep, Shard::WHOLE, &|| ()).unwrap().findings
}

fn number(base: Base) -> f64 {
    base.to_string().parse().unwrap()
}

/// Σ cos(m·b^(−2i/128)), enclosed to 100 bits.
fn sum(m: u32, base: Base) -> Interval {
    let x = Interval::rational(&Rational::from_f64(number(base)).unwrap(), 100).ln();
    (0..64u64).fold(Interval::rational(&Rational::ZERO, 100), |sum, pair| {
        let t = Interval::rational(&Rational::from((pair, 64)), 100);
        sum + ((-(t * x.clone())).exp() * Interval::rational(&Rational::from(m), 100)).cos_sin().0
    })
}

/// Certified sets of five lengths: their ends against figures from elsewhere, and what docs/sweeps.md says of them.
#[test]
fn the_sets_of_five_lengths_are_as_documented() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sweeps.md");
    let page = std::fs::read_to_string(page).unwrap();
    for (length, least, safe, alternations) in [
        (1024, 4293.43756926257, 6018.28, 5),
        (2048, 11587.2443031110, 22764.3, 17),
        (4096, 26952.3392278578, 58789.5, 31),
        (8192, 83763.8410154344, 394327.9, 67),
        (16384, 231643.646806907, 1321077.96, 0),
    ] {
        let sweep = sweep(length, "1000", "10000000");
        let found = whole(&sweep);
        let [below, above] = found.undecided[0].map(number);
        assert!(below <= least && least <= above && above - below <= 1e-12 * above, "{length}: {below} {above}");
        let (first, last) = (found.admissible[0][0], found.admissible[found.admissible.len() - 1]);
        assert!((number(last[0]) / safe - 1.0).abs() < 1e-6 && last[1] == sweep.bases[1], "{length}: {last:?}");
        assert!(2 * found.admissible.len() > alternations, "{length}: {}", found.admissible.len());
        let share = sweep.undecided_share(&found);
        assert!(share < 1e-6, "{length}: {share}");
        let row = format!("| {length} | {first} | {} | {} | {share:.1e} |", last[0], found.admissible.len());
        assert!(page.contains(&row), "docs/sweeps.md has no line {row}");
    }
}

/// Witnesses by another arithmetic: at both ends of every refuted interval, whose middle is proved elsewhere, the sum is
/// negative; at the ends of undecided intervals the largest sums of neighbours' witnesses change sign.
#[test]
fn witnesses_are_negative_by_enclosure() {
    let found = whole(&sweep(1024, "4000", "6100"));
    assert!(found.refuted.len() > 3);
    for refuted in &found.refuted {
        for base in [refuted.lower, refuted.upper] {
            assert!(*sum(refuted.m, base).upper() < 0.0, "{refuted:?}");
        }
    }
    for [lower, upper] in &found.admissible {
        for m in (1..=1024).step_by(31).chain(found.refuted.iter().map(|refuted| refuted.m)) {
            for base in [lower, upper] {
                assert!(*sum(m, *base).lower() >= 0.0, "{m} {base}");
            }
        }
    }
}

#[test]
fn holes_of_8192_come_with_their_witnesses() {
    let sweep = sweep(8192, "83700", "101000");
    let found = whole(&sweep);
    let at = |base: f64| move |[lower, upper]: [Base; 2]| number(lower) <= base && base <= number(upper);
    assert!(found.admissible.iter().copied().any(at(84000.0)));
    for base in [85000.0, 100000.0] {
        assert!(!found.admissible.iter().copied().any(at(base)));
        let refuted = found.refuted.iter().find(|refuted| at(base)([refuted.lower, refuted.upper])).unwrap();
        assert!(*sum(refuted.m, base.to_string().parse().unwrap()).upper() < 0.0, "{refuted:?}");
    }
    let [below, above] = found.undecided[0].map(number);
    assert!(below <= 83763.8410154344 && 83763.8410154344 <= above && above - below < 1e-6, "{below} {above}");
}

/// The results of three shards as files.
fn shards(sweep: &AdmissibleBases) -> Vec<(String, String)> {
    let shards = Shard::all(3).unwrap();
    shards.map(|shard| (shard.to_string(), Document::compute(sweep, shard, &|| ()).unwrap().to_json())).collect()
}

fn merged(files: &[(String, String)]) -> Result<Document<AdmissibleBases>, InvalidResult> {
    let results: Result<Vec<_>, _> =
        files.iter().map(|(file, text)| Ok((file.clone(), Document::read(file, text)?))).collect();
    Document::merge(results?)
}

#[test]
fn shards_make_the_whole_in_any_order_and_on_any_number_of_threads() {
    let sweep = sweep(512, "1500", "2500");
    let mut files = shards(&sweep);
    files.rotate_left(1);
    let expected = Document::compute(&sweep, Shard::WHOLE, &|| ()).unwrap().to_json();
    assert_eq!(merged(&files).unwrap().to_json(), expected);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let again = one.install(|| Document::compute(&sweep, Shard::WHOLE, &|| ()).unwrap().to_json());
    assert_eq!(again, expected);
}

/// Damage to a result.
type Damage<'a> = &'a dyn Fn(&mut Value);

#[test]
fn what_makes_no_whole_is_refused_by_name() {
    let sweep = sweep(512, "1500", "2500");
    let files = shards(&sweep);
    let message = |files: &[(String, String)]| merged(files).unwrap_err().to_string();
    assert!(message(&files[..2]).contains("1 of 3 shards is missing (3)"));
    let twice = [&files[..], &files[1..2]].concat();
    assert!(message(&twice).contains("2/3: it is shard 2/3, and so is 2/3"), "{}", message(&twice));
    let damaged = |damage: &dyn Fn(&mut Value)| {
        let mut files = files.clone();
        let mut value: Value = serde_json::from_str(&files[1].1).unwrap();
        damage(&mut value);
        files[1].1 = value.to_string();
        message(&files)
    };
    let cases: [(Damage<'_>, &str); 9] = [
        (&|v| v["version"] = json!("0.0.9"), "version 0.0.9"),
        (&|v| v["schema"] = json!("posproof.sweep/2"), "schema posproof.sweep/2"),
        (&|v| v["sweep"] = json!("hard-cases"), "a result of hard-cases"),
        (&|v| v["specification"]["length"] = json!(511), "--length 511"),
        (&|v| v["specification"]["dim"] = json!(3), "dim 3"),
        (&|v| v["shard"] = json!("4/3"), "4/3"),
        (&|v| v["refuted"].as_array_mut().unwrap().truncate(1), "expected"),
        (&|v| v["refuted"][0]["m"] = json!(513), "the witness 513"),
        (&|v| v["refuted"][0]["m"] = json!(-1), "invalid value"),
    ];
    for (damage, part) in cases {
        let message = damaged(damage);
        assert!(message.starts_with("2/3: ") && message.contains(part), "'{part}' is not in: {message}");
    }
    // The result of the same shard of two instead of three.
    let other = Document::compute(&sweep, Shard::new(2, 2).unwrap(), &|| ()).unwrap().to_json();
    let mixed = [files[0].clone(), ("other".to_owned(), other)];
    assert!(message(&mixed).contains("other: it is shard 2/2: expected one of 3 as in 1/3"), "{}", message(&mixed));
    for cut in [0, 1, files[1].1.len() / 2, files[1].1.len() - 3] {
        let mut files = files.clone();
        files[1].1.truncate(cut);
        assert!(message(&files).contains("expected a whole document"), "{}", message(&files));
    }
}

#[test]
fn parameters_out_of_range_are_refused_by_name() {
    let good = sweep(512, "1500", "2500");
    let cases = [
        (AdmissibleBases { dim: 3, ..good.clone() }, "dim 3"),
        (AdmissibleBases { dim: 0, ..good.clone() }, "dim 0"),
        (AdmissibleBases { dim: 1 << 20, ..good.clone() }, "dim 1048576"),
        (AdmissibleBases { length: 0, ..good.clone() }, "length 0"),
        (AdmissibleBases { length: u32::MAX, ..good.clone() }, "length 4294967295"),
        (AdmissibleBases { bases: [good.bases[1], good.bases[0]], ..good.clone() }, "bases 2500..1500"),
    ];
    for (sweep, part) in cases {
        let message = Document::compute(&sweep, Shard::WHOLE, &|| ()).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
    let tasks = good.tasks();
    assert!(Document::compute(&good, Shard::new(1, tasks + 1).unwrap(), &|| ()).is_err());
}
