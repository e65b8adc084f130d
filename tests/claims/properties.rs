//! Claims as checks of functions: their ids and sabotages are the ledger's.

use posproof::claim::Ledger;
use posproof::claims;
use posproof::property::{PROPERTIES, UNASKED};
use std::collections::BTreeSet;

pub fn every_claim_of_the_documents_asks_a_function_or_is_said_not_to() {
    let asked: BTreeSet<&str> = PROPERTIES.iter().map(|property| property.claim).collect();
    let unasked: BTreeSet<&str> = UNASKED.iter().copied().collect();
    let documents: BTreeSet<&str> = claims::of(Ledger::Documents).iter().map(|entry| entry.about().id).collect();
    assert_eq!(asked.union(&unasked).copied().collect::<BTreeSet<_>>(), documents);
    assert!(asked.is_disjoint(&unasked));
}

pub fn sabotages_are_those_of_the_ledger() {
    for property in PROPERTIES {
        let entry = claims::all().into_iter().find(|entry| entry.about().id == property.claim).expect(property.claim);
        assert_eq!(property.sabotage, entry.about().sabotage, "{}", property.claim);
    }
}
