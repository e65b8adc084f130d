//! The theorems behind claims: their statements and axioms, as the Coq sources at hand have them.

use crate::claim::{AS_WRITTEN, About};
use crate::proof::{Lost, at_hand};
use posproof_coq_audit::Development;

/// A theorem, as its pin has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stated {
    /// Its name.
    pub name: String,
    /// Its role: the claim, a part of it, or the refutation of what a document has.
    pub role: &'static str,
    /// The file that it stands in, within the sources.
    pub file: String,
    /// The statement as Coq prints it, without the name of the theorem.
    pub statement: String,
    /// The axioms that it depends upon, by their names without modules.
    pub axioms: Vec<String>,
}

impl Stated {
    /// The axioms in a line.
    pub fn axioms(&self) -> String {
        if self.axioms.is_empty() { "none".to_owned() } else { self.axioms.join(", ") }
    }
}

/// The theorems of the sources at hand.
#[derive(Debug)]
pub struct Theorems {
    development: Result<Development, Lost>,
}

impl Theorems {
    /// Reads the pins of the sources that [`locate`](crate::proof::locate) finds.
    pub fn at_hand() -> Self {
        Self { development: at_hand() }
    }

    /// The theorem of a claim, or the corollaries that state a part of it, and, where the claim is false as written, the
    /// refutation; without those that it lacks or that have no pin.
    ///
    /// # Errors
    ///
    /// Why the sources cannot be read.
    pub fn of(&self, about: &About) -> Result<Vec<Stated>, &Lost> {
        let development = self.development.as_ref()?;
        let role = |name: &str| match name.ends_with(AS_WRITTEN) {
            true => "refutes the claim as written",
            false => "the claim",
        };
        let names = about.theorems().into_iter();
        let whole = names.filter_map(|name| stated(development, role(&name), name));
        let parts = about.parts().iter();
        let parts = parts.filter_map(|name| stated(development, "a part of the claim", (*name).to_owned()));
        Ok(whole.chain(parts).collect())
    }
}

fn stated(development: &Development, role: &'static str, name: String) -> Option<Stated> {
    let (module, theorem) = development.pins.theorem(&name)?;
    let short = |axiom: &String| axiom.rsplit('.').next().unwrap_or(axiom).to_owned();
    Some(Stated {
        role,
        file: format!("proofs/{module}.v"),
        statement: theorem.statement.readable.clone(),
        axioms: theorem.axioms.iter().map(short).collect(),
        name,
    })
}
