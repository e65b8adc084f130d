//! The emulator beside instructions that GPUs computed: 5000 for each architecture and format, published with arXiv 2512.07004.
//!
//! Beside them sums and attention that `scripts/gpu-sums.py` and `scripts/gpu-attention.py` ran on an H200, which stand in
//! `vectors/accumulators`.
//!
//! Those of the study stand in the folder `model_validation` of <https://github.com/north-numerical-computing/MATLAB-tensor-core>; the variable
//! `POSPROOF_TENSOR_CORES` names a checkout of it.

mod guide;

use posproof_bound::{Accumulator, Adder, AttentionRow, Kernel, Order, Term, WeightedSum};
use posproof_numerics::narrow::Narrow;
use posproof_numerics::{Element, format::Format};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Folder, format, file names, accumulator.
const MEASURED: [(&str, &str, Element, &str); 20] = {
    let [f16, bf16] = [Element::Wide(Format::F16), Element::Wide(Format::Bf16)];
    let [e4m3, e5m2] = [Element::Narrow(Narrow::E4m3), Element::Narrow(Narrow::E5m2)];
    [
        ("V100", "fp16", f16, "volta"),
        ("A100", "fp16", f16, "ampere"),
        ("A100", "bf16", bf16, "ampere"),
        ("A2", "fp16", f16, "ampere"),
        ("A2", "bf16", bf16, "ampere"),
        ("L40S", "fp16", f16, "ampere"),
        ("L40S", "bf16", bf16, "ampere"),
        ("L40S", "E4M3", e4m3, "ada-fp8"),
        ("L40S", "E5M2", e5m2, "ada-fp8"),
        ("H100", "fp16", f16, "hopper"),
        ("H100", "bf16", bf16, "hopper"),
        ("H100", "E4M3", e4m3, "hopper-fp8"),
        ("H100", "E5M2", e5m2, "hopper-fp8"),
        ("H200", "fp16", f16, "hopper"),
        ("H200", "bf16", bf16, "hopper"),
        ("H200", "E4M3", e4m3, "hopper-fp8"),
        ("H200", "E5M2", e5m2, "hopper-fp8"),
        ("B200", "fp16", f16, "blackwell"),
        ("B200", "E4M3", e4m3, "blackwell-fp8"),
        ("B200", "E5M2", e5m2, "blackwell-fp8"),
    ]
};

/// Numbers of a line: each as the eight hexadecimal or 32 binary digits of a binary32 number.
fn numbers(line: &str) -> Vec<f64> {
    let number = |word: &str| {
        let radix = if word.len() == 32 { 2 } else { 16 };
        f64::from(f32::from_bits(u32::from_str_radix(word, radix).expect("digits")))
    };
    line.split_whitespace().map(number).collect()
}

#[test]
#[ignore = "needs the measurements that arXiv 2512.07004 published, in a checkout that POSPROOF_TENSOR_CORES names"]
fn instructions_are_those_of_the_hardware_bit_by_bit() {
    let folder = std::env::var("POSPROOF_TENSOR_CORES").expect("POSPROOF_TENSOR_CORES");
    for (device, format, element, name) in MEASURED {
        let place = Path::new(&folder).join("model_validation").join(device).join(format);
        let read = |operand: &str, format: &str| -> Vec<Vec<f64>> {
            let path = place.join(format!("{operand}_{device}_{format}.txt"));
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            text.lines().map(numbers).collect()
        };
        let [a, b] = ["a", "b"].map(|operand| read(operand, format));
        let [c, d] = ["c", "d"].map(|operand| read(operand, "fp32"));
        let accumulator = Accumulator::named(name).expect("a row");
        assert!(a.len() >= 5000 && a.len() == d.len(), "{}", place.display());
        let mut wrong = Vec::new();
        // Of 8 bits on H100, H200 and B200 the accumulator began with zero; on B200 c was added after, in binary32 and to
        // nearest, as all 5000 results of either format show.
        let zero = name.ends_with("fp8") && name != "ada-fp8";
        let added = name == "blackwell-fp8";
        for (row, ((a, b), (c, d))) in a.iter().zip(&b).zip(c.iter().zip(&d)).enumerate() {
            let terms: Vec<Term> = a.iter().zip(b).map(|(x, y)| Term::product([*x, *y], [element; 2])).collect();
            let start = if zero { 0.0 } else { c[0] };
            let instructions = terms.chunks(accumulator.terms as usize);
            let found = instructions.fold(start, |c, terms| accumulator.instruction(terms, c));
            let found = if added { Format::F32.round(found + c[0]) } else { found };
            if found != d[0] {
                wrong.push((row, found, d[0]));
            }
        }
        println!("{device} {format} {name}: {} instructions of {}, {} differ", d.len(), a[0].len(), wrong.len());
        assert!(wrong.is_empty(), "{device} {format}: {:?}", &wrong[..wrong.len().min(3)]);
    }
}

