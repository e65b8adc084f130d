//! One kind of layer: the convention that its parameters, the configuration and the family's row make.

use super::axes::shared;
use super::keys::{Keys, shortened};
use super::rule::{Rule, Source};
use super::{InvalidConfig, Note, NoteKind, Origin, Problem, Rotation, Setting, Stated};
use crate::atlas::{Family, Kind, StyleRow};
use crate::convention::{Convention, Direction, InvalidConvention, Layout};
use crate::real::Real;
use serde_json::Map;

/// Entries of a head at most: models have some hundreds, and every pair costs time.
const MAX_HEAD: usize = 1 << 16;

/// Where the parameters of a configuration stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spelling {
    None,
    Flat,
    Nested,
    Legacy,
    Oldest,
}

impl Spelling {
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Flat => "flat",
            Self::Nested => "nested",
            Self::Legacy => "legacy",
            Self::Oldest => "oldest",
        }
    }
}

/// Source of a kind of layers.
pub(super) struct Reader<'a, 'c> {
    pub family: &'a Family,
    pub kind: &'a Kind,
    /// The name under which parameters may be nested.
    pub label: &'a str,
    pub root: &'a Keys<'c>,
    /// The parameters; none where the file has none.
    pub own: Option<Keys<'c>>,
    /// The key that holds them.
    pub spelling: Spelling,
    pub stated: &'a Stated,
    /// The layout that a switch of the file chooses.
    pub layout: Option<Layout>,
    /// The layers of this kind.
    pub layers: &'a [usize],
    /// Their base, where the file says it of them alone, with the place.
    pub base_of_layers: Option<(Real, String)>,
    /// True where no scaling rule holds for them.
    pub unscaled: bool,
}

/// A rotation with what else is to be said, and the rule's name for the softmax scale.
pub(super) struct Read {
    pub rotation: Rotation,
    pub notes: Vec<Note>,
    pub rule: Option<String>,
}

