//! Hard cases against a search by enclosures alone.

use posproof_encoding::convention::{Component, Convention};
use posproof_encoding::frequency::Entries;
use posproof_numerics::{Float, Round, format::Format};
use posproof_sweep::hard_cases::HardCases;
use posproof_sweep::{Document, Shard, Sweep};

fn sweep(dtype: Format, positions: [u64; 2]) -> HardCases {
    HardCases { dim: 8, base: 500000.into(), positions, dtype, keep: 20 }
}

/// |frac(|v|/q) − ½| from the middle of an enclosure of 200 bits.
fn distance(format: Format, value: &Float) -> f64 {
    let exponent = (value.exponent().unwrap() as i32 - 1).max(format.min_exponent());
    let units = value.abs().scaled(format.precision() as i32 - 1 - exponent);
    let half = Float::from_f64(0.5);
    units.sub(&units.floor(), 200, Round::Nearest).sub(&half, 200, Round::Nearest).abs().to_f64(Round::Nearest)
}

#[test]
fn none_of_the_nearest_is_lost() {
    for dtype in [Format::F32, Format::F16, Format::Bf16] {
        let sweep = sweep(dtype, [0, 600]);
        let found = sweep.run(0..1, &|| ()).unwrap();
        let entries = Entries::new(&Convention { base: sweep.base.clone(), ..Convention::rope(8) });
        let mut all = Vec::new();
        for position in 1..600 {
            for pair in 0..4 {
                for component in [Component::Cos, Component::Sin] {
                    let value = entries.enclose(position, pair, component, 200).unwrap();
                    all.push((distance(dtype, &value.midpoint()), position, pair, component));
                }
            }
        }
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!((found.entries, found.exact), (600 * 8, 8));
        for (case, expected) in found.hardest.iter().zip(&all) {
            assert_eq!((case.position, case.pair, case.component), (expected.1, expected.2, expected.3), "{dtype}");
            let [below, above] = case.distance.each_ref().map(|end| end.parse::<f64>().unwrap());
            assert!(
                below <= expected.0 * (1.0 + 1e-15) && expected.0 * (1.0 - 1e-15) <= above,
                "{case:?} {expected:?}"
            );
        }
        assert_eq!(found.hardest.len(), 20);
    }
}

#[test]
fn shards_make_the_whole() {
    let sweep = sweep(Format::F32, [100, 20000]);
    let expected = Document::compute(&sweep, Shard::WHOLE, &|| ()).unwrap().to_json();
    let shards = Shard::all(3).unwrap().map(|shard| {
        let text = Document::compute(&sweep, shard, &|| ()).unwrap().to_json();
        (shard.to_string(), Document::<HardCases>::read("a shard", &text).unwrap())
    });
    assert_eq!(Document::merge(shards.collect()).unwrap().to_json(), expected);
}

#[test]
fn what_cannot_be_searched_or_found_is_refused() {
    let good = sweep(Format::F32, [0, 5000]);
    let cases = [
        (HardCases { dtype: Format::F64, ..good.clone() }, "dtype f64"),
        (HardCases { positions: [5, 5], ..good.clone() }, "positions 5..5"),
        (HardCases { base: 1.into(), ..good.clone() }, "base 1"),
        (HardCases { keep: 0, ..good.clone() }, "keep 0"),
    ];
    for (sweep, part) in cases {
        let message = Document::compute(&sweep, Shard::WHOLE, &|| ()).unwrap_err().to_string();
        assert!(message.starts_with(part), "{message}");
    }
    let document = Document::compute(&good, Shard::WHOLE, &|| ()).unwrap();
    let mut swapped = document.clone();
    swapped.findings.hardest.swap(0, 1);
    let mut short = document.clone();
    short.findings.hardest.pop();
    let mut few = document.clone();
    few.findings.entries -= 1;
    for (damaged, part) in [(swapped, "in order"), (short, "expected 20"), (few, "expected 40000")] {
        let message = Document::<HardCases>::read("damaged", &damaged.to_json()).unwrap_err().to_string();
        assert!(message.starts_with("damaged: ") && message.contains(part), "{message}");
    }
}
