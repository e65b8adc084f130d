//! The decoding of rows with a coordinate for each axis, and of fractional positions: axis by axis, from the slots that the axis claims.

use super::axes_report::DecodedAxes;
use super::bounds::Bounds;
use super::clock::axis_clocks;
use super::decoder::Decoder;
use super::phase::Tolerance;
use super::reach::PositionReach;
use super::report::DecodedAxis;
use super::slots::axial_slots;
use super::{Domain, InvalidDomain};
use crate::Invalid;
use crate::input::{About, InvalidInput};
use crate::levels::{Quantised, Statement};
use crate::report::ArrayRead;
use crate::subject::Subject;
use crate::view::StatedGrids;
use posproof_bound::{AxialAllowance, Path};
use posproof_encoding::axes::{AxialLaw, Coordinates};
use posproof_numerics::Rational;
use posproof_numerics::format::Format;

/// Question on rows with several coordinates, or fractional ones.
#[derive(Clone, Debug)]
pub struct AxialQuery<'a> {
    /// The convention that the rows follow.
    pub law: &'a AxialLaw,
    /// The positions that they may have along each axis.
    pub domain: Domain,
    /// Those that they may have along some axes, by their names, in place of these.
    pub domains: Vec<(String, Domain)>,
    /// Step of these positions: a number above 0.
    pub step: Rational,
    /// The precision that the implementation computes its angles in.
    pub compute: Format,
    /// Path of its frequencies; any if none is given.
    pub path: Option<Path>,
    /// The format that the entries should have, whatever format holds them; that of the arrays if none is given.
    pub storage: Option<Format>,
}

impl<'a> AxialQuery<'a> {
    /// The convention at whole coordinates from 0 to 2^20 − 1, computed in binary32 along any path.
    pub fn new(law: &'a AxialLaw) -> Self {
        Self {
            law,
            domain: Domain::default(),
            domains: Vec::new(),
            step: 1.into(),
            compute: Format::F32,
            path: None,
            storage: None,
        }
    }

    /// The numbers of the multiples in a domain.
    fn multiples(&self, domain: Domain) -> Result<Domain, InvalidInput> {
        let refused = |error: InvalidDomain| {
            let advice = "state a step p/q above 0 and a domain A..B that holds multiples of it";
            About("step").error("its multiples", "some in the domain, at most 2^53", error.to_string(), advice)
        };
        if self.step <= 0 {
            let advice = "state what positions are multiples of, such as 1/2";
            return Err(About("step").error("the number", "one above 0", self.step.to_string(), advice));
        }
        domain.multiples(&self.step).map_err(refused)
    }

    /// The domain of every axis of the convention.
    fn along(&self) -> Result<Vec<Domain>, InvalidInput> {
        let names: Vec<&str> = self.law.axes().iter().map(|axis| axis.name()).collect();
        for (i, (name, _)) in self.domains.iter().enumerate() {
            let expected = format!("one of the axes {}, once", names.join(", "));
            if !names.contains(&name.as_str()) || self.domains[..i].iter().any(|(other, _)| other == name) {
                return Err(About("domain").error(
                    "an axis",
                    expected,
                    format!("'{name}'"),
                    "name axes of the convention",
                ));
            }
        }
        let own = |name: &str| self.domains.iter().find(|(known, _)| known == name).map(|(_, domain)| *domain);
        Ok(names.into_iter().map(|name| own(name).unwrap_or(self.domain)).collect())
    }
}