impl Reader<'_, '_> {
    pub fn read(&self) -> Result<Read, InvalidConfig> {
        let (kind, root) = (self.kind, self.root);
        let inexpressible =
            |found: String, expected: &str| root.problem(Problem::NotExpressible, "model_type", found, expected);
        if let Some(reason) = &kind.refused {
            return Err(inexpressible(
                format!("layers that could not be measured ({reason})"),
                "a family that was measured",
            ));
        }
        if kind.start != 0 {
            let found = format!("entries from {} on are rotated", kind.start);
            return Err(inexpressible(found, "a family that rotates the first entries of a head"));
        }
        let row = kind.style(self.spelling.name()).ok_or_else(|| self.untaken("no row for such a file"))?;
        if let Some(reason) = &row.raises {
            return Err(self.untaken(reason));
        }
        if let Some(key) = row.needs.iter().find(|key| self.own.as_ref().is_none_or(|own| own.get(key).is_none())) {
            return Err(self.untaken(&format!("without {key}")));
        }
        let nothing = Map::new();
        let default;
        let mut defaulted = false;
        let own = match (&self.own, &kind.default_parameters) {
            (Some(own), _) => own.clone(),
            (None, Some(serde_json::Value::Object(parameters))) => {
                defaulted = true;
                default = Keys::new(parameters, "the family's parameters");
                default
            }
            (None, Some(_)) => {
                return Err(inexpressible("a rule by default that is none here".into(), "parameters in the file"));
            }
            (None, None) => Keys::new(&nothing, ""),
        };
        // The family's own parameters come out as flat ones do: the atlas has compared them with their rule.
        let rules = if defaulted {
            kind.style(if self.label.is_empty() { "flat" } else { "nested" }).unwrap_or(row)
        } else {
            row
        };
        let mut values = Vec::new();
        let mut notes = Vec::new();
        let source = Source { own: &own, root, row: rules, defaults: &self.family.values, beside: self.beside() };
        let rule = source.read().map(|rule| if self.unscaled { Rule::default() } else { rule });
        let default = row.base.or(row.rule_base.filter(|_| rule.as_ref().is_ok_and(|rule| rule.scaling.is_some())));
        let (base, origin) = self.base(row, &own, defaulted, default, &mut notes)?;
        let (base, origin) = stated("base", self.stated.base.as_ref(), Some((base, origin)), root)?;
        push(&mut values, "base", &base, origin);
        let Rule { scaling, values: of_rule, notes: of_notes, name } = rule?;
        notes.extend(of_notes);
        let (dim, origin) = self.head()?;
        let (dim, origin) = stated("dim", self.stated.dim.as_ref(), dim.map(|dim| (dim, origin)), root)?;
        self.bounded(dim, &origin)?;
        push(&mut values, "dim", dim, origin);
        let rotary = self.rotary(row, &own, dim, scaling.as_ref(), &mut notes)?;
        let (rotary, origin) = stated("rotary_dim", self.stated.rotary_dim.as_ref(), Some(rotary), root)?;
        push(&mut values, "rotary_dim", rotary, origin);
        let measured = serde_json::from_value(kind.layout.as_str().into()).ok();
        let layout = self.stated.layout.map(|layout| (layout, Origin::Stated { field: "layout".into() }));
        let switched = self.layout.or(measured).map(|layout| (layout, Origin::Family { key: None }));
        let (layout, origin) = layout.or(switched).ok_or_else(|| {
            root.problem(
                Problem::UnknownFamily,
                "model_type",
                root.text("model_type").ok().flatten().unwrap_or("nothing"),
                "the pairing, which no configuration says (--layout)",
            )
        })?;
        let name_of = serde_json::to_value(layout).ok();
        push(&mut values, "layout", name_of.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default(), origin);
        let direction = if kind.direction.is_some() { Direction::Clockwise } else { Direction::CounterClockwise };
        if kind.direction.is_some() {
            push(&mut values, "direction", "clockwise", Origin::Family { key: None });
        }
        for mut value in of_rule {
            if defaulted && !matches!(value.origin, Origin::Rule) {
                value.origin = Origin::Family { key: Some("rope_parameters".into()) };
            }
            values.push(value);
        }
        let sections = self.sections(&own, rotary / 2, &mut notes)?;
        let rotary_dim = Some(rotary).filter(|&rotary| rotary != dim);
        let convention = Convention { base, layout, rotary_dim, scaling, direction, ..Convention::rope(dim) };
        convention.clone().for_length(1).validate().map_err(|error| self.invalid(error, &values))?;
        Ok(Read { rotation: Rotation { convention, values, sections }, notes, rule: name })
    }

    /// A head is one that a model may have.
    fn bounded(&self, dim: usize, origin: &Origin) -> Result<(), InvalidConfig> {
        if dim <= MAX_HEAD {
            return Ok(());
        }
        let (key, found) = match origin {
            Origin::File { keys } => (keys.join(", "), self.root.said("dim", &dim.to_string(), keys)),
            Origin::Stated { field } => (option(field), dim.to_string()),
            _ => (self.root.place("model_type"), dim.to_string()),
        };
        let expected = format!("a head of at most {MAX_HEAD} entries, many times the widest of any model");
        Err(InvalidConfig { problem: Problem::WrongValue, key, found, expected })
    }

    /// Mistake of a convention, by the keys that its value was taken from.
    fn invalid(&self, error: InvalidConvention, values: &[Setting]) -> InvalidConfig {
        let InvalidConvention { field, found, expected } = error;
        let known = |value: &&Setting| value.field.strip_prefix("scaling.").unwrap_or(&value.field) == field;
        let by = |who: &str| format!("{field} {found} by {who} default");
        let (key, found) = match values.iter().find(known).map(|value| &value.origin) {
            Some(Origin::File { keys }) => (keys.join(", "), self.root.said(field, &found, keys)),
            Some(Origin::Family { key }) => {
                (self.root.place(key.as_deref().unwrap_or("model_type")), by("the family's"))
            }
            Some(Origin::Rule) => (field.to_owned(), by("the rule's")),
            Some(Origin::Stated { field }) => (option(field), found),
            None => (field.to_owned(), found),
        };
        // Each is refused for what another value is.
        let two = matches!(field, "beta_fast" | "high_freq_factor" | "rotary_dim");
        let problem = if two { Problem::Contradiction } else { Problem::WrongValue };
        InvalidConfig { problem, key, found, expected }
    }

