//! Meaning of a model's configuration, its contradictions, and those with another file.
//!
//! ```
//! use posproof_check::lint::Lint;
//! use posproof_encoding::convention::{Convention, Layout};
//! use posproof_encoding::model::{InvalidConfig, LayerKind, Model, Rotation, SoftmaxScale};
//!
//! let convention = Convention { base: 500000.into(), layout: Layout::Halves, ..Convention::rope(128) };
//! let rotation = Rotation { convention, values: vec![], sections: vec![] };
//! let kind = LayerKind { name: "all".into(), layers: vec![], rotation: Some(rotation), softmax: SoftmaxScale::Usual };
//! let model = Model { model_type: None, part: None, measured_on: None, kinds: vec![kind], notes: vec![] };
//! let lint = Lint::new("config.json", model, 1e-2);
//! assert!(lint.conforms());
//! assert_eq!(lint.kinds[0].meanings[0].wavelengths.map(|(shortest, _)| shortest), Some(std::f64::consts::TAU));
//! ```

mod against;
mod buffers;
mod checkpoints;
mod compare;
mod declared;
mod difference;
mod document;
mod effect;
mod layers;
mod llama_cpp;
mod meaning;
mod rows;
mod text;
mod weights;

pub use against::Against;
pub use difference::{Difference, What};
pub use meaning::{Meaning, Reach};
pub use rows::{Arrangement, Decision, Heads, Rearranged, decide};

use crate::InvalidInput;
use crate::read::gguf::Gguf;
use crate::read::safetensors_names;
use buffers::Buffer;
use checkpoints::Checkpoint;
use compare::{RotationComparison, Side};
use declared::Declared;
use effect::Exactness;
use layers::layers;
use posproof_encoding::convention::Convention;
use posproof_encoding::model::{InvalidConfig, LayerKind, Model, Note, NoteKind, Rotation, SoftmaxScale};
use std::path::Path;

/// A configuration, what it means, and what other files say about the same model.
#[derive(Clone, Debug)]
pub struct Lint {
    /// The file, as it was named.
    pub file: String,
    /// Model that was read.
    pub model: Model,
    /// Meaning of each kind of layers.
    pub kinds: Vec<Kind>,
    /// Files that were compared with it.
    pub against: Vec<Against>,
}

/// A kind of layers and what it means.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The kind, as it was read.
    pub layers: LayerKind,
    /// Meanings of its rotation, one for each length that its rule tells apart; empty where it does not rotate.
    pub meanings: Vec<Meaning>,
}

impl Lint {
    /// Meaning of a configuration. `error` is the figure up to which it is said how far an encoding is guaranteed to be right.
    pub fn new(file: &str, model: Model, error: f64) -> Self {
        let meanings = |kind: &LayerKind| kind.rotation.as_ref().map_or(Vec::new(), |r| Meaning::of(r, error));
        let kinds = model.kinds.iter().map(|kind| Kind { meanings: meanings(kind), layers: kind.clone() }).collect();
        Self { file: file.to_owned(), model, kinds, against: Vec::new() }
    }

    /// A configuration that contradicts itself so that it means nothing.
    pub fn contradictory(file: &str, error: &InvalidConfig) -> Self {
        let InvalidConfig { key, found, expected, .. } = error;
        let message = format!("{found}; expected {expected}");
        let notes = vec![Note { kind: NoteKind::Contradiction, key: key.clone(), message }];
        let model = Model { model_type: None, part: None, measured_on: None, kinds: Vec::new(), notes };
        Self { file: file.to_owned(), model, kinds: Vec::new(), against: Vec::new() }
    }

    /// The notes that say that the configuration contradicts itself.
    fn contradictions(&self) -> impl Iterator<Item = &Note> {
        self.model.notes.iter().filter(|note| note.kind == NoteKind::Contradiction)
    }

    /// True if nothing contradicts: neither the configuration itself, nor what it was compared with.
    pub fn conforms(&self) -> bool {
        self.contradictions().next().is_none() && self.against.iter().all(|against| against.differences.is_empty())
    }

    /// True if something was left out of the comparison: it is said what, and why.
    pub fn leaves_out(&self) -> bool {
        self.against.iter().any(|against| !against.skipped.is_empty())
    }

    /// Compares another configuration.
    pub fn compare_model(&mut self, file: &str, other: &Model) {
        let mut against = Against::new(file);
        for kind in &self.model.kinds {
            let matching: Vec<&LayerKind> = matching(kind, &self.model.kinds, &other.kinds);
            if matching.is_empty() {
                against.skipped.push(format!("{}: the other file has no such layers", layers(kind)));
            }
            for other in matching {
                against.compared.push(format!("{}: {}, pairing", layers(kind), compared(&[])));
                against.kinds(kind, other);
            }
        }
        self.against.push(against);
    }

