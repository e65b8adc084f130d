//! The list of claims: one file a claim, one line here.

use crate::evidence::Entry;

pub mod attention;
pub mod encoding;
pub mod phasor;
pub mod rope;
pub mod shift;
pub mod sinusoid;
pub mod toeplitz;

/// All claims, in the order of the ledger.
pub fn all() -> Vec<&'static dyn Entry> {
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

/// Declares the claims of a subject: `module: Type` for each, and the list of them.
macro_rules! claims {
    ($($module:ident: $claim:ident,)*) => {
        $(pub mod $module;)*

        /// The claims of this subject, in the order of the ledger.
        pub const CLAIMS: &[&dyn crate::evidence::Entry] = &[$(&$module::$claim,)*];
    };
}
use claims;
