//! Caches of which only the cosines or only the sines are there.

use crate::corpus::*;
use crate::correct::conventions;
use crate::identify::{as_a_table, check_measured, is_measured, same, samples, shows};
use half::{bf16, f16};
use posproof::conformance::{Confidence, Identification, Slice, Subject, Undetermined, identify};
use posproof::encoding::convention::{Component, Convention, Direction, Encoding, Layout, Spacing};
use posproof::number::format::Format;
use posproof::table::{Element, Positions};
use posproof_schema::validate;

const PARTS: [Component; 2] = [Component::Cos, Component::Sin];

/// Answer of one part on entries, `pairs` wide, that are given as numbers.
fn identified<T: Element>(part: Component, entries: &[f64], width: usize, rows: &[u64]) -> Identification {
    let typed: Vec<T> = entries.iter().map(|x| T::from_exact(T::FORMAT.round(*x))).collect();
    let slice = Slice::new("part", &typed, width).unwrap();
    let positions = Positions::list(rows.iter().copied()).unwrap();
    let subject = match part {
        Component::Cos => Subject::Rope { cos: Some(&slice), sin: None },
        Component::Sin => Subject::Rope { cos: None, sin: Some(&slice) },
    };
    let found = identify(subject, Some(&positions)).unwrap();
    validate(&serde_json::to_value(&found).unwrap());
    found
}

fn part_of(program: &Program<'_>, part: Component, pairs: usize, rows: &[u64]) -> Vec<f64> {
    let (cos, sin) = program.run(pairs, rows).apart();
    if part == Component::Cos { cos } else { sin }
}

fn cache<T: Element>(part: Component, convention: &Convention, rows: &[u64]) -> Identification {
    let pairs = convention.pairs();
    identified::<T>(part, &part_of(&Program::single(convention), part, pairs, rows), pairs, rows)
}

/// That the answer names the convention and what its part leaves open, and nothing more.
fn complaint(part: Component, found: &Identification, right: &Convention) -> Option<String> {
    let written = |convention: &Convention| serde_json::to_string(convention).unwrap();
    let Some(first) = &found.convention else { return Some(format!("{part:?}: {}\n   {found}", written(right))) };
    let plain = Convention { layout: Layout::Interleaved, ..right.clone() };
    let exactly = !shows(right) || Convention { layout: Layout::Interleaved, ..first.clone() } == plain;
    let open = match part {
        Component::Cos => {
            let reverse = Convention { direction: Direction::Clockwise, ..first.clone() };
            found.confidence == Confidence::Ambiguous
                && found.separating_position.is_none()
                && found.undetermined == [Undetermined::Direction, Undetermined::Layout]
                && found.remaining.get(..2) == Some(&[first.clone(), reverse][..])
        }
        Component::Sin => {
            let only = found.remaining.len() == 1;
            found.undetermined == [Undetermined::AmplitudeSign, Undetermined::Layout]
                && (found.confidence == if only { Confidence::Established } else { Confidence::Ambiguous })
        }
    };
    let good = same(first, right) && exactly && open;
    (!good).then(|| format!("{part:?}: {}\n   {found}", written(right)))
}

#[test]
fn every_cache_is_identified_from_either_part() {
    let mut complaints = Vec::new();
    let (mut count, mut measured) = (0, 0);
    for (name, rows) in &samples() {
        for convention in conventions().into_iter().filter(|convention| convention.encoding == Encoding::Rope) {
            let convention = as_a_table(convention, rows);
            for part in PARTS {
                for format in [Format::F64, Format::F32] {
                    let found = match format {
                        Format::F64 => cache::<f64>(part, &convention, rows),
                        _ => cache::<f32>(part, &convention, rows),
                    };
                    if is_measured(&convention) {
                        measured += 1;
                        check_measured(&found, &convention);
                        continue;
                    }
                    count += 1;
                    let complaint = complaint(part, &found, &convention);
                    complaints.extend(complaint.map(|text| format!("{name}, {format}, {text}")));
                }
            }
        }
    }
    assert!(complaints.is_empty(), "{} of {count}:\n{}", complaints.len(), complaints.join("\n"));
    // 3 samples, 2 parts, 2 formats.
    assert_eq!((count, measured), (8 * 12, 12));
}

#[test]
fn other_conventions_and_storage_are_identified_from_either_part() {
    let rope = Convention::rope(64);
    let others = [
        Convention { base: 500_000.into(), ..rope.clone() },
        Convention { position_offset: 1.into(), ..rope.clone() },
        Convention { position_offset: (-3).into(), ..rope.clone() },
        Convention { frequency_spacing: Spacing::Endpoints, ..rope.clone() },
        Convention { amplitude: "0.5".parse().unwrap(), ..rope.clone() },
        Convention { base: 123.into(), ..Convention::rope(8) },
    ];
    let rows = sparse(9000);
    for convention in others {
        for part in PARTS {
            let found = [
                cache::<f32>(part, &convention, &rows),
                cache::<f16>(part, &convention, &rows),
                cache::<bf16>(part, &convention, &rows),
            ];
            for found in &found {
                assert_eq!(complaint(part, found, &convention), None);
            }
            assert_eq!(found.map(|found| found.storage), [Format::F32, Format::F16, Format::Bf16]);
        }
    }
}

