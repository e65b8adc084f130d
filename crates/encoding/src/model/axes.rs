//! The conventions of several axes of multimodal models: sections of the text part, grids of the vision part.

use super::file::text;
use super::keys::{Keys, shortened};
use super::{InvalidConfig, Model, Problem, Rotation, json};
use crate::atlas::Atlas;
use crate::axes::{AxialConvention, AxialLayout, Axis, AxisParameters, Index, SectionsOrder, SlotKind, sections};
use crate::convention::Encoding;
use crate::real::Real;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

/// Arrangement of axes in each family, by `model_type` of the part; a row says which class it was read from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Families {
    software: String,
    text: BTreeMap<String, Text>,
    vision: BTreeMap<String, Vision>,
}

/// A text part whose sections are axes.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    sections: SectionsOrder,
    source: String,
}

/// A vision part that rotates by rows and columns of a grid.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Vision {
    grid: Grid,
    /// The keys whose quotient the width of a head is, where `head_dim` does not state it.
    head: String,
    source: String,
}

/// Arrangements of a grid's axes in a head of n pairs.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Grid {
    /// Height has the first n/2 pairs, width the others, each with frequencies of its own; halves.
    HeightWidth,
    /// The same, with the even frequencies of the whole head for height and the odd ones for width.
    HeightWidthInTurn,
    /// Width has the first n/2 pairs, height the others, coordinates counted from 1; neighbouring entries.
    #[serde(rename = "width-height-from-1")]
    WidthHeightFromOne,
}

fn families() -> &'static Families {
    static FAMILIES: OnceLock<Families> = OnceLock::new();
    FAMILIES.get_or_init(|| {
        serde_json::from_str(include_str!("../atlas/axes.json"))
            .unwrap_or_else(|error| unreachable!("axes.json: {error}"))
    })
}

fn problem(problem: Problem, key: &str, found: impl Into<String>, expected: impl Into<String>) -> InvalidConfig {
    InvalidConfig { problem, key: key.to_owned(), found: found.into(), expected: expected.into() }
}

impl Model {
    /// The key of the part of a configuration that rotates by rows and columns.
    pub const VISION: &str = "vision_config";

    /// The convention of the axes t, h and w of layers that rotate so, by the sections of the file and the arrangement of the family; the
    /// source of the latter.
    ///
    /// # Errors
    ///
    /// [`Problem::Missing`] without sections, [`Problem::UnknownFamily`] for a family whose arrangement is not known,
    /// [`Problem::Contradiction`] for sections that do not add up to the rotated pairs, [`Problem::NotExpressible`] for a scaling rule that
    /// depends on the length.
    pub fn sectioned(&self, rotation: &Rotation) -> Result<(AxialConvention, String), InvalidConfig> {
        let key = "mrope_section";
        if rotation.sections.is_empty() {
            let expected = "three numbers of pairs, for the axes t, h and w; positions of several axes have sections";
            return Err(problem(Problem::Missing, key, "nothing", expected));
        }
        let known = families();
        let name = self.model_type.as_deref().unwrap_or("none");
        let row = known.text.get(name).ok_or_else(|| {
            let names: Vec<&str> = known.text.keys().map(String::as_str).collect();
            let expected = format!(
                "one whose arrangement of the sections is known: {}; for another state --sections and --sections-order",
                names.join(", ")
            );
            problem(Problem::UnknownFamily, "model_type", name, expected)
        })?;
        let said = format!("{:?}", rotation.sections);
        let sizes: Option<Vec<usize>> = rotation.sections.iter().map(|&size| usize::try_from(size).ok()).collect();
        let sizes = sizes.ok_or_else(|| problem(Problem::WrongValue, key, said.clone(), "numbers of pairs"))?;
        shared(key, &rotation.sections, rotation.convention.pairs())?;
        let axes = sections(&sizes, row.sections)
            .map_err(|error| problem(Problem::WrongValue, key, error, "sections of a family"))?;
        let whole = AxialConvention::from(&rotation.convention);
        let convention = AxialConvention { axes, ..whole };
        convention.law(|_| Err("none are stored".into())).map_err(|error| {
            problem(Problem::NotExpressible, key, error.to_string(), "an encoding that axes can have")
        })?;
        Ok((convention, format!("{} ({})", row.source, known.software)))
    }

    /// The same as [`vision`](Self::vision) of the configuration in a file, or in a model's folder.
    ///
    /// # Errors
    ///
    /// As [`vision`](Self::vision), and for what cannot be read.
    pub fn open_vision(path: &Path) -> Result<(AxialConvention, String), InvalidConfig> {
        Self::vision(&text(path)?)
    }

    /// The convention of the rows and columns of the vision part of a configuration, and its source.
    ///
    /// # Errors
    ///
    /// [`InvalidConfig`], with the key: text that is no JSON, a family whose vision part is not known, a width that is left out or odd.
    pub fn vision(config: &str) -> Result<(AxialConvention, String), InvalidConfig> {
        let value = json::parse(config)?;
        let map =
            value.as_object().ok_or_else(|| problem(Problem::Syntax, "the file", "no object", "a JSON object"))?;
        let root = Keys::new(map, "");
        let known = families();
        let outer = root.text("model_type")?.unwrap_or("none");
        let part = root.object(Self::VISION)?;
        let keys = part.as_ref().unwrap_or(&root);
        let composite = Atlas::get().composites.get(outer).and_then(|composite| composite.parts.get(Self::VISION));
        // A part that names its own family is of that; older files repeat the name of the whole.
        let own = part.as_ref().map(|part| part.text("model_type")).transpose()?.flatten().filter(|own| *own != outer);
        let name = own.or(composite.map(String::as_str)).unwrap_or(outer);
        let row = known.vision.get(name).ok_or_else(|| {
            let names: Vec<&str> = known.vision.keys().map(String::as_str).collect();
            let expected =
                format!("a model whose vision part is known: {}; state the axes of another", names.join(", "));
            problem(Problem::UnknownFamily, "model_type", name, expected)
        })?;
        let dim = head(keys, &row.head)?;
        let base = base(keys)?;
        let key = row.head.split('/').next().unwrap_or_default();
        let expected =
            "a width of heads that is a multiple of 4: two entries for a pair, half of the pairs for an axis";
        let dim = usize::try_from(dim).ok().filter(|dim| dim.is_multiple_of(4) && *dim <= 1 << 20);
        let dim = dim.ok_or_else(|| keys.wrong(key, "another width", expected))?;
        let convention = row.grid.convention(dim, base);
        let convention = convention.ok_or_else(|| keys.wrong(key, dim, expected))?;
        convention.law(|_| Err("none are stored".into())).map_err(|error| keys.wrong(key, error, "a convention"))?;
        Ok((convention, format!("{} ({})", row.source, known.software)))
    }
}

