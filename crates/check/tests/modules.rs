//! Arrays of real modules, dumped by `scripts/axes`, conform to the conventions of their families; damaged, they do not.

#[path = "modules/dump.rs"]
mod dump;
#[path = "modules/identified.rs"]
mod identified;
#[path = "modules/truth.rs"]
mod truth;
#[path = "modules/unplaced.rs"]
mod unplaced;

use dump::{Dump, families, index};
use posproof_check::positions::{AxialQuery, Domain, decode_axes};
use posproof_numerics::Rational;
use std::collections::BTreeSet;

#[test]
fn real_modules_conform_and_are_not_accused() {
    let (index, families) = (index(), families());
    let mut judged = BTreeSet::new();
    for (name, said) in &index {
        let dump = Dump::new(name, said, &families);
        let report = dump.judged(|_| ());
        println!("{name}: {}, angles in {}, {}", said["library"], report.compute, report.grade.name());
        assert!(report.conforms && report.findings.is_empty(), "{name}: {report}");
        judged.extend(said.get("family").map(|family| family.as_str().expect("a name").to_owned()));
    }
    let missing: Vec<&String> = families.keys().filter(|family| !judged.contains(*family)).collect();
    assert!(missing.is_empty(), "families without a dump of a real module: {missing:?}");
}

/// One entry with the other sign is beyond every bound: a cache, a rotation and a table, of narrow rows, because a search for the cause follows.
#[test]
fn damaged_dumps_are_not_conforming() {
    let index = index();
    for name in ["gemma4-vision", "vjepa2", "mae"] {
        let dump = Dump::new(name, &index[name], &families());
        let report = dump.judged(|entries| {
            let last = entries.iter().rposition(|x| x.abs() > 0.25).expect("an entry");
            entries[last] = -entries[last];
        });
        assert!(!report.conforms, "{name}: {report}");
        assert_eq!(report.statistics.exceeding, 1, "{name}: {report}");
    }
}

/// The coordinates that rows of real modules are decoded to are those that they were given: none is excluded, and most are certified.
#[test]
fn rows_of_real_modules_are_decoded() {
    let (mut certified, mut rows) = (0, 0);
    for (name, said) in &index() {
        let dump = Dump::new(name, said, &families());
        let shared = (0..dump.law.slots()).any(|slot| dump.law.claims(slot).len() > 1);
        // Angles that are sums, or of entries, are not decoded; nor are coordinates that are no integers.
        let whole =
            (0..dump.law.axes().len()).all(|axis| dump.coordinates.distinct(axis).iter().all(Rational::is_integer));
        let entries = !dump.law.is_rotation() && dump.array("x").is_some();
        if shared || entries || !whole {
            continue;
        }
        let query = AxialQuery {
            domain: Domain::new(-64, 1 << 16).expect("a domain"),
            compute: dump.compute,
            ..AxialQuery::new(&dump.law)
        };
        let arrays = dump.arrays();
        let decoded = decode_axes(dump.subject(&arrays), &query)
            .expect(name)
            .compared("positions", &dump.coordinates)
            .expect(name);
        for axis in &decoded.axes {
            let comparison = axis.comparison.as_ref().expect("a comparison");
            assert_eq!(comparison.differ, 0, "{name}: {decoded}");
            certified += comparison.agree;
            rows += comparison.agree + comparison.undecided;
        }
    }
    println!("{certified} of {rows} coordinates are certified");
    assert!(rows > 1500 && 10 * certified > 9 * rows, "{certified} of {rows}");
}