    /// Keys among the parameters that no rule has.
    fn beside(&self) -> Vec<&str> {
        let temperature = self.family.temperature.as_ref().filter(|temperature| temperature.inner);
        let inert = self.family.inert_inside.iter();
        inert.chain(temperature.map(|temperature| &temperature.beta)).map(String::as_str).collect()
    }

    fn untaken(&self, reason: &str) -> InvalidConfig {
        let key = match self.spelling {
            Spelling::Legacy | Spelling::Oldest => "rope_scaling",
            _ => "rope_parameters",
        };
        let found = format!("a file that the family's module does not take ({reason})");
        self.root.problem(Problem::Unexplained, key, found, "what this family's files have")
    }

    /// The layers whose base, in a file of this style, is the one among the parameters; none where these are such layers.
    fn readers_of_base(&self, row: &StyleRow) -> Option<&str> {
        let reads = |kind: &Kind| kind.style(self.spelling.name()).is_some_and(|row| row.inner_base);
        let mut others = self.family.kinds.iter().filter(|(_, kind)| reads(kind));
        others.next().map(|(label, _)| label.as_str()).filter(|_| !row.inner_base)
    }

    fn base(
        &self,
        row: &StyleRow,
        own: &Keys<'_>,
        defaulted: bool,
        default: Option<f64>,
        notes: &mut Vec<Note>,
    ) -> Result<(Real, Origin), InvalidConfig> {
        let root = self.root;
        let outer = row.base_keys.iter().find(|key| root.get(key).is_some());
        let outer = match outer {
            Some(key) => root.real(key)?.map(|base| (base, root.place(key))),
            None => None,
        };
        let mut inner = own.real("rope_theta")?;
        if let (Some(base), Some(label)) = (&inner, self.readers_of_base(row)) {
            let message = format!("the base {base} among the parameters is that of layers {label} alone");
            notes.push(Note { kind: NoteKind::Ignored, key: own.place("rope_theta"), message });
            inner = None;
        }
        if let Some((base, place)) = &self.base_of_layers {
            return Ok((base.clone(), Origin::File { keys: vec![place.clone()] }));
        }
        if defaulted {
            let base = inner.ok_or_else(|| root.problem(Problem::Missing, "rope_theta", "nothing", "the base"))?;
            let told = |key: &&str| root.get(key).is_some() && !self.family.inert.iter().any(|inert| inert == key);
            if let Some(key) = ["rope_theta", "rotary_emb_base"].into_iter().find(told) {
                let found = root.get(key).map(ToString::to_string).unwrap_or_default();
                return Err(root.problem(
                    Problem::Unexplained,
                    key,
                    found,
                    format!("it among the parameters: without any, this family takes {base}"),
                ));
            }
            return Ok((base, Origin::Family { key: Some("rope_parameters".into()) }));
        }
        match (inner, outer) {
            (Some(inner), outer) if row.inner_base => match outer {
                Some((outer, place)) if outer != inner => {
                    let key = own.place("rope_theta");
                    // The class writes both, and one of them is of no effect.
                    let (taken, origin, left) = match row.wins.as_deref() {
                        Some("inner") => (inner, key, place),
                        Some("outer") => (outer, place, key),
                        _ => {
                            let expected = format!("{outer}, as {place} has it");
                            return Err(own.problem(Problem::Contradiction, "rope_theta", inner, expected));
                        }
                    };
                    let message = format!("the family takes {taken}, as {origin} has it");
                    notes.push(Note { kind: NoteKind::Ignored, key: left, message });
                    Ok((taken, Origin::File { keys: vec![origin] }))
                }
                _ => Ok((inner, Origin::File { keys: vec![own.place("rope_theta")] })),
            },
            (Some(inner), _) => {
                let taken = default.and_then(exact);
                if taken.as_ref() != Some(&inner) {
                    let expected = "no base here: this family does not read it in this place";
                    return Err(own.problem(Problem::Unexplained, "rope_theta", inner, expected));
                }
                Ok((inner, Origin::Family { key: row.base_keys.first().cloned() }))
            }
            (None, Some((outer, place))) => Ok((outer, Origin::File { keys: vec![place] })),
            (None, None) => match default.and_then(exact).or_else(|| self.stated.base.clone()) {
                Some(base) => {
                    let key = row.base_keys.first().cloned().unwrap_or_else(|| "rope_theta".into());
                    if default.is_some() {
                        let unread = ["rope_theta", "rotary_emb_base"].into_iter().find(|key| root.get(key).is_some());
                        let message = match unread {
                            Some(said) => format!("{said} is not read for these layers; this family has {base}"),
                            None => format!("the file leaves the base out; this family has {base}"),
                        };
                        notes.push(Note { kind: NoteKind::Defaulted, key: root.place(&key), message });
                    }
                    Ok((base, Origin::Family { key: Some(key) }))
                }
                None => Err(root.problem(
                    Problem::Missing,
                    row.base_keys.first().map_or("rope_theta", String::as_str),
                    "nothing",
                    "the base, which this family has no default for (--base)",
                )),
            },
        }
    }