/// Finds the coordinate of every row along every axis of a convention.
///
/// A coordinate along an axis is decoded from the slots that this axis claims, and certified by them alone. Memory grows as that of
/// [`decode`](super::decode) for each axis.
///
/// # Errors
///
/// Where the subject and the convention do not go together; for slots that several axes claim, whose angles show only a sum; for frequencies of
/// several heads; for rotations whose entries have angles of their own; for half a cache; for an amplitude of 0.
pub fn decode_axes(subject: Subject<'_>, query: &AxialQuery<'_>) -> Result<DecodedAxes, Invalid> {
    let AxialQuery { law, step, compute, path, storage, .. } = query;
    let encoding = law.convention().encoding;
    if encoding != subject.encoding() {
        return Err(Invalid::Subject { subject: subject.name(), expected: subject.encoding(), found: encoding });
    }
    let quantised = Quantised::new(subject, Statement::only(*storage))?;
    let given = quantised.as_ref().map_or(subject, Quantised::subject);
    let stated = StatedGrids::new(given, *storage);
    let subject = stated.as_ref().map_or(given, StatedGrids::subject);
    subject.check_axes(law.convention().dim)?;
    require_angles(subject, law)?;
    let multiples = query.multiples(query.domain)?;
    let domains = query.along()?;
    let along = domains.iter().map(|&domain| query.multiples(domain)).collect::<Result<Vec<Domain>, _>>()?;
    let slots = axial_slots(subject, law)?;
    // Neighbours at both ends: if a format holds these, it holds every multiple of the domain.
    let end = |which: usize| {
        let of = |multiples: &Domain| {
            let last = multiples.len() - 1;
            let at = multiples.at([0, last.min(1), last.saturating_sub(1), last][which]);
            Rational::from(at) * step.clone()
        };
        Some(along.iter().map(of).collect::<Vec<Rational>>())
    };
    let ends = Coordinates::exact(&[0, 1, 2, 3].map(end), law.axes().len())
        .map_err(|error| About("domain").error("its ends", "coordinates", error.to_string(), "state a smaller one"))?;
    let bounds = AxialAllowance::new(law, &ends, (*compute, *path), subject.format());
    let rotation = matches!(subject, Subject::Rotation { .. });
    let (tables, rows) = (subject.judged().slabs(), subject.judged().rows());
    let each = law.axes().iter().zip(domains.into_iter().zip(along));
    let decoded = each.map(|(axis, (domain, multiples))| -> Result<DecodedAxis, Invalid> {
        let clocks = axis_clocks(axis, step, multiples.first())?;
        let tolerance =
            Tolerance::new(axis.gain(), Bounds::Axis(bounds.clone()), (rotation, subject.format()), multiples.len())
                .on(subject.levels());
        let reach = PositionReach { step: step.to_f64(), offset: axis.offset().enclose(64).abs().upper_f64() };
        let decoder = Decoder::new(subject, slots.clone(), &clocks, (tolerance, reach), multiples);
        let apart = decoder.told_apart();
        Ok(DecodedAxis::new(axis.name(), (domain, multiples, apart), decoder.all()?, rows))
    });
    Ok(DecodedAxes {
        subject: given.name(),
        convention: law.convention().clone(),
        domain: query.domain,
        step: step.clone(),
        multiples,
        compute: *compute,
        path: *path,
        storage: subject.format(),
        inputs: ArrayRead::all(given, *storage)?,
        tables,
        rows,
        axes: decoded.collect::<Result<_, _>>()?,
    })
}

/// Refuses what shows no angle of a single axis.
fn require_angles(subject: Subject<'_>, law: &AxialLaw) -> Result<(), Invalid> {
    let refuse = |place: &str, expected: &str, found: String, advice: &str| -> Result<(), Invalid> {
        Err(About("convention").error(place, expected, found, advice).into())
    };
    if let Subject::Rope { cos, sin } = subject
        && (cos.is_none() || sin.is_none())
    {
        let advice = "half a cache leaves two angles for every entry: name --cos and --sin";
        return Err(About("rope").error("the input", "cosines and sines", "one of them only", advice).into());
    }
    if let Subject::Rope { cos: Some(cos), sin: Some(sin) } = subject
        && (cos.slabs(), cos.rows()) != (sin.slabs(), sin.rows())
    {
        let [cos, sin] = [cos, sin].map(|grid| format!("{} tables of {} rows", grid.slabs(), grid.rows()));
        return Err(About("rope").error("the shape", cos, sin, "name cosines and sines of the same rows").into());
    }
    if let Some(slot) = (0..law.slots()).find(|&slot| law.claims(slot).len() > 1) {
        let found = format!("slot {slot}, which {} axes claim", law.claims(slot).len());
        return refuse("axes", "one axis for a slot", found, "angles that are sums do not show their terms");
    }
    if law.heads() > 1 {
        let advice = "decode one head at a time, with its own frequencies";
        return refuse("frequencies", "one list", format!("those of {} heads", law.heads()), advice);
    }
    if matches!(subject, Subject::Rotation { .. }) && !law.is_rotation() {
        let advice = "decode the cache of cosines and sines";
        return refuse("slots", "pairs, each turned by one angle", "entries with angles of their own".into(), advice);
    }
    let silent = law.axes().iter().find(|axis| !axis.gain().enclose(64).excludes_zero());
    match silent {
        None => Ok(()),
        Some(axis) => {
            let expected = "a number other than 0, so that entries show angles";
            refuse("amplitude", expected, format!("0 of axis {}", axis.name()), "state the factor of the entries")
        }
    }
}