#[test]
fn sines_tell_the_direction_and_cosines_do_not() {
    let rows = sparse(9000);
    let convention = Convention { direction: Direction::Clockwise, position_offset: 2.into(), ..Convention::rope(64) };
    let (cos, sin) = Program::single(&convention).run(32, &rows).apart();
    let found = identified::<f32>(Component::Sin, &sin, 32, &rows);
    assert_eq!((found.confidence, found.convention.as_ref()), (Confidence::Established, Some(&convention)), "{found}");
    let found = identified::<f32>(Component::Cos, &cos, 32, &rows);
    assert_eq!(found.remaining.iter().position(|remaining| *remaining == convention), Some(1), "{found}");
    assert!(found.to_string().contains("cosines alone do not tell the direction"), "{found}");
    // Together they leave nothing open but the layout.
    let (cos, sin) = (Slice::new("cos", &cos, 32).unwrap(), Slice::new("sin", &sin, 32).unwrap());
    let positions = Positions::list(rows).unwrap();
    let found = identify(Subject::Rope { cos: Some(&cos), sin: Some(&sin) }, Some(&positions)).unwrap();
    assert_eq!(
        (found.undetermined.as_slice(), found.convention.as_ref()),
        (&[Undetermined::Layout][..], Some(&convention)),
        "{found}"
    );
}

#[test]
fn a_doubled_part_and_one_that_starts_late_are_identified() {
    let convention = Convention { base: 500_000.into(), ..Convention::rope(64) };
    let late: Vec<u64> = (100_000..104_097).collect();
    let rows = sparse(9000);
    for part in PARTS {
        let entries = part_of(&Program::single(&convention), part, 32, &rows);
        let halves: Vec<f64> = entries.chunks_exact(32).flat_map(|row| [row, row].concat()).collect();
        let repeated: Vec<f64> = entries.iter().flat_map(|x| [*x, *x]).collect();
        for doubled in [halves, repeated] {
            assert_eq!(complaint(part, &identified::<f32>(part, &doubled, 64, &rows), &convention), None);
        }
        assert_eq!(complaint(part, &cache::<f64>(part, &convention, &late), &convention), None);
    }
}

#[test]
fn frequencies_of_one_part_are_measured_where_no_law_is_known() {
    let rows = sparse(5000);
    let odd = Convention::rope(8);
    let omega = [1.0, 0.37, 0.0911, 0.0024];
    for part in PARTS {
        let program = Program { frequency: Box::new(|k| omega[k]), ..Program::exact(&odd) };
        let found = identified::<f64>(part, &part_of(&program, part, 4, &rows), 4, &rows);
        assert_eq!(found.measured().len(), 4, "{found}");
        for (measured, right) in found.measured().iter().zip(omega) {
            // Told to 1 part in 10⁴ at least.
            assert!((measured.frequency - right).abs() <= measured.error, "{found}");
            assert!(measured.error <= 1e-4 * right, "{found}");
        }
    }
}

#[test]
fn a_part_that_says_too_little_is_unexplained() {
    for part in PARTS {
        for rows in 1..4u64 {
            let rows: Vec<u64> = (0..rows).collect();
            let entries = vec![0.0; rows.len() * 4];
            assert_eq!(identified::<f32>(part, &entries, 4, &rows).convention, None);
        }
        // No three of these positions are equally spaced: nothing is measured. A usual base explains every entry, others none.
        let powers: Vec<u64> = (0..20).map(|i| 1 << i).collect();
        let right = Convention::rope(64);
        let found = cache::<f64>(part, &right, &powers);
        assert_eq!((found.measured().len(), complaint(part, &found, &right)), (0, None), "{found}");
        let unusual = Convention { base: 12_345.into(), ..right };
        let found = cache::<f64>(part, &unusual, &powers);
        assert_eq!((found.confidence, found.measured().len()), (Confidence::Unexplained, 0), "{found}");
        let rows = sparse(5000);
        let zeros = vec![0.0; rows.len() * 8];
        let nothing = vec![f64::NAN; rows.len() * 8];
        let noise = vectors(rows.len() * 8, Format::F32);
        // Entry by entry within the range of a cosine, but with pairs of two frequencies each.
        let two: Vec<f64> = rows
            .iter()
            .flat_map(|&p| {
                (0..8).map(move |k| {
                    let t = p as f64 * 0.9f64.powi(k);
                    0.5 * (t.cos() + (1.7 * t).cos())
                })
            })
            .collect();
        for entries in [zeros, nothing, noise, two] {
            let found = identified::<f32>(part, &entries, 8, &rows);
            assert_eq!((found.confidence, found.convention.as_ref()), (Confidence::Unexplained, None), "{found}");
        }
        // Rows without a number are left out; the others still tell.
        let convention = Convention::rope(64);
        let mut entries = part_of(&Program::single(&convention), part, 32, &rows);
        entries[32 * 7] = f64::NAN;
        let found = identified::<f32>(part, &entries, 32, &rows);
        assert!(found.convention.is_some_and(|found| same(&found, &convention)));
    }
}
