//! Several axes as options state them, and conventions that are stated whole.

use super::{Refused, validated};
use crate::axes::{AxialConvention, AxialLayout, Axis, AxisParameters, Index, SectionsOrder, SlotKind, sections};
use crate::convention::{Convention, Encoding};
use serde_json::Value;

/// Options that state an encoding of several axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AxesRequest {
    /// Dimension of the model, or of a head.
    pub dim: Option<usize>,
    /// Entries that form a pair.
    pub layout: Option<AxialLayout>,
    /// Parameters of all axes that do not state them for themselves.
    pub parameters: AxisParameters,
    /// The axes, in the order of the columns of the positions.
    pub axes: Option<Vec<Axis>>,
    /// The axes t, h and w by the numbers of their slots.
    pub sections: Option<Vec<usize>>,
    /// Arrangement of the sections.
    pub sections_order: Option<SectionsOrder>,
    /// Entries that have an angle of their own.
    pub slots: Option<SlotKind>,
    /// The entries that are rotated at all.
    pub span: Option<[usize; 2]>,
    /// True if slots of every axis have the frequencies of their own numbers.
    pub by_pairs: bool,
}

/// A convention that was stated whole.
#[derive(Clone, Debug)]
pub enum Whole {
    /// Of one axis.
    Plain(Box<Convention>),
    /// Of several.
    Axial(Box<AxialConvention>),
}

/// A convention from its JSON.
///
/// # Errors
///
/// For what is none, and for one of another encoding.
pub fn whole(json: &str, encoding: Encoding) -> Result<Whole, Refused> {
    let value: Result<Value, _> = serde_json::from_str(json);
    let convention = value.and_then(serde_json::from_value::<AxialConvention>);
    let convention = convention.map_err(|error| Refused::Whole(error.to_string()))?;
    if convention.encoding != encoding {
        return Err(Refused::OtherEncoding { expected: encoding, found: convention.encoding });
    }
    Ok(match convention.plain() {
        Some(plain) => Whole::Plain(Box::new(validated(plain)?)),
        None => Whole::Axial(Box::new(convention)),
    })
}

impl AxesRequest {
    /// The option that says that there are axes; none where nothing does.
    pub fn stating(&self) -> Option<&'static str> {
        let all = [
            ("axes", self.axes.is_some()),
            ("sections", self.sections.is_some()),
            ("slots", self.slots.is_some()),
            ("span", self.span.is_some()),
        ];
        all.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// The convention of axes, which have no other option `beside` them: what rotates is their span, and a scaling rule is
    /// one axis's own.
    ///
    /// # Errors
    ///
    /// Without a dimension, for an option beside, and for sections that are none.
    pub fn convention(self, encoding: Encoding, beside: Option<&str>) -> Result<AxialConvention, Refused> {
        if let (Some(axes), Some(other)) = (self.stating(), beside) {
            return Err(Refused::Beside { axes, other: other.to_owned() });
        }
        let dim = self.dim.ok_or(Refused::NoDimension(Encoding::Sinusoid))?;
        let mut axes = match (self.axes, self.sections) {
            (Some(_), Some(_)) => return Err(Refused::SectionsOfAxes),
            (None, Some(sizes)) => {
                sections(&sizes, self.sections_order.unwrap_or_default()).map_err(Refused::Sections)?
            }
            (_, None) if self.sections_order.is_some() => return Err(Refused::NoSections),
            (axes, None) => axes.unwrap_or_default(),
        };
        if self.by_pairs {
            for axis in &mut axes {
                axis.index.get_or_insert(Index::Pairs);
            }
        }
        let (layout, slots) = (self.layout.unwrap_or_default(), self.slots.unwrap_or_default());
        Ok(AxialConvention { encoding, dim, span: self.span, layout, slots, parameters: self.parameters, axes })
    }
}
