//! Claims of the ledger as checks of Python's functions.

use super::array::{kind, memory, numbers};
use super::errors::{invalid, option};
use super::memory::EntryKind;
use super::options::{ENCODING, Options};
use super::scaling::SCALING;
use super::tables::HandedArray;
use posproof_encoding::convention::Encoding;
use posproof_numerics::format::Format;
use posproof_property::{Answer, Batch, Probe, Report, Role, Setup, Verdict, find, properties};
use posproof_table::{Element, in_format};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Keywords about the code besides its encoding.
const CODE: &[&str] = &["dtype", "compute", "tokens", "error", "seed"];

/// Entries of an answer at most.
const MOST: usize = 1 << 28;

/// A claim, the functions that it asks, what it compares, and its sabotage.
type Listing = (&'static str, Vec<&'static str>, &'static str, &'static str);

/// The claims that ask a function, or any.
#[pyfunction]
#[pyo3(signature = (role=None))]
pub fn claims(role: Option<&str>) -> PyResult<Vec<Listing>> {
    let role = role.map(|name| name.parse::<Role>().map_err(invalid)).transpose()?;
    let listed = properties(role).map(|property| {
        let roles = property.roles.iter().map(|role| role.name()).collect();
        (property.claim, roles, property.says, property.sabotage)
    });
    Ok(listed.collect())
}

/// Questions of functions about a claim.
#[pyclass(frozen, module = "posproof._posproof")]
pub struct ClaimProbe {
    probe: Probe,
    batches: Vec<Batch>,
    /// The report before the inputs were made simpler.
    report: Option<Report>,
}

/// A result: conforms, the verdict, the report in words and as JSON, and simpler inputs to be asked for next.
type ClaimOutcome = (bool, &'static str, String, String, Option<ClaimProbe>);

impl ClaimProbe {
    fn new(probe: Probe, report: Option<Report>) -> Self {
        let batches = probe.batches();
        Self { probe, batches, report }
    }

    /// The answers of a function to its batch.
    fn answer(&self, batch: &Batch, given: &[Bound<'_, PyAny>]) -> PyResult<Answer> {
        let (claim, role) = (self.probe.property().claim, batch.role);
        let name = format!("{claim}: {role} {}", role.signature());
        let (mut entries, mut formats) = (Vec::new(), Vec::new());
        // Matrices are answered one by one.
        let expected = if role.is_of_matrices() { &batch.answer[1..] } else { &batch.answer[..] };
        for object in given {
            let EntryKind::Float(format) = memory(&name, object)?.kind() else {
                return Err(option(&name, "floating-point numbers", format!("{} of others", kind(object))));
            };
            let (shape, numbers) = numbers(&name, object, MOST)?;
            let leading = shape.len().saturating_sub(expected.len());
            if shape[leading..] != *expected || shape[..leading].iter().any(|&n| n != 1) {
                return Err(option(&name, format!("an array of shape {expected:?}"), format!("shape {shape:?}")));
            }
            entries.extend(numbers);
            formats.push(format);
        }
        let coarsest = formats.into_iter().min_by_key(|format| format.precision());
        let format = coarsest.unwrap_or(self.probe.setup().dtype);
        Ok(Answer { role, format, shape: batch.answer.clone(), entries })
    }
}

#[pymethods]
impl ClaimProbe {
    /// The functions that are asked, each with its arrays (names, shapes and entries) and positions.
    #[expect(clippy::type_complexity, reason = "tuples are what Python takes apart")]
    fn asked(&self) -> PyResult<Vec<(&'static str, Vec<(&'static str, Vec<usize>, HandedArray)>, Vec<u64>)>> {
        let handed = |batch: &Batch| {
            let arrays = batch.arrays.iter().map(|array| {
                let width = array.shape.last().copied().unwrap_or(1);
                let entries = entries(self.probe.setup().dtype, width, &array.entries)?;
                Ok((array.name, array.shape.clone(), entries))
            });
            Ok((batch.role.name(), arrays.collect::<PyResult<Vec<_>>>()?, batch.positions.clone()))
        };
        self.batches.iter().map(handed).collect()
    }

    /// Judges what the functions have answered: one array each, or one for each call of a function of matrices.
    fn judge(&self, answers: &Bound<'_, PyDict>) -> PyResult<ClaimOutcome> {
        let mut all = Vec::new();
        for batch in &self.batches {
            if let Some(given) = answers.get_item(batch.role.name())? {
                all.push(self.answer(batch, &given.extract::<Vec<Bound<'_, PyAny>>>()?)?);
            }
        }
        let judged = self.probe.judge(&all).map_err(invalid)?;
        let still = judged.report.failing.is_some();
        let report = match &self.report {
            None => judged.report.clone(),
            Some(first) => first.clone().with_simpler(&judged.report),
        };
        let next = self.probe.shrunk(&judged).filter(|_| still).map(|probe| Self::new(probe, Some(report.clone())));
        let json = serde_json::to_string(&report.document()).map_err(super::errors::internal)?;
        let verdict = match report.verdict {
            Verdict::Holds => "holds",
            Verdict::Refuted => "refuted",
            Verdict::NotJudged => "not-judged",
        };
        Ok((report.conforms(), verdict, report.to_string(), json, next))
    }
}

fn entries(format: Format, width: usize, numbers: &[f64]) -> PyResult<HandedArray> {
    fn of<T: Element + bytemuck::AnyBitPattern + bytemuck::NoUninit>(
        width: usize,
        numbers: &[f64],
    ) -> PyResult<HandedArray> {
        HandedArray::filled::<T>(vec![numbers.len() / width.max(1), width], |entries| {
            entries.iter_mut().zip(numbers).for_each(|(entry, &number)| *entry = T::from_exact(number));
            Ok(())
        })
    }
    in_format!(format, T => of::<T>(width, numbers))
}

/// The inputs of a claim for functions of these roles, and code that is stated by options.
#[pyfunction]
pub fn claim_probe(
    function: &str,
    claim: &str,
    roles: Vec<String>,
    options: &Bound<'_, PyDict>,
) -> PyResult<ClaimProbe> {
    let roles = roles.iter().map(|name| name.parse::<Role>().map_err(invalid)).collect::<PyResult<Vec<_>>>()?;
    let property = find(claim, &roles).map_err(invalid)?;
    let options = Options::new(function, options, &[ENCODING, SCALING, CODE])?;
    let encoding = if property.role() == Role::Encode { Encoding::Sinusoid } else { Encoding::Rope };
    let compute = options.computing("compute")?.unwrap_or(Format::F32);
    let setup = Setup {
        convention: options.convention(encoding)?,
        last: options.positions()?.map_or(Setup::LAST, |positions| positions.max()),
        tokens: options.count("tokens")?.unwrap_or(Setup::TOKENS),
        compute,
        dtype: options.computing("dtype")?.unwrap_or(compute),
        error: options.number("error")?,
        seed: options.count("seed")?.unwrap_or(1) as u64,
    };
    Ok(ClaimProbe::new(Probe::new(property, &setup).map_err(invalid)?, None))
}
