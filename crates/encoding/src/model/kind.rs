//! One kind of layer: the convention that its parameters, the configuration and the family's row make.

use super::keys::Keys;
use super::rule::{Rule, Source, shortened};
use super::{InvalidConfig, Note, NoteKind, Origin, Problem, Rotation, Stated, Value};
use crate::atlas::{Family, Kind, StyleRow};
use crate::convention::{Convention, Direction, Layout};
use crate::real::Real;
use crate::scaling::Scaling;
use posproof_numerics::Rational;
use serde_json::Map;

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

/// What a kind is read from.
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
        let (base, origin) = self.base(row, &own, defaulted, &mut notes)?;
        let (base, origin) = stated("base", self.stated.base.as_ref(), Some((base, origin)), root)?;
        push(&mut values, "base", &base, origin);
        let source = Source { own: &own, root, row: rules, defaults: &self.family.values, beside: self.beside() };
        let Rule { scaling, values: of_rule, notes: of_notes, name } = source.read()?;
        notes.extend(of_notes);
        let (dim, origin) = self.head()?;
        let (dim, origin) = stated("dim", self.stated.dim.as_ref(), dim.map(|dim| (dim, origin)), root)?;
        push(&mut values, "dim", dim, origin);
        let mut scaling = scaling;
        let rotary = self.rotary(row, &own, dim, &mut scaling)?;
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
        let sections = self.sections(&own, &mut notes)?;
        let rotary_dim = Some(rotary).filter(|&rotary| rotary != dim);
        let convention = Convention { base, layout, rotary_dim, scaling, direction, ..Convention::rope(dim) };
        convention.clone().for_length(1).validate().map_err(|error| {
            let places =
                values.iter().find(|value| value.field.ends_with(error.field)).map(|value| value.origin.to_string());
            let key = places.unwrap_or_else(|| error.field.to_owned());
            InvalidConfig { problem: Problem::Value, key, found: error.found, expected: error.expected }
        })?;
        Ok(Read { rotation: Rotation { convention, values, sections }, notes, rule: name })
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

    fn base(
        &self,
        row: &StyleRow,
        own: &Keys<'_>,
        defaulted: bool,
        notes: &mut Vec<Note>,
    ) -> Result<(Real, Origin), InvalidConfig> {
        let root = self.root;
        let outer = row.base_keys.iter().find(|key| root.get(key).is_some());
        let outer = match outer {
            Some(key) => root.real(key)?.map(|base| (base, root.place(key))),
            None => None,
        };
        let inner = own.real("rope_theta")?;
        if defaulted {
            let base = inner.ok_or_else(|| root.problem(Problem::Missing, "rope_theta", "nothing", "the base"))?;
            if let Some(key) = ["rope_theta", "rotary_emb_base"].into_iter().find(|key| root.get(key).is_some()) {
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
                    Err(own.problem(Problem::Contradiction, "rope_theta", inner, format!("{outer}, as {place} has it")))
                }
                _ => Ok((inner, Origin::File { keys: vec![own.place("rope_theta")] })),
            },
            (Some(inner), _) => {
                let taken = row.base.and_then(exact);
                if taken.as_ref() != Some(&inner) {
                    let expected = "no base here: this family does not read it in this place";
                    return Err(own.problem(Problem::Unexplained, "rope_theta", inner, expected));
                }
                Ok((inner, Origin::Family { key: row.base_keys.first().cloned() }))
            }
            (None, Some((outer, place))) => Ok((outer, Origin::File { keys: vec![place] })),
            (None, None) => match row.base.and_then(exact).or_else(|| self.stated.base.clone()) {
                Some(base) => {
                    let key = row.base_keys.first().cloned().unwrap_or_else(|| "rope_theta".into());
                    if row.base.is_some() {
                        let message = format!("the file leaves the base out; this family has {base}");
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

    /// A size of the file by its general name or the family's own, or the family's default.
    fn size(&self, key: &str) -> Result<Option<(u64, Origin)>, InvalidConfig> {
        let names = &self.family.names;
        let others = names.iter().filter_map(|(general, own)| match () {
            () if general == key => Some(own),
            () if own == key => Some(general),
            () => None,
        });
        let mut found: Option<(u64, String)> = None;
        for name in std::iter::once(key).chain(others.map(String::as_str)) {
            let Some(value) = self.root.integer(name)? else { continue };
            match &found {
                Some((first, place)) if *first != value => {
                    return Err(self.root.problem(
                        Problem::Contradiction,
                        name,
                        value,
                        format!("{first}, as {place} has it"),
                    ));
                }
                Some(_) => {}
                None => found = Some((value, self.root.place(name))),
            }
        }
        Ok(found.map(|(value, place)| (value, Origin::File { keys: vec![place] })))
    }

    fn default_size(&self, key: &str) -> Option<(u64, Origin)> {
        let value = self.family.values.get(key)?.as_u64()?;
        Some((value, Origin::Family { key: Some(key.to_owned()) }))
    }

    /// The width of a head: from the first key of the row that the file has, a quotient of the file's or the family's
    /// sizes, or the family's default.
    fn head(&self) -> Result<(Option<usize>, Origin), InvalidConfig> {
        let unknown = Origin::Family { key: None };
        let quotient = self.kind.head.iter().any(|key| key.contains('/'));
        for key in self.kind.head.iter().filter(|key| !key.contains('/') && !quotient) {
            // What a null does where the family has a default of its own was not measured.
            if self.root.map().get(key).is_some_and(serde_json::Value::is_null) {
                return Err(self.root.wrong(key, "null", "the width of a head, or no such key"));
            }
        }
        let mut direct: Option<(u64, Origin)> = None;
        for key in self.kind.head.iter().filter(|key| !key.contains('/')) {
            let Some((value, origin)) = self.size(key)? else { continue };
            match &direct {
                Some((first, place)) if *first != value => {
                    return Err(self.root.problem(Problem::Contradiction, key, value, format!("{first} ({place})")));
                }
                Some(_) => {}
                None => direct = Some((value, origin)),
            }
        }
        if let Some((value, origin)) = direct {
            return Ok((Some(value as usize), origin));
        }
        let quotients = || self.kind.head.iter().filter_map(|key| key.split_once('/'));
        // A size may have several names: the quotient is that of the names which the file has.
        let said = |(over, under): &(&str, &str)| self.root.get(over).is_some() && self.root.get(under).is_some();
        if let Some((over, under)) = quotients().find(said).or_else(|| {
            let half = |(over, under): &(&str, &str)| self.root.get(over).is_some() || self.root.get(under).is_some();
            quotients().find(half).or_else(|| quotients().next())
        }) {
            let sizes = [over, under].map(|key| Ok(self.size(key)?.or_else(|| self.default_size(key))));
            let [over_size, under_size] = sizes;
            if let (Some((width, from)), Some((heads, by))) = (over_size?, under_size?) {
                let origin = joined(from, by, &[over, under]);
                if heads == 0 || !width.is_multiple_of(heads) {
                    return Err(self.root.wrong(
                        over,
                        format!("{width} for {heads} heads"),
                        format!("a multiple of {under}"),
                    ));
                }
                return Ok((Some((width / heads) as usize), origin));
            }
        }
        if self.kind.head.iter().any(|key| key.starts_with('?')) {
            // What decides the width was not found out: only a file of the family's own sizes would be right.
            return match self.stated.dim {
                Some(dim) => Ok((Some(dim), unknown)),
                None => Err(self.root.problem(
                    Problem::Missing,
                    "head_dim",
                    "nothing that this family is known to take the width of a head from",
                    "the width (--dim)",
                )),
            };
        }
        let first = self.kind.head.iter().find(|key| !key.contains('/'));
        match first.and_then(|key| self.default_size(key)) {
            Some((value, origin)) => Ok((Some(value as usize), origin)),
            None if self.stated.dim.is_some() => Ok((None, unknown)),
            None => {
                let keys = self.kind.head.join(", or ").replace('/', " and ");
                Err(self.root.problem(Problem::Missing, "head_dim", "nothing", format!("{keys} (--dim)")))
            }
        }
    }

    /// How many entries of a head of this width are rotated.
    fn rotary(
        &self,
        row: &StyleRow,
        own: &Keys<'_>,
        dim: usize,
        scaling: &mut Option<Scaling>,
    ) -> Result<(usize, Origin), InvalidConfig> {
        let (kind, root) = (self.kind, self.root);
        if let Some(key) = &kind.rotary_dim {
            if let Some((value, origin)) = self.size(key)? {
                return Ok((value as usize, origin));
            }
        }
        let key = "partial_rotary_factor";
        let inner = own.real(key)?.map(|fraction| (fraction, own.place(key)));
        if let Some(Scaling::Proportional { .. }) = scaling {
            if row.fraction_of.is_some_and(|of| of != kind.head_width)
                || !matches!(row.width, 0 | 1) && row.width != kind.width
            {
                let expected = "a rule whose fraction is one of the head, in this family";
                return Err(own.problem(Problem::NotExpressible, "rope_type", "'proportional'", expected));
            }
            return Ok((dim, inner.map_or(Origin::Rule, |(_, place)| Origin::File { keys: vec![place] })));
        }
        let mut outer = None;
        for name in &kind.fraction_keys {
            outer = outer.or(root.real(name)?.map(|fraction| (fraction, root.place(name))));
        }
        let is_one = |fraction: &Real| *fraction.value() == 1;
        let taken = match (inner, outer) {
            (Some((inner, place)), Some((outer, other))) if inner != outer => {
                let expected = format!("{outer}, as {other} has it");
                return Err(InvalidConfig {
                    problem: Problem::Contradiction,
                    key: place,
                    found: inner.to_string(),
                    expected,
                });
            }
            (Some((inner, place)), _) if row.fraction_of.is_none() => {
                let default = Rational::from((row.width.max(1), kind.head_width.max(1)));
                if !is_one(&inner) && *inner.value() != default {
                    let expected = "no fraction: this family does not read it here".to_owned();
                    return Err(InvalidConfig {
                        problem: Problem::Unexplained,
                        key: place,
                        found: inner.to_string(),
                        expected,
                    });
                }
                None
            }
            (Some((inner, place)), _) => Some((inner, place, row.fraction_of.unwrap_or(kind.head_width))),
            (None, Some((outer, place))) => Some((outer, place, row.fraction_of.unwrap_or(kind.head_width))),
            (None, None) => None,
        };
        // What the fraction is taken of, and the default width, grow with the head.
        let grown = |width: u64| Rational::from(dim as u64) * Rational::from((width, kind.head_width.max(1)));
        if let Some((fraction, place, of)) = taken {
            let width = (grown(of) * fraction.value()).floor().to_u64();
            let width = width.ok_or_else(|| InvalidConfig {
                problem: Problem::Value,
                key: place.clone(),
                found: fraction.to_string(),
                expected: "a fraction from 0 to 1".into(),
            })?;
            return Ok((width as usize, Origin::File { keys: vec![place] }));
        }
        let width = grown(if row.width == 0 { kind.width } else { row.width });
        let simple =
            kind.head_width.is_multiple_of(kind.width.max(1)) || kind.width.is_multiple_of(kind.head_width.max(1));
        match width.to_u64() {
            Some(width) if simple || dim as u64 == kind.head_width => {
                Ok((width as usize, Origin::Family { key: None }))
            }
            _ => Err(root.problem(
                Problem::Missing,
                key,
                "nothing",
                "the rotated fraction (--rotary-dim): it is known of this family's own width only",
            )),
        }
    }

    /// The sections of several axes.
    fn sections(&self, own: &Keys<'_>, notes: &mut Vec<Note>) -> Result<Vec<u64>, InvalidConfig> {
        let key = "mrope_section";
        let mut sections = Vec::new();
        if let Some(value) = own.get(key) {
            let list = value
                .as_array()
                .and_then(|list| list.iter().map(serde_json::Value::as_u64).collect::<Option<Vec<_>>>());
            sections =
                list.ok_or_else(|| own.wrong(key, shortened(&value.to_string()), "a list of non-negative integers"))?;
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

/// What the user states, where it does not contradict the file; or what was read.
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
            found: other.to_string(),
            expected: format!("{}, as stated: --{}", value.to_string(), field.replace('_', "-")),
        }),
        (Some(value), Some((other, origin @ Origin::File { .. }))) if *value == other => Ok((other, origin)),
        (Some(value), _) => Ok((value.clone(), Origin::Stated { field: field.to_owned() })),
        (None, Some(read)) => Ok(read),
        (None, None) => Err(root.problem(Problem::Missing, field, "nothing", "it")),
    }
}

fn push(values: &mut Vec<Value>, field: &str, value: impl ToString, origin: Origin) {
    values.push(Value { field: field.to_owned(), value: value.to_string(), origin });
}

/// The origin of a quotient.
fn joined(over: Origin, under: Origin, keys: &[&str]) -> Origin {
    match (over, under) {
        (Origin::File { keys: mut first }, Origin::File { keys: second }) => {
            first.extend(second);
            Origin::File { keys: first }
        }
        (Origin::File { keys }, _) | (_, Origin::File { keys }) => Origin::File { keys },
        _ => Origin::Family { key: Some(keys.join(" and ")) },
    }
}

/// A measured base, which is a decimal of few digits.
fn exact(base: f64) -> Option<Real> {
    base.to_string().parse().ok()
}