/// Tensors of a safetensors file: its header, and the data.
struct Tensors {
    header: Value,
    data: Vec<u8>,
}

impl Tensors {
    fn open(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (length, rest) = bytes.split_at(8);
        let length = u64::from_le_bytes(length.try_into().expect("eight bytes")) as usize;
        let header = serde_json::from_slice(&rest[..length]).expect("a header");
        Self { header, data: rest[length..].to_vec() }
    }

    fn names(&self) -> Vec<String> {
        self.header.as_object().expect("tensors").keys().filter(|name| *name != "__metadata__").cloned().collect()
    }

    /// The bytes of a tensor, and how many of them make an entry.
    fn bytes(&self, name: &str) -> Vec<&[u8]> {
        let tensor = &self.header[name];
        let offset = |index: usize| tensor["data_offsets"][index].as_u64().expect("an offset") as usize;
        let width = match tensor["dtype"].as_str().expect("a format") {
            "U8" => 1,
            "I16" => 2,
            _ => 4,
        };
        self.data[offset(0)..offset(1)].chunks(width).collect()
    }

    fn singles(&self, name: &str) -> Vec<f64> {
        let single = |bytes: &[u8]| f64::from(f32::from_le_bytes(bytes.try_into().expect("four bytes")));
        self.bytes(name).into_iter().map(single).collect()
    }

    /// Numbers of an element, from their bits.
    fn elements(&self, name: &str, element: Element) -> Vec<f64> {
        let number = |bytes: &[u8]| match (element, bytes) {
            (Element::Narrow(narrow), [code]) => narrow.decode(*code),
            (Element::Wide(Format::F16), [low, high]) => half(*low, *high),
            (Element::Wide(Format::Bf16), [low, high]) => f64::from(f32::from_le_bytes([0, 0, *low, *high])),
            _ => panic!("{name}: bits of another width"),
        };
        self.bytes(name).into_iter().map(number).collect()
    }
}

/// Files that `scripts/model-instructions.py` wrote, and the accumulator and format of each.
const MODELLED: [(&str, Element, &str); 15] = {
    let [f16, bf16] = [Element::Wide(Format::F16), Element::Wide(Format::Bf16)];
    let [e4m3, e5m2, e2m1] =
        [Element::Narrow(Narrow::E4m3), Element::Narrow(Narrow::E5m2), Element::Narrow(Narrow::E2m1)];
    [
        ("volta-f16", f16, "volta"),
        ("ampere-f16", f16, "ampere"),
        ("ampere-bf16", bf16, "ampere"),
        ("ada-fp8-e4m3", e4m3, "ada-fp8"),
        ("ada-fp8-e5m2", e5m2, "ada-fp8"),
        ("hopper-f16", f16, "hopper"),
        ("hopper-bf16", bf16, "hopper"),
        ("hopper-fp8-e4m3", e4m3, "hopper-fp8"),
        ("hopper-fp8-e5m2", e5m2, "hopper-fp8"),
        ("blackwell-f16", f16, "blackwell"),
        ("blackwell-bf16", bf16, "blackwell"),
        ("blackwell-fp8-e4m3", e4m3, "blackwell-fp8"),
        ("blackwell-fp8-e5m2", e5m2, "blackwell-fp8"),
        ("blackwell-fp4-block16-ue4m3", e2m1, "blackwell-fp4"),
        ("blackwell-fp4-block32-ue8m0", e2m1, "blackwell-fp4"),
    ]
};

