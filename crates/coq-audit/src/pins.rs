//! The pins: what a reviewer has accepted, one text file a Coq file.
//!
//! ```text
//! theorem shift_linearity
//!   forall (h : nat) (omega : nat -> R) (t k : R),
//!   RealMatrix.mulR h.*2 h.*2 1 (Encoding.shift_matrix h omega k) (Encoding.PE h omega t) = Encoding.PE h omega (t + k)
//! in full
//!   sha256 …
//! axioms
//!   ClassicalDedekindReals.sig_not_dec
//!
//! definition Encoding.PE
//!   Encoding.PE = …
//! in full
//!   sha256 …
//!
//! recursion RoundingSum.count
//!   fix count on argument 1, 2 calls
//! ```
//!
//! The text under a name is for readers. The hash is that of the same term printed in full, so that nothing that a
//! reader does not see can change unseen.

use super::query::Printed;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where the pins are, beside the sources.
pub const DIRECTORY: &str = "audit";
/// The extension of their files.
pub const EXTENSION: &str = "pin";

/// A text as accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pin {
    /// For readers.
    pub readable: String,
    /// `sha256` and the hash, in hexadecimal, of the text in full.
    pub full: String,
}

impl From<&Printed> for Pin {
    fn from(printed: &Printed) -> Self {
        let hash = super::hexadecimal(&Sha256::digest(printed.full.as_bytes()));
        Self { readable: printed.readable.clone(), full: format!("sha256 {hash}") }
    }
}

/// A theorem as accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TheoremPin {
    /// The statement.
    pub statement: Pin,
    /// The axioms that it depends upon, sorted.
    pub axioms: Vec<String>,
}

/// Kinds of names in a pinned text that are no theorems of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A proof: its statement is pinned.
    Lemma,
    /// Something with a meaning: its body is pinned.
    Definition,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Lemma, Self::Definition];

    /// As the pins and the findings call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lemma => "lemma",
            Self::Definition => "definition",
        }
    }
}

/// The pins of one Coq file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePins {
    /// Theorems by name.
    pub theorems: BTreeMap<String, TheoremPin>,
    /// The lemmas and definitions of the file that occur in some pinned text, by their name with the module.
    pub rests_on: BTreeMap<String, (Kind, Pin)>,
    /// The recursive functions in whatever the file declares, proofs included, by its name with the module.
    pub recursions: BTreeMap<String, Vec<String>>,
}

/// The pins of the development, by module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    /// One for each Coq file with theorems or with definitions that statements rest on.
    pub files: BTreeMap<String, FilePins>,
}

/// A pin file that is not as this program writes it.
#[derive(Debug, thiserror::Error)]
#[error("{DIRECTORY}/{module}.{EXTENSION}, line {line}: expected {expected}, found '{found}'")]
pub struct MalformedPins {
    module: String,
    line: usize,
    expected: &'static str,
    found: String,
}

/// Which text the indented lines belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PinnedPart {
    Readable,
    Full,
    Axioms,
}

impl Pins {
    /// Reads the pins from their texts, by module.
    pub fn parse(texts: &BTreeMap<String, String>) -> Result<Self, MalformedPins> {
        let mut pins = Self::default();
        for (module, text) in texts {
            pins.files.insert(module.clone(), FilePins::parse(module, text)?);
        }
        Ok(pins)
    }

    /// The texts to write, by module.
    pub fn to_texts(&self) -> BTreeMap<String, String> {
        self.files.iter().map(|(module, pins)| (module.clone(), pins.to_text())).collect()
    }

    /// The pinned theorem of that name, with its module.
    pub fn theorem(&self, name: &str) -> Option<(&str, &TheoremPin)> {
        self.files.iter().find_map(|(module, pins)| Some((module.as_str(), pins.theorems.get(name)?)))
    }
}

impl FilePins {
    fn parse(module: &str, text: &str) -> Result<Self, MalformedPins> {
        let mut pins = Self::default();
        // None before the first name.
        let mut place: Option<(Entry, PinnedPart)> = None;
        for (index, line) in text.lines().enumerate() {
            let malformed = |expected| MalformedPins {
                module: module.to_owned(),
                line: index + 1,
                expected,
                found: line.to_owned(),
            };
            if let Some(content) = line.strip_prefix("  ") {
                let (entry, part) = place.as_mut().ok_or_else(|| malformed(NAMED))?;
                entry.append(*part, content);
            } else if line == "in full" || line == "axioms" {
                let part = if line == "axioms" { PinnedPart::Axioms } else { PinnedPart::Full };
                place = match place {
                    Some((entry, PinnedPart::Readable))
                        if part == PinnedPart::Full && entry.what != What::Recursion =>
                    {
                        Some((entry, part))
                    }
                    Some((entry, PinnedPart::Full)) if part == PinnedPart::Axioms && entry.what == What::Theorem => {
                        Some((entry, part))
                    }
                    _ => return Err(malformed("'in full' after a text, then 'axioms' where it is a theorem's")),
                };
            } else if let Some(entry) = Entry::named(line) {
                place.take().map_or(Ok(()), |(entry, _)| entry.finish(&mut pins)).map_err(malformed)?;
                place = Some((entry, PinnedPart::Readable));
            } else if !line.is_empty() {
                return Err(malformed(
                    "'theorem NAME', 'lemma NAME', 'definition NAME', 'recursion NAME', 'in full', 'axioms' or an indented line",
                ));
            }
        }
        let last = |expected| MalformedPins {
            module: module.to_owned(),
            line: text.lines().count(),
            expected,
            found: "the end of the file".to_owned(),
        };
        place.map_or(Ok(()), |(entry, _)| entry.finish(&mut pins)).map_err(last)?;
        Ok(pins)
    }

