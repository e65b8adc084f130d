//! Positions in their first version: `posproof.positions/1` and `posproof.positions-axes/1`.

use super::FirstVersion;
use crate::positions::{Comparison, Counts, Decoded, DecodedAxes, DecodedAxis, Domain, OpenRow, TablePattern, as_text};
use crate::report::{ArrayRead, any_or_one};
use posproof_bound::Path;
use posproof_encoding::axes::AxialConvention;
use posproof_encoding::convention::Convention;
use posproof_numerics::Rational;
use posproof_numerics::format::Format;
use serde::ser::Error;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct DecodedOfOneAxis<'a> {
    schema: &'static str,
    subject: &'static str,
    convention: &'a Convention,
    domain: Domain,
    told_apart: Domain,
    compute: Format,
    #[serde(serialize_with = "any_or_one")]
    path: Option<Path>,
    storage: Format,
    inputs: &'a [ArrayRead],
    tables: usize,
    rows: usize,
    counts: Counts,
    patterns: &'a [TablePattern],
    open: &'a [OpenRow],
    comparison: &'a Option<Comparison>,
}

impl FirstVersion for Decoded {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let axis = self.axes.first().ok_or_else(|| S::Error::custom("expected an axis"))?;
        let document = DecodedOfOneAxis {
            schema: "posproof.positions/1",
            subject: self.subject,
            convention: &self.convention,
            domain: self.domain,
            told_apart: axis.told_apart,
            compute: self.compute,
            path: self.path,
            storage: self.storage,
            inputs: &self.inputs,
            tables: self.tables,
            rows: self.rows,
            counts: axis.counts,
            patterns: &axis.patterns,
            open: &axis.open,
            comparison: &axis.comparison,
        };
        document.serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(remote = "DecodedAxes", tag = "schema", rename = "posproof.positions-axes/1")]
struct DecodedOfAxes {
    subject: &'static str,
    convention: AxialConvention,
    domain: Domain,
    #[serde(serialize_with = "as_text")]
    step: Rational,
    multiples: Domain,
    compute: Format,
    #[serde(serialize_with = "any_or_one")]
    path: Option<Path>,
    storage: Format,
    inputs: Vec<ArrayRead>,
    tables: usize,
    rows: usize,
    axes: Vec<DecodedAxis>,
}

impl FirstVersion for DecodedAxes {
    fn first_version<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        DecodedOfAxes::serialize(self, serializer)
    }
}
