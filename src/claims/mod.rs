//! The list of claims: one file a claim, one line here.

use crate::claim::{About, Ledger};
use crate::evidence::Entry;

pub mod attention;
pub mod encoding;
pub mod literature;
pub mod phasor;
pub mod rope;
pub mod shift;
pub mod sinusoid;
pub mod toeplitz;

/// All claims: those of the first ledger, then those of the second.
pub fn all() -> Vec<&'static dyn Entry> {
    Ledger::ALL.into_iter().flat_map(of).collect()
}

/// The claims of a ledger, in its order.
pub fn of(ledger: Ledger) -> Vec<&'static dyn Entry> {
    match ledger {
        Ledger::Documents => documents(),
        Ledger::Literature => literature::all(),
    }
}

fn documents() -> Vec<&'static dyn Entry> {
    [
        sinusoid::CLAIMS,
        shift::CLAIMS,
        toeplitz::CLAIMS,
        rope::CLAIMS,
        phasor::CLAIMS,
        attention::CLAIMS,
        encoding::CLAIMS,
    ]
    .concat()
}

impl About {
    /// The ledger that it belongs to: that of the document which is named first; none for a claim of one's own.
    pub fn ledger(&self) -> Option<Ledger> {
        self.sources.first().filter(|_| self.is_listed()).and_then(|source| source.document.ledger())
    }

    /// True if it is a claim of the ledgers: the command line knows these alone.
    pub fn is_listed(&self) -> bool {
        all().iter().any(|entry| {
            let listed = entry.about();
            (listed.id, listed.statement) == (self.id, self.statement)
        })
    }
}

/// Declares the claims of a subject: `module: Type` for each, and the list of them.
macro_rules! claims {
    ($($module:ident: $claim:ident,)*) => {
        $(pub mod $module;)*

        /// The claims of this subject, in the order of the ledger.
        pub const CLAIMS: &[&dyn crate::evidence::Entry] = &[$(&$module::$claim,)*];
    };
}
use claims;