    fn to_text(&self) -> String {
        let theorems = self.theorems.iter().map(|(name, TheoremPin { statement, axioms })| {
            let axioms: String = axioms.iter().map(|axiom| format!("  {axiom}\n")).collect();
            format!("{}axioms\n{axioms}", written("theorem", name, statement))
        });
        let rests_on = self.rests_on.iter().map(|(name, (kind, pin))| written(kind.name(), name, pin));
        let recursions = self.recursions.iter().map(|(name, words)| named("recursion", name, words));
        theorems.chain(rests_on).chain(recursions).collect::<Vec<_>>().join("\n")
    }
}

fn written(kind: &str, name: &str, pin: &Pin) -> String {
    format!("{}in full\n  {}\n", named(kind, name, pin.readable.lines()), pin.full)
}

fn named<T: AsRef<str>>(kind: &str, name: &str, lines: impl IntoIterator<Item = T>) -> String {
    let mut text = format!("{kind} {name}\n");
    for line in lines {
        let _ = writeln!(text, "  {}", line.as_ref());
    }
    text
}

/// Heading that an indented line stands under.
const NAMED: &str = "'theorem NAME', 'lemma NAME', 'definition NAME' or 'recursion NAME'";

/// Subject of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Theorem,
    RestsOn(Kind),
    Recursion,
}

/// Entry that is being read.
struct Entry {
    what: What,
    name: String,
    pin: Pin,
    axioms: Vec<String>,
}

impl Entry {
    fn named(line: &str) -> Option<Self> {
        let (word, name) = line.split_once(' ')?;
        let what = match word {
            "theorem" => What::Theorem,
            "recursion" => What::Recursion,
            _ => What::RestsOn(Kind::ALL.into_iter().find(|kind| kind.name() == word)?),
        };
        Some(Self { what, name: name.to_owned(), pin: Pin::default(), axioms: Vec::new() })
    }

    fn append(&mut self, part: PinnedPart, line: &str) {
        match part {
            PinnedPart::Readable => append(&mut self.pin.readable, line),
            PinnedPart::Full => append(&mut self.pin.full, line),
            PinnedPart::Axioms => self.axioms.push(line.to_owned()),
        }
    }

    /// The error is what was expected.
    fn finish(self, pins: &mut FilePins) -> Result<(), &'static str> {
        let Self { what, name, pin, axioms } = self;
        let hash = pin.full.strip_prefix("sha256 ").unwrap_or_default();
        let hashed = hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        if what != What::Recursion && !hashed {
            return Err("'in full' and 'sha256' with 64 hexadecimal digits before what follows");
        }
        let known = match what {
            What::Theorem => pins.theorems.insert(name, TheoremPin { statement: pin, axioms }).is_some(),
            What::RestsOn(kind) => pins.rests_on.insert(name, (kind, pin)).is_some(),
            What::Recursion => {
                pins.recursions.insert(name, pin.readable.lines().map(str::to_owned).collect()).is_some()
            }
        };
        if known { Err("each name once") } else { Ok(()) }
    }
}

fn append(text: &mut String, line: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pin(readable: &str) -> Pin {
        Pin::from(&Printed { readable: readable.to_owned(), full: readable.to_owned() })
    }

    #[test]
    fn pins_are_read_as_they_are_written() {
        let theorem = TheoremPin { statement: pin("forall x,\n    x = x"), axioms: vec!["A.b".into(), "C.d".into()] };
        let closed = TheoremPin { statement: pin("True"), axioms: Vec::new() };
        let definition = (Kind::Definition, pin("E.PE =\nfun h => h\n     : nat"));
        let lemma = (Kind::Lemma, pin("forall x, x < S x"));
        let pins = FilePins {
            theorems: [("one".to_owned(), theorem), ("two".to_owned(), closed)].into(),
            rests_on: [("E.PE".to_owned(), definition), ("E.less".to_owned(), lemma)].into(),
            recursions: [("E.less".to_owned(), vec!["fix f on argument 1, 1 calls".into(), "fix g".into()])].into(),
        };
        assert_eq!(FilePins::parse("E", &pins.to_text()).expect("well-formed"), pins);
    }

    #[test]
    fn a_pin_file_that_was_edited_is_named_with_the_line() {
        let hash = "0".repeat(64);
        for (bad, line) in [
            ("  x".to_owned(), 1),
            ("lemma a".to_owned(), 1),
            ("corollary a".to_owned(), 1),
            ("recursion a\n  b\nin full\n".to_owned(), 3),
            ("theorem a\n  b\n".to_owned(), 2),
            ("theorem a\n  b\naxioms\n  c\n".to_owned(), 3),
            ("theorem a\n  b\nin full\n  sha256 0\n".to_owned(), 4),
            (format!("theorem a\n  b\nin full\n  sha256 {hash}\naxioms\n  c\naxioms\n"), 7),
            (format!("lemma a\n  b\nin full\n  sha256 {hash}\naxioms\n"), 5),
            (format!("lemma a\n  b\nin full\n  sha256 {hash}\nlemma a\n  b\nin full\n  sha256 {hash}\n"), 8),
        ] {
            let error = FilePins::parse("E", &bad).expect_err(&bad).to_string();
            assert!(error.starts_with(&format!("audit/E.pin, line {line}:")), "{bad}: {error}");
        }
    }
}
