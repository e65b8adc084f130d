//! The sections and the order of the axes of real modules are recovered from what they computed, at known positions.

use crate::dump::{Dump, angles, families, index, shown};
use posproof_check::MeasuredAxis;
use posproof_check::axes::identify_axes;
use posproof_check::{Confidence, Grid, Subject};
use posproof_encoding::axes::AxialLaw;
use std::collections::BTreeSet;

/// Dumps of which no law is found, though every slot is given to its axes, and why; a list that has one too many is as red as one that lacks one.
const LAWLESS: [(&str, &str); 4] = [
    ("mixed", "slots that two axes turn follow no law of one axis: both axes have all of them, which is found"),
    ("mochi", "learned rates, each slot turned by all three axes, which is found"),
    ("timm-pixels", "rates on a linear scale, most beyond half a turn for a step, show no law"),
    ("vjepa2", "tiled rates: those of the second half of the entries are those of the first again"),
];

/// The names of the axes of a slot, without those that no row shows to move.
fn axes(law: &AxialLaw, slot: usize) -> BTreeSet<String> {
    law.claims(slot).iter().map(|claim| law.axes()[claim.axis].name().to_owned()).collect()
}

#[test]
fn sections_and_order_of_the_axes_of_real_modules_are_recovered() {
    let (families, index) = (families(), index());
    let (mut established, mut slots, mut lawless) = (0, 0, Vec::new());
    for (name, said) in &index {
        let dump = Dump::new(name, said, &families);
        let arrays = dump.arrays();
        let subject = dump.subject(&arrays);
        let names: Vec<String> = dump.law.axes().iter().map(|axis| axis.name().to_owned()).collect();
        let found = identify_axes(subject, &dump.coordinates, &names).unwrap();
        let standing = found.still.clone().unwrap();
        let Some(convention) = &found.convention else {
            assert!(!found.undetermined.is_empty() && !found.axes.is_empty(), "{name}: {found}");
            let exact = angles(&dump.law, &dump.coordinates);
            // Of columns of a cache, or entries that turn by angles of their own.
            let width = arrays[0].width();
            let (count, step) = match (subject, found.columns) {
                (Subject::Rope { .. }, Some("repeated")) => (width / 2, 2),
                (Subject::Rope { .. }, Some("halves")) => (width / 2, 1),
                _ => (width, 1),
            };
            for slot in (0..count).filter(|slot| !standing.contains(slot)) {
                let has = |axis: &&MeasuredAxis| axis.slots.contains(&slot);
                let own: BTreeSet<String> = found.axes.iter().filter(has).map(|axis| axis.name.clone()).collect();
                let stated = match subject {
                    Subject::Rope { .. } => shown(&dump.law, &exact, subject, (step * slot, step * slot)),
                    _ => vec![slot],
                };
                let same = stated.iter().any(|&slot| axes(&dump.law, slot) == own);
                assert!(same, "{name}: slot {slot} is of {own:?}, not of slots {stated:?}: {found}");
                slots += 1;
            }
            lawless.push(name.as_str());
            continue;
        };
        assert_eq!(found.confidence, Confidence::Established, "{name}: {found}");
        let law = convention.law(|_| Err("none are stored".into())).unwrap();
        let exact = angles(&dump.law, &dump.coordinates);
        for (slot, turn) in law.turns().iter().enumerate() {
            let entries = match (subject, found.columns) {
                (Subject::Rope { .. }, Some("slots")) => vec![(slot, slot)],
                (Subject::Rope { .. }, _) => vec![(turn.write.0, turn.write.0), (turn.write.1, turn.write.1)],
                _ => vec![turn.write],
            };
            for entries in entries {
                let own = axes(&law, turn.slots.0);
                // Slots that no row moves may be of any axis.
                let still = standing.contains(&turn.slots.0);
                let stated = shown(&dump.law, &exact, subject, entries);
                let same = stated.iter().any(|&slot| axes(&dump.law, slot) == own) || still || stated.is_empty();
                assert!(same, "{name}: entries {entries:?} are of {own:?}, not of slots {stated:?}: {found}");
                slots += usize::from(!still);
            }
            // The second entry of a pair that turns by angles of their own.
            let second = turn.slots.1;
            if matches!(subject, Subject::Rotation { .. }) && !law.is_rotation() && !standing.contains(&second) {
                assert_eq!(axes(&law, second), axes(&dump.law, second), "{name}: entry {second}: {found}");
                slots += 1;
            }
        }
        established += 1;
    }
    println!("{established} conventions established, {slots} slots of their axes");
    assert_eq!(lawless, LAWLESS.map(|(name, _)| name), "{LAWLESS:?}");
    assert_eq!(established + lawless.len(), index.len());
}

/// Sums of axes: that both turn all slots is what can be said.
#[test]
fn sums_of_axes_are_told_as_such() {
    let dump = Dump::new("mixed", &index()["mixed"], &families());
    let arrays = dump.arrays();
    let found = identify_axes(dump.subject(&arrays), &dump.coordinates, &["x".into(), "y".into()]).unwrap();
    let every: Vec<usize> = (0..32).collect();
    assert!(found.axes.len() == 2 && found.axes.iter().all(|axis| axis.slots == every), "{found}");
    assert!(found.to_string().contains("several axes"), "{found}");
}
