//! Widths of heads, and of what is rotated of them.

use super::keys::Keys;
use super::kind::{Reader, Spelling};
use super::overrides::{OVERRIDES, of_layer};
use super::{InvalidConfig, Note, NoteKind, Origin, Problem};
use crate::atlas::{Beside, StyleRow};
use crate::real::Real;
use crate::scaling::Scaling;
use posproof_numerics::Rational;

impl Reader<'_, '_> {
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
    pub fn head(&self) -> Result<(Option<usize>, Origin), InvalidConfig> {
        let unknown = Origin::Family { key: None };
        let quotient = self.kind.head.iter().any(|key| key.contains('/'));
        for key in self.kind.head.iter().filter(|key| !key.contains('/') && !quotient) {
            // What a null does where the family has a default of its own was not measured.
            if self.root.map().get(key).is_some_and(serde_json::Value::is_null) {
                return Err(self.root.wrong(key, "null", "the width of a head, or no such key"));
            }
        }
        if let Some(found) = self.head_of_layers()? {
            return Ok(found);
        }
        let mut direct: Option<(u64, Origin)> = None;
        for key in self.kind.head.iter().filter(|key| !key.contains('/')) {
            let Some((value, origin)) = self.size(key)? else { continue };
            match &direct {
                Some((first, Origin::File { keys })) if *first != value => {
                    let expected = format!("{first}, as {} has it", keys.join(", "));
                    return Err(self.root.problem(Problem::Contradiction, key, value, expected));
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

    /// The width of a head by what the file says of these layers alone; none where it says nothing of layers, or the family has no such key.
    fn head_of_layers(&self) -> Result<Option<(Option<usize>, Origin)>, InvalidConfig> {
        let Some(key) = self.kind.layer_head.as_deref().filter(|_| self.root.get(OVERRIDES).is_some()) else {
            return Ok(None);
        };
        let mut found: Option<(u64, Origin)> = None;
        for &layer in self.layers {
            let own =
                of_layer(self.root, layer).map(|own| Keys::new(own, self.root.place(&format!("{OVERRIDES}.{layer}"))));
            let own = match own {
                Some(own) => own.integer(key)?.map(|width| (width, Origin::File { keys: vec![own.place(key)] })),
                None => None,
            };
            // A layer that has none of its own has that of all layers.
            let own = match own {
                Some(own) => Some(own),
                None => self.size(key)?.or_else(|| self.default_size(key)),
            };
            match (&found, own) {
                (Some((first, _)), Some((width, _))) if *first != width => {
                    let expected = format!("{first}, as the other layers of this type have it");
                    return Err(self.root.problem(
                        Problem::NotExpressible,
                        &format!("{OVERRIDES}.{layer}.{key}"),
                        width,
                        expected,
                    ));
                }
                (None, Some(own)) => found = Some(own),
                _ => {}
            }
        }
        Ok(found.map(|(width, origin)| (Some(width as usize), origin)))
    }

    /// The fraction beside the parameters, with its place.
    fn outer_fraction(
        &self,
        row: &StyleRow,
        ruled: bool,
        notes: &mut Vec<Note>,
    ) -> Result<Option<(Real, String)>, InvalidConfig> {
        let root = self.root;
        let plain: &[String] = if self.spelling == Spelling::None { &self.kind.fraction_keys } else { &[] };
        let mut outer = None;
        for name in plain.iter().chain(row.fractions.keys().filter(|key| !plain.contains(key))) {
            let Some(fraction) = root.real(name)? else { continue };
            let does = row.fractions.get(name).map(|does| [does.plain, does.rule]);
            let does = match does {
                _ if plain.contains(name) => Some(Beside::Inner),
                // By layer type it has the effect that it has under a rule as soon as any type has one.
                Some([plain, rule]) if self.spelling == Spelling::Nested => plain.filter(|_| plain == rule),
                Some([plain, rule]) => {
                    if ruled {
                        rule
                    } else {
                        plain
                    }
                }
                None => None,
            };
            match does {
                Some(Beside::None) => {
                    let message = "a fraction has no effect here in this family".to_owned();
                    notes.push(Note { kind: NoteKind::Ignored, key: root.place(name), message });
                }
                Some(Beside::Inner) => outer = outer.or(Some((fraction, root.place(name)))),
                None if *fraction.value() == 1 => {}
                None => {
                    let expected = "it among the parameters: what it does beside them is not known";
                    return Err(root.problem(Problem::Unexplained, name, fraction, expected));
                }
            }
        }
        Ok(outer)
    }

    /// Number of entries that are rotated of a head of this width.
    pub fn rotary(
        &self,
        row: &StyleRow,
        own: &Keys<'_>,
        dim: usize,
        scaling: Option<&Scaling>,
        notes: &mut Vec<Note>,
    ) -> Result<(usize, Origin), InvalidConfig> {
        let (kind, root) = (self.kind, self.root);
        if let Some(key) = &kind.rotary_dim {
            // As for the width of a head: what a null does where the family has a default was not measured.
            if root.map().get(key).is_some_and(serde_json::Value::is_null) {
                return Err(root.wrong(key, "null", "the rotated width, or no such key"));
            }
            if let Some((value, origin)) = self.size(key)? {
                return Ok((value as usize, origin));
            }
        }
        let key = "partial_rotary_factor";
        let inner = own.real(key)?.map(|fraction| (fraction, own.place(key)));
        let fraction_of = row.fraction_of(scaling.map(Scaling::name));
        if let Some(Scaling::Proportional { .. }) = scaling {
            let width = row.rule_width.unwrap_or(row.width);
            let whole = width == kind.width || width == kind.head_width;
            let fraction_of = row.rule_width.map_or(fraction_of, |_| row.fraction_of(Some("linear")));
            if fraction_of.is_some_and(|of| of != kind.head_width) || !matches!(width, 0 | 1) && !whole {
                let expected = "a rule whose fraction is one of the head, in this family";
                return Err(own.problem(Problem::NotExpressible, "rope_type", "'proportional'", expected));
            }
            return Ok((dim, inner.map_or(Origin::Rule, |(_, place)| Origin::File { keys: vec![place] })));
        }
        let outer = self.outer_fraction(row, scaling.is_some(), notes)?;
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
            (Some((_, key)), _) if fraction_of == Some(0) => {
                let message = "a fraction has no effect in this family".to_owned();
                notes.push(Note { kind: NoteKind::Ignored, key, message });
                None
            }
            (Some((inner, place)), _) if fraction_of.is_none() => {
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
            (Some((inner, place)), _) => Some((inner, place, fraction_of.unwrap_or(kind.head_width))),
            (None, Some((outer, place))) => Some((outer, place, fraction_of.unwrap_or(kind.head_width))),
            (None, None) => None,
        };
        if taken.is_none()
            && let Some((width, origin)) = kind.rotary_dim.as_ref().and_then(|key| self.default_size(key))
        {
            return Ok((width as usize, origin));
        }
        // What the fraction is taken of, and the default width, grow with the head.
        let grown = |width: u64| Rational::from(dim as u64) * Rational::from((width, kind.head_width.max(1)));
        if let Some((fraction, place, of)) = taken {
            let width = (grown(of) * fraction.value()).floor().to_u64();
            let width = width.ok_or_else(|| InvalidConfig {
                problem: Problem::WrongValue,
                key: place.clone(),
                found: fraction.to_string(),
                expected: "a fraction from 0 to 1".into(),
            })?;
            return Ok((width as usize, Origin::File { keys: vec![place] }));
        }
        let usual = row.rule_width.filter(|_| scaling.is_some()).unwrap_or(row.width);
        let width = grown(if usual == 0 { kind.width } else { usual });
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
