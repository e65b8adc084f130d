//! Attention as kernels compute it: bounds, and two kernels compared.

use super::array::numbers;
use super::errors::{internal, invalid, keywords, option};
use super::interrupt::interruptible;
use super::options::Options;
use super::values::{json, parsed, text};
use posproof_bound::{Accumulator, Adder, Kernel};
use posproof_command::Failure;
use posproof_command::compare::{ComparedAnswer, Dumps, kernel};
use posproof_command::dump::{Matrix, StoredInputs};
use posproof_command::kernel::{KernelArguments, MaskArgument, ScalesArgument, Shared, StepOrder, adder};
use posproof_encoding::convention::Encoding;
use posproof_numerics::{Element, format::Format};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The kernel: how products are added, weights normalised, numbers stored.
const KERNEL: &[&str] = &[
    "dim",
    "config",
    "layer_type",
    "part",
    "order",
    "accumulator",
    "scales",
    "flush",
    "tile",
    "splits",
    "mask",
    "logits",
    "output",
    "dtype",
    "keys",
    "softmax",
    "weights",
    "exp_ulp",
    "query_length",
    "key_length",
    "value",
];

/// Keys of a context of common length.
const KEYS: usize = 4096;

/// As many numbers as a dump may have.
const MOST: usize = 1 << 28;

fn failed(failure: Failure) -> PyErr {
    match failure {
        Failure::Internal(message) => internal(message),
        failure => invalid(keywords(&failure.to_string())),
    }
}

/// Summation by the name of an accumulator, by its file, or by its figures.
fn summation(stated: &Bound<'_, PyAny>) -> PyResult<Adder> {
    if stated.is_instance_of::<PyDict>() {
        let figures = serde_json::from_value(json("accumulator", stated)?);
        let accumulator: Accumulator = figures.map_err(|error| invalid(format!("accumulator: {error}")))?;
        accumulator.validate().map_err(invalid)?;
        return Ok(Adder::Truncated(accumulator));
    }
    // A name, or a path.
    let name =
        if stated.is_instance_of::<PyString>() { text("accumulator", stated)? } else { stated.str()?.to_string() };
    adder(&name).map_err(failed)
}

/// A format of eight bits or of sixteen and more.
fn element(options: &Options<'_>, name: &str) -> PyResult<Option<Element>> {
    let Some(stated) = options.get(name) else { return Ok(None) };
    match super::values::format(name, stated) {
        Ok(format) => Ok(Some(format.into())),
        // Of those that arrays do not have there is e2m1.
        Err(_) => parsed(name, &stated.str()?.to_string()).map(Some),
    }
}

/// Bounds of attention as a document of the schema `posproof.bound-kernel/1`: of an output (`attention`), or of the logits alone.
pub fn kernel_bound(py: Python<'_>, outputs: bool, given: &Bound<'_, PyDict>) -> PyResult<String> {
    let options = Options::new("bound", given, &[KERNEL])?;
    let Some(stated) = options.get("accumulator") else {
        let expected = "round, hopper-fp8 or another, by which attention is bounded as kernels compute it";
        return Err(option("accumulator", expected, "none"));
    };
    let order = match options.get("order").map(|order| text("order", order)).transpose()?.as_deref() {
        None => None,
        Some("plain") => Some(StepOrder::Plain),
        Some("online") => Some(StepOrder::Online),
        Some(other) => return Err(option("order", "plain or online", format!("'{other}'"))),
    };
    let mask = match options.get("mask").map(|mask| text("mask", mask)).transpose()?.as_deref() {
        None | Some("none") => None,
        Some("causal") => Some(MaskArgument::Causal),
        Some(other) => return Err(option("mask", "causal or none", format!("'{other}'"))),
    };
    let scales = match options.get("scales").map(|scales| text("scales", scales)).transpose()?.as_deref() {
        None => None,
        Some("e4m3") => Some(ScalesArgument::E4m3),
        Some("e8m0") => Some(ScalesArgument::E8m0),
        Some(other) => return Err(option("scales", "e4m3 or e8m0", format!("'{other}'"))),
    };
    let dim = options.without("order").convention(Encoding::Rope)?.dim;
    let whole = |name: &str| options.count(name);
    let arguments = KernelArguments {
        scales,
        flush: whole("flush")?.map(|keys| keys as u64),
        tile: whole("tile")?.map(|keys| u32::try_from(keys).unwrap_or(u32::MAX)),
        splits: whole("splits")?.map(|splits| u32::try_from(splits).unwrap_or(u32::MAX)),
        mask,
        logits: options.computing("logits")?,
        output: options.computing("output")?,
        ..KernelArguments::default()
    };
    let shared = Shared {
        inputs: element(&options, "dtype")?.unwrap_or(Element::Wide(Format::Bf16)),
        dim: u32::try_from(dim).unwrap_or(u32::MAX),
        keys: whole("keys")?.unwrap_or(KEYS) as u64,
        softmax: options.computing("softmax")?,
        weights: element(&options, "weights")?,
        exp_ulp: options.number("exp_ulp")?,
        lengths: [options.number("query_length")?, options.number("key_length")?],
        value: options.number("value")?,
        order,
    };
    let kernel = arguments.kernel(summation(stated)?, &shared).map_err(failed)?;
    let answer =
        interruptible(py, |_| arguments.document(&kernel, outputs, None).map(|answer| serde_json::to_string(&answer)))?;
    answer.map_err(failed)?.map_err(internal)
}

fn matrix(name: &str, array: &Bound<'_, PyAny>) -> PyResult<Matrix> {
    let (shape, numbers) = numbers(name, array, MOST)?;
    Matrix::new(name.to_owned(), &shape, numbers).map_err(failed)
}

/// Two kernels compared, and outputs of either judged: a document of the schema `posproof.compare/1`.
#[pyfunction]
pub fn compare(
    py: Python<'_>,
    kernels: [Bound<'_, PyAny>; 2],
    inputs: Option<[Bound<'_, PyAny>; 3]>,
    outputs: Option<[Bound<'_, PyAny>; 2]>,
    causal: bool,
) -> PyResult<String> {
    let [one, other] = kernels;
    let read = |name, document| kernel(name, json(name, document)?).map_err(failed);
    let kernels: [Kernel; 2] = [read("a", &one)?, read("b", &other)?];
    let dumped = match (inputs, outputs) {
        (Some([q, k, v]), Some([one, other])) => Some((
            StoredInputs { arrays: [matrix("q", &q)?, matrix("k", &k)?, matrix("v", &v)?], causal },
            [matrix("outputs of a", &one)?, matrix("outputs of b", &other)?],
        )),
        (None, None) => None,
        _ => return Err(option("inputs", "(q, k, v) and outputs (of a, of b) together", "one of them")),
    };
    let document = interruptible(py, |_| {
        let compared = kernels[0].compare(&kernels[1])?;
        let dumps = match &dumped {
            Some((stored, outputs)) => Some(Dumps::judge(stored, outputs, &kernels, &compared.each)?),
            None => None,
        };
        Ok::<_, Failure>(serde_json::to_string(&ComparedAnswer::new(&kernels, &compared, dumps.as_ref())))
    })?;
    document.map_err(failed)?.map_err(internal)
}
