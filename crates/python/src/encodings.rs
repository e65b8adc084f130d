//! The encodings that options state, and the rows at which they do.

use super::axes::{AXES, rows, stated};
use super::config::Configuration;
use super::errors::{internal, invalid, option};
use super::options::{ENCODING, JUDGING, Options, refused, unstated, worded};
use super::scaling::SCALING;
use posproof_check::request::{Case, EncodedRows, Request, Stated};
use posproof_encoding::convention::{Convention, Encoding};
use posproof_encoding::request::{Refused, Specified, Whole};
use posproof_table::Positions;
use pyo3::prelude::*;
use pyo3::types::PyDict;

impl Options<'_> {
    /// By what arrays are judged; whole positions that `suffice` are no coordinates.
    pub fn case(&self, encoding: Encoding, suffice: impl Fn(&Positions) -> bool) -> PyResult<Case> {
        let stated = self.encodings(encoding)?;
        let positions = rows(self, &stated, suffice)?;
        let (computation, duplication) = (self.computation()?, self.duplication()?);
        Request { stated, positions, computation, duplication }.case().map_err(|error| unstated(&error))
    }

    /// The one encoding that the options state, at the rows of a table.
    pub fn placed(&self, encoding: Encoding) -> PyResult<EncodedRows> {
        let stated = self.encodings(encoding)?;
        let positions = rows(self, &stated, |_| true)?;
        stated.at(positions).map_err(|error| unstated(&error))
    }

    /// The one convention of one axis that the options specify.
    pub fn convention(&self, encoding: Encoding) -> PyResult<Convention> {
        let mut all = self.conventions(encoding)?;
        if all.len() > 1 {
            let names = all.into_iter().filter_map(|one| one.layers).collect();
            return Err(unstated(&posproof_check::request::Refused::Layers(names)));
        }
        all.pop().map(|one| one.convention).ok_or_else(|| invalid("no convention"))
    }

    /// The conventions of several axes, or of one, that the options leave open.
    pub fn encodings(&self, encoding: Encoding) -> PyResult<Stated> {
        match stated(self, encoding)? {
            Some(Whole::Axial(convention)) => Ok(Stated::Axes(convention)),
            Some(Whole::Plain(convention)) => Ok(Stated::Layers(alone(*convention))),
            None => self.conventions(encoding).map(Stated::Layers),
        }
    }

    /// The conventions of one axis that the options leave open: that of every kind of layer which rotates, where a
    /// configuration is given and no layer; conventions that are equal once.
    fn conventions(&self, encoding: Encoding) -> PyResult<Vec<Specified>> {
        if self.get("convention").is_some() {
            return match stated(self, encoding)? {
                Some(Whole::Plain(convention)) => Ok(alone(*convention)),
                _ => Err(option("convention", "that of one axis", "axes")),
            };
        }
        let request = self.request()?;
        let Some(Configuration { model, name }) = self.configuration()? else {
            return request.convention(encoding).map(alone).map_err(|error| refused(&error));
        };
        if encoding == Encoding::Sinusoid {
            return Err(invalid("config describes rotary encodings: expected rope; found sinusoid"));
        }
        request.of_model(&model).map_err(|error| match error {
            Refused::Choice(_) | Refused::NoRotation => invalid(format!("{name}: {}", worded(&error))),
            _ => refused(&error),
        })
    }
}

fn alone(convention: Convention) -> Vec<Specified> {
    vec![Specified { layers: None, convention }]
}

/// The conventions that options leave open, each with the kinds of layers that it is of, as JSON.
#[pyfunction]
pub fn conventions(
    function: &str,
    sinusoid: bool,
    options: &Bound<'_, PyDict>,
) -> PyResult<Vec<(Option<String>, String)>> {
    let options = Options::new(function, options, &[ENCODING, SCALING, JUDGING, AXES])?;
    let encoding = if sinusoid { Encoding::Sinusoid } else { Encoding::Rope };
    match options.encodings(encoding)? {
        Stated::Axes(axial) => Ok(vec![(None, serde_json::to_string(&axial).map_err(internal)?)]),
        Stated::Layers(all) => {
            let told = |one: Specified| Ok((one.layers, serde_json::to_string(&one.convention).map_err(internal)?));
            all.into_iter().map(told).collect()
        }
    }
}