#[test]
#[ignore = "needs a folder that scripts/model-instructions.py wrote and POSPROOF_MODEL_INSTRUCTIONS names"]
fn instructions_are_those_of_the_published_model() {
    let folder = std::env::var("POSPROOF_MODEL_INSTRUCTIONS").expect("POSPROOF_MODEL_INSTRUCTIONS");
    for (name, element, accumulator) in MODELLED {
        let tensors = Tensors::open(&Path::new(&folder).join(format!("{name}.safetensors")));
        let accumulator = Accumulator::named(accumulator).expect("a row");
        let size =
            |tensor: &str, axis: usize| tensors.header[tensor]["shape"][axis].as_u64().expect("a length") as usize;
        let (m, n, k) = (size("a", 1), size("b", 1), size("a", 2));
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|tensor| tensors.singles(tensor));
        let scaled = accumulator.group > 1;
        let scales = if scaled { ["scale_a", "scale_b"].map(|side| tensors.singles(side)) } else { [vec![], vec![]] };
        let format = if name.ends_with("ue8m0") { Narrow::E8m0 } else { Narrow::E4m3 };
        let blocks = if scaled { size("scale_a", 2) } else { 1 };
        let mut wrong = Vec::new();
        for (place, (c, d)) in c.iter().zip(&d).enumerate() {
            let (call, row, column) = (place / (m * n), place / n % m, place % n);
            let (left, right) = (&a[(call * m + row) * k..][..k], &b[(call * n + column) * k..][..k]);
            let products = left.iter().zip(right).map(|(x, y)| Term::product([*x, *y], [element; 2]));
            let mut terms: Vec<Term> = products.collect();
            if scaled {
                let of = |side: usize, row: usize, group: usize| scales[side][row * blocks + group * 16 * blocks / k];
                let one = |(group, products): (usize, &[Term])| {
                    Term::scaled(products, [of(0, call * m + row, group), of(1, call * n + column, group)], format)
                };
                terms = terms.chunks(16).enumerate().map(one).collect();
            }
            let found = accumulator.instruction(&terms, *c);
            if found != *d {
                wrong.push((place, found, *d));
            }
        }
        println!("{name}: {} instructions, {} differ: {:?}", d.len(), wrong.len(), &wrong[..wrong.len().min(3)]);
        assert!(wrong.is_empty(), "{name}");
    }
}

/// A binary16 number.
fn half(low: u8, high: u8) -> f64 {
    let bits = u16::from_le_bytes([low, high]);
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction * 2f64.powi(-24),
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// 4096 sums of each length and format, each of one, four or thirty-two instructions.
#[test]
fn sums_are_those_of_a_gpu_bit_by_bit() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/accumulators");
    let rows = [
        ("e4m3", Element::Narrow(Narrow::E4m3), "hopper-fp8"),
        ("e5m2", Element::Narrow(Narrow::E5m2), "hopper-fp8"),
        ("f16", Element::Wide(Format::F16), "hopper"),
        ("bf16", Element::Wide(Format::Bf16), "hopper"),
    ];
    let tensors = Tensors::open(&folder.join("hopper.safetensors"));
    let mut compared = 0;
    for name in tensors.names() {
        let Some(key) = name.strip_prefix("random.").and_then(|name| name.strip_suffix(".d")) else { continue };
        let (format, terms) = key.split_once('.').expect("a format and a length");
        let terms: usize = terms.parse().expect("a length");
        let (_, element, accumulator) = rows.into_iter().find(|(name, ..)| *name == format).expect("a format");
        let accumulator = Accumulator::named(accumulator).expect("a row");
        let [a, b] = ["a", "b"].map(|side| tensors.elements(&format!("random.{key}.{side}"), element));
        let found = tensors.singles(&name);
        for (place, found) in found.iter().enumerate() {
            let row = |x: &[f64], row: usize| x[row * terms..(row + 1) * terms].to_vec();
            let (left, right) = (row(&a, place / 64), row(&b, place % 64));
            let products: Vec<Term> =
                left.iter().zip(&right).map(|(x, y)| Term::product([*x, *y], [element; 2])).collect();
            assert_eq!(accumulator.sum(&products, None), *found, "{key}, place {place}");
            compared += 1;
        }
    }
    assert_eq!(compared, 12 * 4096);
}

