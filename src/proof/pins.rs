//! The pins: what a reviewer has accepted, one text file a Coq file.
//!
//! ```text
//! theorem shift_linearity
//!   forall (h : nat) (omega : nat -> R) (t k : R),
//!   RealMatrix.mulR (Encoding.shift_matrix h omega k) (Encoding.PE h omega t) = Encoding.PE h omega (t + k)
//! axioms
//!   ClassicalDedekindReals.sig_not_dec
//!
//! definition Encoding.PE
//!   Encoding.PE = …
//! ```

use super::query::Theorem;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where the pins are, in `proofs/`.
pub const DIRECTORY: &str = "audit";
/// The extension of their files.
pub const EXTENSION: &str = "pin";

/// The pins of one Coq file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePins {
    /// Theorems by name.
    pub theorems: BTreeMap<String, Theorem>,
    /// The definitions of the file that some theorem's statement rests on, by their name with the module.
    pub definitions: BTreeMap<String, String>,
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
pub struct Malformed {
    module: String,
    line: usize,
    expected: &'static str,
    found: String,
}

/// Which text the indented lines belong to.
enum Place {
    Nowhere,
    Statement(String),
    Axioms(String),
    Definition(String),
}

impl Pins {
    /// Reads the pins from their texts, by module.
    pub fn parse(texts: &BTreeMap<String, String>) -> Result<Self, Malformed> {
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
    pub fn theorem(&self, name: &str) -> Option<(&str, &Theorem)> {
        self.files.iter().find_map(|(module, pins)| Some((module.as_str(), pins.theorems.get(name)?)))
    }
}

impl FilePins {
    fn parse(module: &str, text: &str) -> Result<Self, Malformed> {
        let mut pins = Self::default();
        let mut place = Place::Nowhere;
        for (index, line) in text.lines().enumerate() {
            let malformed =
                |expected| Malformed { module: module.to_owned(), line: index + 1, expected, found: line.to_owned() };
            if let Some(content) = line.strip_prefix("  ") {
                match &place {
                    Place::Nowhere => return Err(malformed("'theorem NAME' or 'definition NAME'")),
                    Place::Statement(name) => {
                        append(&mut pins.theorems.entry(name.clone()).or_default().statement, content)
                    }
                    Place::Axioms(name) => {
                        pins.theorems.entry(name.clone()).or_default().axioms.push(content.to_owned())
                    }
                    Place::Definition(name) => append(pins.definitions.entry(name.clone()).or_default(), content),
                }
            } else if let Some(name) = line.strip_prefix("theorem ") {
                if pins.theorems.insert(name.to_owned(), Theorem::default()).is_some() {
                    return Err(malformed("each theorem once"));
                }
                place = Place::Statement(name.to_owned());
            } else if let Some(name) = line.strip_prefix("definition ") {
                if pins.definitions.insert(name.to_owned(), String::new()).is_some() {
                    return Err(malformed("each definition once"));
                }
                place = Place::Definition(name.to_owned());
            } else if line == "axioms" {
                place = match place {
                    Place::Statement(name) => Place::Axioms(name),
                    _ => return Err(malformed("'axioms' after a theorem's statement")),
                };
            } else if !line.is_empty() {
                return Err(malformed("'theorem NAME', 'axioms', 'definition NAME' or an indented line"));
            }
        }
        Ok(pins)
    }

    fn to_text(&self) -> String {
        let mut parts = Vec::new();
        let indented = |text: &mut String, lines: &str| {
            for line in lines.lines() {
                let _ = writeln!(text, "  {line}");
            }
        };
        for (name, Theorem { statement, axioms }) in &self.theorems {
            let mut text = format!("theorem {name}\n");
            indented(&mut text, statement);
            text.push_str("axioms\n");
            indented(&mut text, &axioms.join("\n"));
            parts.push(text);
        }
        for (name, body) in &self.definitions {
            let mut text = format!("definition {name}\n");
            indented(&mut text, body);
            parts.push(text);
        }
        parts.join("\n")
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

    #[test]
    fn pins_are_read_as_they_are_written() {
        let theorem = Theorem { statement: "forall x,\n    x = x".into(), axioms: vec!["A.b".into(), "C.d".into()] };
        let closed = Theorem { statement: "True".into(), axioms: Vec::new() };
        let pins = FilePins {
            theorems: [("one".to_owned(), theorem), ("two".to_owned(), closed)].into(),
            definitions: [("E.PE".to_owned(), "E.PE =\nfun h => h\n     : nat".to_owned())].into(),
        };
        assert_eq!(FilePins::parse("E", &pins.to_text()).expect("well-formed"), pins);
        for bad in ["  x", "theorem a\n  b\naxioms\n  c\naxioms\n", "lemma a", "theorem a\n  b\ntheorem a\n"] {
            assert!(FilePins::parse("E", bad).is_err(), "{bad}");
        }
    }
}