    /// Another configuration that contradicts itself: that is the difference.
    pub fn compare_contradictory(&mut self, file: &str, error: &InvalidConfig) {
        let InvalidConfig { key, found, expected, .. } = error;
        let last = key.rsplit('.').next().unwrap_or(key);
        let about = |parts: &[&str]| parts.iter().any(|part| last.contains(part));
        let what = match () {
            () if about(&["mrope_section"]) => What::Axes,
            () if about(&["theta", "base"]) => What::Base,
            () if about(&["beta", "factor", "scaling", "original_max", "rope_type"]) && !about(&["partial"]) => {
                What::Scaling
            }
            () if about(&["dim", "partial", "rotary", "hidden_size", "heads"]) => What::Width,
            () => What::Unexplained,
        };
        let mut against = Against::new(file);
        against.differences.push(Difference {
            what,
            kind: self.model.kinds.first().map_or(String::new(), |kind| kind.name.clone()),
            field: key.clone(),
            expected: expected.clone(),
            found: found.clone(),
            message: format!("it contradicts itself: {error}"),
        });
        self.against.push(against);
    }

    /// Compares the metadata of a GGUF file, and its tensors of factors.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`], with the key, where the file cannot be read.
    pub fn compare_gguf(&mut self, gguf: &Gguf) -> Result<(), InvalidInput> {
        let declared = Declared::read(gguf)?;
        let mut against = Against::new(gguf.name());
        for (what, why) in &declared.open {
            against.skipped.push(format!("{}: {why}", what.name()));
        }
        let several = self.model.kinds.iter().filter(|kind| kind.rotation.is_some()).count() > 1;
        for kind in &self.model.kinds {
            let Some(rotation) = &kind.rotation else {
                against.skipped.push(format!("{}: they do not rotate, and GGUF has no key that says so", layers(kind)));
                continue;
            };
            let sliding = several && kind.name.contains("sliding");
            let found = match (sliding, &declared.sliding) {
                (false, _) => &declared.full,
                (true, Some(sliding)) => sliding,
                (true, None) => {
                    let why = "without rope.freq_base_swa llama.cpp decides by the architecture";
                    against.skipped.push(format!("{}: {why}", layers(kind)));
                    continue;
                }
            };
            // Positions of text are equal on all axes, so that only layers that are read as such have sections.
            let sections = if sliding { rotation.sections.clone() } else { found.sections.clone() };
            let mut found = Rotation { sections, ..found.clone() };
            if declared.latent {
                let (dim, rotated) = (rotation.convention.dim, found.convention.rotated_dim());
                found.convention =
                    Convention { dim, rotary_dim: (rotated != dim).then_some(rotated), ..found.convention };
            }
            against.compared.push(format!("{}: {}", layers(kind), compared(&declared.open)));
            let expected = Side { rotation, decides: "the family", exactness: Exactness::Exact };
            let found = Side { rotation: &found, decides: "llama.cpp", exactness: Exactness::Single };
            let differences = RotationComparison::new(&kind.name, expected, found).differences();
            against.differences.extend(declared.logits.and_then(|found| logits(kind, found)));
            let open = |what: What| declared.open.iter().any(|(other, _)| *other == what);
            against.differences.extend(differences.into_iter().filter(|difference| !open(difference.what)));
        }
        self.against.push(against);
        Ok(())
    }

    /// Compares the frequencies that a checkpoint stores, tensors whose name ends with `inv_freq`, and the rows of queries and keys with
    /// the width of a head.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`], with the tensor, where the file cannot be read.
    pub fn compare_checkpoint(&mut self, path: &Path) -> Result<(), InvalidInput> {
        let file = path.to_string_lossy();
        let mut against = Against::new(&file);
        let names = safetensors_names(path)?;
        let buffers = names.iter().filter(|name| name.rsplit('.').next() == Some("inv_freq"));
        for name in buffers {
            if name.split('.').any(|part| part.starts_with("vis") || part.starts_with("audio")) {
                against.skipped.push(format!("{name}: it belongs to another part of the model"));
                continue;
            }
            let buffer = Buffer::read(&file, name)?;
            let layer = weights::layer(name);
            let rotating = self.model.kinds.iter().filter(|kind| kind.rotation.is_some());
            let kinds: Vec<&LayerKind> = match layer {
                Some(layer) => rotating.filter(|kind| kind.layers.is_empty() || kind.layers.contains(&layer)).collect(),
                None => rotating.collect(),
            };
            against.compared.push(format!("{name}: frequencies"));
            let found: Vec<Option<Difference>> = kinds
                .iter()
                .filter_map(|kind| Some(buffer.difference(&kind.name, &kind.rotation.as_ref()?.convention)))
                .collect();
            // A buffer without a layer is that of one of the kinds.
            if found.iter().all(Option::is_some) {
                against.differences.extend(found.into_iter().flatten().next());
            }
        }
        if against.compared.is_empty() && against.skipped.is_empty() {
            against.skipped.push("frequencies: the file has no tensor whose name ends with inv_freq".into());
        }
        Checkpoint::open(path)?.heads(&self.model.kinds, &mut against);
        self.against.push(against);
        Ok(())
    }

