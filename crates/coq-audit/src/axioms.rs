//! Which axioms theorems depend upon, asked of many theorems at once.
//!
//! Coq looks through every proof behind a theorem, down to the libraries', each time that it is asked: seconds a
//! theorem, and nearly the same libraries for all. Of a pair of theorems it looks through them once. So theorems
//! that are pinned with the same axioms are asked about together: where Coq prints these very axioms of all of them
//! together, none depends on more. That none depends on fewer was seen when they were asked about one by one, and
//! holds as long as the sources are those of then: [`Seals`] remembers which these were. Where they are others, or
//! the answer is another, each theorem is asked about by itself.

use super::coq::Lacking;
use super::query::{Answer, Axioms, Session};
use super::source::Source;
use super::{Development, digest};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The file beside the pins that holds the seals.
pub const FILE: &str = "SOURCES";

const HEADER: &str = "\
# For which sources each file's axioms were printed theorem by theorem: a hash of its text, of the texts of all that it
# requires, and of the axioms pinned. While it fits, posproof prove asks about theorems with the same axioms together.
# A line that does not fit costs time, nothing else. posproof prove --accept writes this file.
";

/// For which sources the axioms were printed theorem by theorem, by module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seals(BTreeMap<String, String>);

impl Seals {
    /// Reads what [`Self::to_text`] writes; other lines are passed over, since a seal that is missing only costs time.
    pub fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        Self(lines.filter_map(|line| line.split_once(" sha256 ")).map(|(m, h)| (m.to_owned(), h.to_owned())).collect())
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let lines: String = self.0.iter().map(|(module, hash)| format!("{module} sha256 {hash}\n")).collect();
        format!("{HEADER}{lines}")
    }

    /// The seals of a development whose pinned axioms Coq has printed for the very sources at hand.
    pub fn of(development: &Development) -> Self {
        let pinned = development.pins.files.iter().filter(|(_, pins)| !pins.theorems.is_empty());
        let sources = pinned.filter_map(|(module, _)| development.source(module));
        Self(sources.filter_map(|source| Some((source.module.clone(), seal(development, source)?))).collect())
    }

    /// True if the pinned axioms of the file's theorems are those that Coq printed of each for the sources at hand.
    fn hold(&self, development: &Development, source: &Source) -> bool {
        self.0.get(&source.module).is_some_and(|found| seal(development, source).as_ref() == Some(found))
    }
}

/// None where a theorem of the file is not pinned.
fn seal(development: &Development, source: &Source) -> Option<String> {
    let required = development.closure([source.module.clone()]);
    let sources = development.sources.iter().filter(|other| required.contains(&other.module));
    let texts = sources.flat_map(|other| [other.module.as_str(), other.text.as_str()]);
    let pinned = development.pins.files.get(&source.module)?;
    let mut parts: Vec<&str> = texts.collect();
    for theorem in &source.theorems {
        parts.push(&theorem.name);
        parts.extend(pinned.theorems.get(&theorem.name)?.axioms.iter().map(String::as_str));
    }
    Some(digest(parts))
}

/// Theorems that are asked about together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Each with its module.
    pub theorems: Vec<(String, String)>,
    /// Axioms that all of them are pinned with; none where each has to be asked about by itself.
    expected: Option<Vec<String>>,
}

impl Group {
    /// The theorems of these files in groups.
    pub fn all<'a>(development: &Development, sources: impl IntoIterator<Item = &'a Source>) -> Vec<Self> {
        let mut together: BTreeMap<Vec<String>, Vec<(String, String)>> = BTreeMap::new();
        let mut groups = Vec::new();
        for source in sources.into_iter().filter(|source| !source.theorems.is_empty()) {
            let theorems = source.theorems.iter().map(|theorem| (source.module.clone(), theorem.name.clone()));
            let pins = development.pins.files.get(&source.module);
            match pins.filter(|_| development.seals.hold(development, source)) {
                Some(pins) => theorems.for_each(|(module, name)| {
                    let axioms = pins.theorems.get(&name).map(|pin| pin.axioms.clone()).unwrap_or_default();
                    together.entry(axioms).or_default().push((module, name));
                }),
                None => groups.push(Self { theorems: theorems.collect(), expected: None }),
            }
        }
        let together = together.into_iter().map(|(axioms, theorems)| Self { theorems, expected: Some(axioms) });
        groups.extend(together);
        groups
    }

    /// The axioms of each.
    pub fn ask(&self, session: &Session<'_>) -> Answer<Axioms> {
        if let Some(expected) = &self.expected {
            match self.together(session)? {
                Ok(found) if found == *expected => {
                    let each = self.theorems.iter().map(|theorem| (theorem.clone(), expected.clone()));
                    return Ok(Ok(each.collect()));
                }
                Ok(_) => {}
                Err(message) => return Ok(Err(message)),
            }
        }
        self.one_by_one(session)
    }

    /// All theorems in one term, and what it depends upon. In one whose type says nothing of them: the type of a tuple is all
    /// their statements, again for each part of it.
    fn together(&self, session: &Session<'_>) -> Result<Result<Vec<String>, String>, Lacking> {
        let each = self.theorems.iter().map(|(module, name)| format!("let _ := @{} in\n", session.named(module, name)));
        let all: String = each.collect();
        let text = format!(
            "{}Definition together : Coq.Init.Logic.True :=\n{all}Coq.Init.Logic.I.\nRedirect \"0\" Print Assumptions together.\n",
            self.head(session)
        );
        Ok(session.run(&text)?.and_then(|()| session.printed("0").map(|text| printed(&text))))
    }

    fn one_by_one(&self, session: &Session<'_>) -> Answer<Axioms> {
        let mut text = self.head(session);
        for (place, (module, name)) in self.theorems.iter().enumerate() {
            let _ = writeln!(text, "Redirect \"{place}\" Print Assumptions {}.", session.named(module, name));
        }
        let answered = session.run(&text)?;
        let each = self.theorems.iter().enumerate();
        Ok(answered.and_then(|()| {
            each.map(|(place, theorem)| Ok((theorem.clone(), printed(&session.printed(&place.to_string())?)))).collect()
        }))
    }

    fn head(&self, session: &Session<'_>) -> String {
        let modules: BTreeSet<&str> = self.theorems.iter().map(|(module, _)| module.as_str()).collect();
        session.loading(modules)
    }
}

/// The names under "Axioms:". A line that says something else, such as "… is assumed to be
/// guarded", is kept whole, so that it cannot be pinned unseen.
fn printed(printed: &str) -> Vec<String> {
    let skipped = ["Axioms:", "Closed under the global context"];
    let lines = printed.lines().map(str::trim_end).filter(|line| !line.is_empty() && !line.starts_with(' '));
    let names = lines.filter(|line| !skipped.contains(line)).map(|line| match line.split_once(" : ") {
        Some((name, _)) => name.to_owned(),
        None => line.to_owned(),
    });
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_coq_prints_is_taken_apart() {
        let text = "Axioms:\nA.b : forall P : Prop, {~ ~ P} + {~ P}\nA.a\n  : forall P : nat -> Prop, P\nf is assumed to be guarded.\n";
        assert_eq!(printed(text), ["A.a", "A.b", "f is assumed to be guarded."]);
        assert!(printed("Closed under the global context\n").is_empty());
    }
}