    /// The sections of several axes, which share the rotated pairs.
    fn sections(&self, own: &Keys<'_>, pairs: usize, notes: &mut Vec<Note>) -> Result<Vec<u64>, InvalidConfig> {
        let key = "mrope_section";
        let mut sections = Vec::new();
        if let Some(value) = own.get(key) {
            let list = value
                .as_array()
                .and_then(|list| list.iter().map(serde_json::Value::as_u64).collect::<Option<Vec<_>>>());
            sections =
                list.ok_or_else(|| own.wrong(key, shortened(&value.to_string()), "a list of non-negative integers"))?;
            if !sections.is_empty() {
                shared(&own.place(key), &sections, pairs)?;
            }
        }
        if self.kind.axes > 1 || !sections.is_empty() {
            let message =
                "positions have several axes; this is the convention where all of them are equal, as for text"
                    .to_owned();
            notes.push(Note { kind: NoteKind::Axes, key: own.place(key), message });
        }
        Ok(sections)
    }
}

/// Statement of the user, where it does not contradict the file; or what was read.
fn stated<T: Clone + PartialEq + ToString>(
    field: &str,
    stated: Option<&T>,
    read: Option<(T, Origin)>,
    root: &Keys<'_>,
) -> Result<(T, Origin), InvalidConfig> {
    match (stated, read) {
        (Some(value), Some((other, Origin::File { keys }))) if *value != other => Err(InvalidConfig {
            problem: Problem::Contradiction,
            key: keys.join(", "),
            found: root.said(field, &other.to_string(), &keys),
            expected: format!("{}, as stated: {}", value.to_string(), option(field)),
        }),
        (Some(value), Some((other, origin @ Origin::File { .. }))) if *value == other => Ok((other, origin)),
        (Some(value), _) => Ok((value.clone(), Origin::Stated { field: field.to_owned() })),
        (None, Some(read)) => Ok(read),
        (None, None) => Err(root.problem(Problem::Missing, field, "nothing", "it")),
    }
}

/// The option that states a field.
fn option(field: &str) -> String {
    format!("--{}", field.replace('_', "-"))
}

fn push(values: &mut Vec<Setting>, field: &str, value: impl ToString, origin: Origin) {
    values.push(Setting { field: field.to_owned(), value: value.to_string(), origin });
}

/// A measured base, which is a decimal of few digits.
fn exact(base: f64) -> Option<Real> {
    base.to_string().parse().ok()
}