/// The sections of several axes share the rotated pairs.
pub(super) fn shared(key: &str, sections: &[u64], pairs: usize) -> Result<(), InvalidConfig> {
    let sum = sections.iter().try_fold(0u64, |sum, &section| sum.checked_add(section));
    if sum == Some(pairs as u64) {
        return Ok(());
    }
    let sum = sum.map_or("more than any head has".to_owned(), |sum| sum.to_string());
    let found = format!("{}, which add up to {sum}", shortened(&format!("{sections:?}")));
    let expected = format!("sections that add up to {pairs}, the rotated pairs");
    Err(problem(Problem::Contradiction, key, found, expected))
}

/// The width of a head: `head_dim`, or the quotient of two keys; both, where they agree.
fn head(keys: &Keys<'_>, quotient: &str) -> Result<u64, InvalidConfig> {
    let positive = |key: &str| Ok::<_, InvalidConfig>(keys.integer(key)?.filter(|&number| number > 0));
    let missing =
        |key: &str| keys.problem(Problem::Missing, key, "nothing", "a positive integer, for the width of a head");
    let stated = positive("head_dim")?;
    let (width, heads) = quotient.split_once('/').unwrap_or((quotient, "num_heads"));
    // Either name of the number of heads is read.
    let heads_are = match positive(heads)? {
        None => positive(if heads == "num_heads" { "num_attention_heads" } else { "num_heads" })?,
        known => known,
    };
    let (width_is, heads_are) = match (positive(width)?, heads_are, stated) {
        (Some(width_is), Some(heads_are), _) => (width_is, heads_are),
        (_, _, Some(stated)) => return Ok(stated),
        (None, ..) => return Err(missing(width)),
        (_, None, _) => return Err(missing(heads)),
    };
    if !width_is.is_multiple_of(heads_are) {
        return Err(keys.wrong(width, width_is, format!("a multiple of {heads}, {heads_are}")));
    }
    let computed = width_is / heads_are;
    match stated.filter(|&stated| stated != computed) {
        None => Ok(computed),
        Some(stated) => {
            let expected = format!("{computed}, which is {width}/{heads}, or nothing");
            Err(keys.problem(Problem::Contradiction, "head_dim", stated.to_string(), expected))
        }
    }
}

/// The base of the rotation of a grid, 10000 where none is stated; of a rule other than the plain one nothing is known.
fn base(keys: &Keys<'_>) -> Result<Real, InvalidConfig> {
    let inner = keys.object("rope_parameters")?;
    if let Some(rule) = inner.as_ref().map(|inner| inner.text("rope_type")).transpose()?.flatten()
        && !["axial", "default"].contains(&rule)
    {
        return Err(keys.wrong("rope_parameters.rope_type", rule, "axial, the rule of these vision parts, or default"));
    }
    let inner = inner.map(|inner| inner.real("rope_theta")).transpose()?.flatten();
    match (keys.real("rope_theta")?, inner) {
        (Some(outer), Some(inner)) if outer != inner => {
            let expected = format!("{inner}, as rope_parameters has it");
            Err(keys.problem(Problem::Contradiction, "rope_theta", outer.to_string(), expected))
        }
        (outer, inner) => Ok(outer.or(inner).unwrap_or_else(|| 10_000.into())),
    }
}

impl Grid {
    fn convention(self, dim: usize, base: Real) -> Option<AxialConvention> {
        let pairs = dim / 2;
        let axis = |name, slots: String, index: Option<String>| {
            let index = index.map(|index| index.parse().map(Index::Ranges)).transpose();
            let (slots, index) = (slots.parse(), index);
            Some(Axis { index: index.ok()?, ..Axis::new(name, slots.ok()?) })
        };
        let (first, second) = (format!("0..{}", pairs / 2), format!("{}..{pairs}", pairs / 2));
        let every = |from: usize| Some(format!("{from}..{pairs}:2"));
        let (axes, layout, offset) = match self {
            Self::HeightWidth => ([axis("h", first, None)?, axis("w", second, None)?], AxialLayout::Halves, None),
            Self::HeightWidthInTurn => {
                ([axis("h", first, every(0))?, axis("w", second, every(1))?], AxialLayout::Halves, None)
            }
            Self::WidthHeightFromOne => {
                ([axis("w", first, None)?, axis("h", second, None)?], AxialLayout::Interleaved, Some(1.into()))
            }
        };
        let parameters = AxisParameters { base: Some(base), position_offset: offset, ..AxisParameters::default() };
        let (encoding, slots) = (Encoding::Rope, SlotKind::Pairs);
        Some(AxialConvention { encoding, dim, span: None, layout, slots, parameters, axes: axes.into() })
    }
}