/// Witnesses that ran on the GPU: what it lost is what the emulator loses, and nearly the bound.
#[test]
fn a_gpu_loses_what_the_bound_allows() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/accumulators");
    let tensors = Tensors::open(&folder.join("hopper.safetensors"));
    let about: Value =
        serde_json::from_str(tensors.header["__metadata__"]["about"].as_str().expect("a text")).expect("JSON");
    assert_eq!(about["device"], "NVIDIA H200");
    let mut lines = vec![
        "| inputs | keys | bound of the loss | exact sum | H200, one accumulator | H200, `torch` |".to_owned(),
        "| --- | --- | --- | --- | --- | --- |".to_owned(),
    ];
    let rows = [
        ("e4m3", Element::Narrow(Narrow::E4m3), "hopper-fp8", 256.0, 4096),
        ("e4m3", Element::Narrow(Narrow::E4m3), "hopper-fp8", 256.0, 32_768),
        ("e5m2", Element::Narrow(Narrow::E5m2), "hopper-fp8", 32_768.0, 4096),
        ("f16", Element::Wide(Format::F16), "hopper", 1.0, 4096),
        ("bf16", Element::Wide(Format::Bf16), "hopper", 1.0, 4096),
    ];
    for (format, element, accumulator, weight, terms) in rows {
        let adder = Adder::Truncated(Accumulator::named(accumulator).expect("a row"));
        let sum = WeightedSum { adder, elements: [element; 2], terms, flush: None, largest: [weight, 1.0] };
        let witness = sum.attained().expect("a sum");
        let result = |way: &str| tensors.singles(&format!("{format}-{terms}-never.{way}"));
        let found = result("triton")[0];
        assert_eq!(found, witness.computed, "{format} {terms}");
        let lost = (witness.exact - found).abs();
        assert!(lost <= witness.bound.value() && 1.1 * lost >= witness.bound.value(), "{format} {terms}");
        let names = tensors.names();
        let others: Vec<String> =
            [("scaled_mm.fast", "fast accumulation"), ("scaled_mm.slow", "without it"), ("mm", "mm")]
                .into_iter()
                .filter(|(way, _)| names.contains(&format!("{format}-{terms}-never.{way}")))
                .map(|(way, words)| format!("{:.6} ({words})", result(way)[0] / weight))
                .collect();
        lines.push(format!(
            "| {format} | {terms} | {:.6} | {:.6} | {:.6} | {} |",
            witness.bound.value() / weight,
            witness.exact / weight,
            found / weight,
            if others.is_empty() { "–".to_owned() } else { others.join(", ") },
        ));
    }
    guide::documented("gpu", &lines);
}

/// Numbers with how many of them follow each other.
fn repeated(runs: &Value) -> Vec<f64> {
    let run = |run: &Value| {
        let [x, count] = [0, 1].map(|place| run[place].as_f64().expect("a number"));
        vec![x; count as usize]
    };
    runs.as_array().expect("runs").iter().flat_map(run).collect()
}

/// Attention by PyTorch's kernels (`scripts/gpu-attention.py`), on inputs that a search found and on random ones: every output is within the
/// bound of a kernel on Hopper.
#[test]
fn kernels_of_pytorch_are_within_the_bound() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/accumulators/attention.json");
    let ran: Value = serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON");
    assert_eq!(ran["device"], "NVIDIA H200");
    let mut lines = vec![
        "| inputs | kernel | bound | exact output | output | error ÷ bound | of 8192 random outputs, at most |"
            .to_owned(),
        "| --- | --- | --- | --- | --- | --- | --- |".to_owned(),
    ];
    let mut half = 0;
    for format in [Format::Bf16, Format::F16] {
        let case = &ran["cases"][format.name()];
        let kind = |kind: &Value| (repeated(&kind[0]), kind[1].as_f64().expect("a value"));
        let row = AttentionRow {
            query: repeated(&case["query"]),
            kinds: case["keys"].as_array().expect("keys").iter().map(kind).collect(),
            members: repeated(&case["order"]).into_iter().map(|kind| kind as u8).collect(),
        };
        let hopper = Adder::Truncated(Accumulator::named("hopper").expect("a row"));
        // Tiles as short as any of these kernels has them.
        let usual = Kernel::usual(Element::Wide(format), hopper, 128, row.members.len() as u64);
        let kernel = Kernel { order: Order::Online(64), ..usual };
        assert_eq!(row.misfit(&kernel), None);
        let (bound, exact) = (kernel.bound().expect("a bound").output.value(), row.exact(&kernel));
        let outputs = case["outputs"].as_object().expect("outputs");
        assert_eq!(outputs.len(), 4);
        for (name, output) in outputs {
            let output = output.as_f64().expect("a number");
            let random = &case["random"][name];
            assert_eq!((&random["entries"], &random["beyond"]), (&8192.into(), &0.into()), "{format} {name}");
            let [found, right] = ["found", "exact"].map(|key| random["worst"][key].as_f64().expect("a number"));
            let [error, other] = [(output - exact).abs(), (found - right).abs()];
            assert!(error <= bound && other <= bound, "{format} {name}: {output} for {exact}");
            half += u32::from(error > 0.5 * bound);
            lines.push(format!(
                "| {format} | {name} | {bound:.5} | {exact:.6} | {output:.6} | {:.3} | {:.3} |",
                error / bound,
                other / bound,
            ));
        }
    }
    // The page says so.
    assert_eq!(half, 1);
    guide::documented("pytorch", &lines);
}
