//! The reading and the comparison for scripts: an element of `files` in `posproof.lint/1`.

use super::{Against, Difference, Lint, Meaning, Reach, meaning, text};
use posproof_encoding::convention::Convention;
use posproof_encoding::model::{Origin, Rotation, Setting};
use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct File<'a> {
    file: &'a str,
    conforms: bool,
    model_type: Option<&'a str>,
    part: Option<&'a str>,
    measured_on: Option<&'a str>,
    kinds: Vec<LintedKind<'a>>,
    notes: Vec<Note<'a>>,
    against: Vec<LintedComparison<'a>>,
}

#[derive(Serialize)]
struct LintedKind<'a> {
    name: &'a str,
    layers: &'a [usize],
    rotation: Option<RotatedConvention<'a>>,
    softmax: Option<String>,
}

#[derive(Serialize)]
struct RotatedConvention<'a> {
    convention: &'a Convention,
    values: Vec<From<'a>>,
    sections: &'a [u64],
    meanings: Vec<Meant<'a>>,
}

#[derive(Serialize)]
struct From<'a> {
    field: &'a str,
    value: &'a str,
    from: &'static str,
    origin: String,
}

#[derive(Serialize)]
struct Meant<'a> {
    sequence_length: Option<u64>,
    wavelengths: Option<[f64; 2]>,
    turning_pairs: usize,
    bands: Option<[usize; 3]>,
    gain: f64,
    reach: Vec<Reached<'a>>,
    sentences: Vec<String>,
}

#[derive(Serialize)]
struct Reached<'a> {
    compute: &'static str,
    storage: &'static str,
    error: f64,
    positions: Option<u64>,
    origin: &'a str,
}

#[derive(Serialize)]
struct Note<'a> {
    kind: &'static str,
    key: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct LintedComparison<'a> {
    file: &'a str,
    compared: &'a [String],
    skipped: &'a [String],
    findings: Vec<LintedFinding<'a>>,
}

#[derive(Serialize)]
struct LintedFinding<'a> {
    code: &'static str,
    kind: &'a str,
    field: &'a str,
    expected: &'a str,
    found: &'a str,
    message: &'a str,
}

impl Serialize for Lint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let kinds = self.kinds.iter().map(|kind| LintedKind {
            name: &kind.layers.name,
            layers: &kind.layers.layers,
            rotation: kind.layers.rotation.as_ref().map(|rotation| RotatedConvention::of(rotation, &kind.meanings)),
            softmax: meaning::softmax(&kind.layers),
        });
        let notes = self.model.notes.iter().map(|note| Note {
            kind: text::kind_of(note),
            key: &note.key,
            message: &note.message,
        });
        let document = File {
            file: &self.file,
            conforms: self.conforms(),
            model_type: self.model.model_type.as_deref(),
            part: self.model.part.as_deref(),
            measured_on: self.model.measured_on.as_deref(),
            kinds: kinds.collect(),
            notes: notes.collect(),
            against: self.against.iter().map(LintedComparison::of).collect(),
        };
        document.serialize(serializer)
    }
}

impl<'a> RotatedConvention<'a> {
    fn of(rotation: &'a Rotation, meanings: &'a [Meaning]) -> Self {
        Self {
            convention: &rotation.convention,
            values: rotation.values.iter().map(From::of).collect(),
            sections: &rotation.sections,
            meanings: meanings.iter().map(|meaning| Meant::of(meaning, &rotation.sections)).collect(),
        }
    }
}

impl<'a> From<'a> {
    fn of(value: &'a Setting) -> Self {
        let from = match value.origin {
            Origin::File { .. } => "file",
            Origin::Family { .. } => "family",
            Origin::Rule => "rule",
            Origin::Stated { .. } => "stated",
        };
        Self { field: &value.field, value: &value.value, from, origin: value.origin.to_string() }
    }
}

impl<'a> Meant<'a> {
    fn of(meaning: &'a Meaning, sections: &[u64]) -> Self {
        Self {
            sequence_length: meaning.length,
            wavelengths: meaning.wavelengths.map(|(shortest, longest)| [shortest, longest]),
            turning_pairs: meaning.turning,
            bands: meaning.bands,
            gain: meaning.gain,
            reach: meaning.reach.iter().map(Reached::of).collect(),
            sentences: meaning.sentences(sections),
        }
    }
}

impl<'a> Reached<'a> {
    fn of(reach: &'a Reach) -> Self {
        let (compute, storage) = (reach.compute.name(), reach.storage.name());
        Self { compute, storage, error: reach.error, positions: reach.positions, origin: &reach.origin }
    }
}

impl<'a> LintedComparison<'a> {
    fn of(against: &'a Against) -> Self {
        let found = |difference: &'a Difference| LintedFinding {
            code: difference.what.name(),
            kind: &difference.kind,
            field: &difference.field,
            expected: &difference.expected,
            found: &difference.found,
            message: &difference.message,
        };
        let findings = against.differences.iter().map(found).collect();
        Self { file: &against.file, compared: &against.compared, skipped: &against.skipped, findings }
    }
}