    /// Decides in which order the rows of queries' and keys' matrices stand that several checkpoints of the model have: the same, or
    /// what the names of the original code take. Of one that is compared with no other file the order is undetermined.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`], with the tensor, where a file cannot be read.
    pub fn compare_orders(&mut self, paths: &[impl AsRef<Path>]) -> Result<(), InvalidInput> {
        let opened = paths.iter().map(|path| Checkpoint::open(path.as_ref())).collect::<Result<Vec<_>, _>>()?;
        for (index, first) in opened.iter().enumerate() {
            for other in &opened[index + 1..] {
                self.against.extend(first.compare(other, &self.model.kinds)?);
            }
        }
        for alone in opened.iter().filter(|one| one.has_rows()) {
            let beside = |against: &Against| against.file.contains(" beside ") && against.file.contains(alone.file());
            if !self.against.iter().any(beside)
                && let Some(against) = self.against.iter_mut().find(|against| against.file == alone.file())
            {
                against.skipped.push(checkpoints::UNDETERMINED.into());
            }
        }
        Ok(())
    }

    /// Decides in which order a GGUF file has the rows of the queries' and keys' matrices of a checkpoint, and whether
    /// that is the order that llama.cpp's pairing needs.
    ///
    /// # Errors
    ///
    /// [`InvalidInput`], with the tensor, where a file cannot be read.
    pub fn compare_rows(&mut self, gguf: &Gguf, originals: &[impl AsRef<Path>]) -> Result<(), InvalidInput> {
        let architecture = Declared::read(gguf)?.architecture;
        let against = weights::compare(&self.model.kinds, gguf, &architecture, originals)?;
        self.against.push(against);
        Ok(())
    }
}

/// The factor of the logits under YaRN, where it differs from the one that a file declares. It is a number of f32 that is divided by 0.1.
fn logits(kind: &LayerKind, found: f64) -> Option<Difference> {
    let mscale_all_dim = kind.softmax.factors().iter().find_map(|factor| match factor {
        SoftmaxScale::Yarn { mscale_all_dim, .. } => Some(mscale_all_dim),
        _ => None,
    })?;
    let expected = mscale_all_dim.value().to_f64();
    let allowed = expected.abs() * f64::from(f32::EPSILON);
    ((expected - found).abs() > allowed).then(|| Difference {
        what: What::Softmax,
        kind: kind.name.clone(),
        field: "softmax".to_owned(),
        expected: mscale_all_dim.to_string(),
        found: found.to_string(),
        message: format!(
            "logits are to be multiplied by (1 + m·ln(s)/10)² with m = {mscale_all_dim}, and here m = {found}, ten times yarn_log_multiplier"
        ),
    })
}

/// Facts of rotations that are compared: all but those that a file leaves open.
fn compared(open: &[(What, String)]) -> String {
    let closed = |what: Option<What>| !open.iter().any(|(left, _)| what == Some(*left));
    let parts = [
        ("width", Some(What::Width)),
        ("base", Some(What::Base)),
        ("scaling", Some(What::Scaling)),
        ("attention factor", Some(What::Amplitude)),
        ("axes", None),
    ];
    parts.into_iter().filter(|(_, what)| closed(*what)).map(|(name, _)| name).collect::<Vec<_>>().join(", ")
}

/// The kinds of another file that share layers with this one; where layers are not numbered, the one of the same name, or
/// the only one.
fn matching<'a>(kind: &LayerKind, own: &[LayerKind], others: &'a [LayerKind]) -> Vec<&'a LayerKind> {
    if !kind.layers.is_empty() && others.iter().any(|other| !other.layers.is_empty()) {
        let shares = |other: &&LayerKind| other.layers.iter().any(|layer| kind.layers.contains(layer));
        return others.iter().filter(shares).collect();
    }
    match others.iter().find(|other| other.name == kind.name) {
        Some(other) => vec![other],
        None if others.len() == 1 || own.len() == 1 => others.iter().collect(),
        None => Vec::new(),
    }
}
