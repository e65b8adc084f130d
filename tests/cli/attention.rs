//! `posproof check attention`: honest schedules are accepted, mistakes of people who write kernels are refused.

use super::run_in;
use posproof::bound::{Accumulator, Adder, AttentionRow, Kernel, Order};
use posproof_numerics::Element;
use posproof_numerics::format::Format;
use std::fs;
use std::path::Path;

const BF16: Element = Element::Wide(Format::Bf16);
const DIM: usize = 64;
const KEYS: usize = 200;
const ROWS: usize = 8;

/// Random bits that are the same everywhere.
struct Draw(u64);

impl Draw {
    fn numbers(&mut self, count: usize, most: f64) -> Vec<f64> {
        let mut number = || {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            BF16.round(most * ((self.0 >> 40) as f64 / (1u64 << 23) as f64 - 1.0))
        };
        (0..count).map(|_| number()).collect()
    }
}

/// Queries, keys and values.
struct Inputs([Vec<f64>; 3]);

impl Inputs {
    /// Logits that rise, so that every tile has a larger one than those before it, and values that rise with them.
    fn new() -> Self {
        let mut draw = Draw(11);
        let first = draw.numbers(DIM, 1.7);
        let mut q = first.clone();
        for _ in 1..ROWS {
            let noise = draw.numbers(DIM, 0.3);
            q.extend(first.iter().zip(noise).map(|(q, x)| BF16.round(0.8 * (q + x))));
        }
        let mut keys: Vec<Vec<f64>> = (0..KEYS).map(|_| draw.numbers(DIM, 1.7)).collect();
        let dot = |key: &[f64]| key.iter().zip(&first).map(|(k, q)| k * q).sum::<f64>();
        keys.sort_by(|one, other| dot(one).total_cmp(&dot(other)));
        let v = (0..KEYS).map(|place| BF16.round(2.0 * place as f64 / KEYS as f64 - 1.0)).collect();
        Self([q, keys.concat(), v])
    }

    fn keys(&self) -> impl Iterator<Item = &[f64]> {
        self.0[1].chunks(DIM)
    }

    fn row(&self, row: usize) -> AttentionRow {
        let query = self.0[0][row * DIM..(row + 1) * DIM].to_vec();
        let kinds = self.keys().map(<[f64]>::to_vec).zip(self.0[2].iter().copied()).collect();
        AttentionRow { query, kinds, members: (0..KEYS as u8).collect() }
    }

    /// Exponentials of the logits of each row, scaled so.
    fn exponentials(&self, scale: f64) -> Vec<Vec<f64>> {
        let logits = |query: &[f64]| {
            let logit = |key: &[f64]| scale * query.iter().zip(key).map(|(q, k)| q * k).sum::<f64>();
            self.keys().map(|key| logit(key).exp()).collect()
        };
        self.0[0].chunks(DIM).map(logits).collect()
    }

    /// The tensors q, k and v of a file.
    fn write(&self, path: &Path) {
        let shapes = [[ROWS, DIM], [KEYS, DIM], [KEYS, 1]];
        let (mut header, mut data) = (Vec::new(), Vec::new());
        for ((name, shape), numbers) in ["q", "k", "v"].into_iter().zip(shapes).zip(&self.0) {
            let start = data.len();
            data.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
            let offsets = [start, data.len()];
            header.push(format!(r#""{name}":{{"dtype":"F64","shape":{shape:?},"data_offsets":{offsets:?}}}"#));
        }
        let header = format!("{{{}}}", header.join(","));
        let header = format!("{header:<0$}", header.len().next_multiple_of(8));
        fs::write(path, [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat()).unwrap();
    }
}

/// The weighted mean of values for weights of each key.
fn mean<'a>(weights: impl Iterator<Item = &'a f64>, values: &[f64]) -> f64 {
    let (sum, all) = weights.zip(values).fold((0.0, 0.0), |(sum, all), (w, x)| (sum + w * x, all + w));
    sum / all
}

/// One output of each row as a file of NumPy.
pub fn npy(outputs: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, 1), }}", outputs.len());
    let header = format!("{header:<117}\n");
    let start = [&b"\x93NUMPY\x01\x00"[..], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
    start.into_iter().chain(outputs.iter().flat_map(|x| x.to_le_bytes())).collect()
}

fn kernels() -> [Kernel; 6] {
    let hopper = Adder::Truncated(Accumulator::named("hopper").expect("a row"));
    let base = Kernel::usual(BF16, hopper, DIM as u32, KEYS as u64);
    let base = Kernel { query: 12.0, key: 12.0, ..base };
    [
        base.clone(),
        Kernel { order: Order::Plain, ..base.clone() },
        Kernel { order: Order::Online(32), ..base.clone() },
        Kernel { flush: Some(64), ..base.clone() },
        Kernel { order: Order::Online(32), splits: 3, ..base.clone() },
        Kernel { adder: Adder::Rounded(Format::F32), ..base },
    ]
}

/// The exit status and the document of a judgement of outputs by a kernel.
fn judged(folder: &Path, kernel: &Kernel, outputs: &[f64], more: &[&str]) -> (i32, serde_json::Value) {
    fs::write(folder.join("kernel.json"), serde_json::to_string(kernel).unwrap()).unwrap();
    fs::write(folder.join("out.npy"), npy(outputs)).unwrap();
    let given = ["--kernel", "kernel.json", "--inputs", "stored.safetensors", "--output", "out.npy", "--json"];
    let (status, out, err) = run_in(folder, &[&["check", "attention"][..], &given, more].concat());
    let document = serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"));
    posproof_schema::validate(&document);
    (status, document)
}

#[test]
fn honest_schedules_are_accepted_and_mistakes_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = Inputs::new();
    inputs.write(&folder.path().join("stored.safetensors"));
    let kernels = kernels();
    for kernel in &kernels {
        let outputs: Vec<f64> = (0..ROWS).map(|row| inputs.row(row).computed(kernel)).collect();
        let (status, document) = judged(folder.path(), kernel, &outputs, &[]);
        assert_eq!((status, &document["conforms"]), (0, &true.into()), "{document}");
    }
    let scale = 1.0 / (DIM as f64).sqrt();
    let (right, values) = (inputs.exponentials(scale), &inputs.0[2]);
    let exact: Vec<f64> = right.iter().map(|row| mean(row.iter(), values)).collect();
    let column = |key: usize| right.iter().map(|row| row[key]).sum::<f64>();
    let columns: Vec<f64> = (0..KEYS).map(column).collect();
    let across = |row: &Vec<f64>| row.iter().zip(&columns).zip(values).map(|((e, all), x)| e / all * x).sum::<f64>();
    // Tiles of 50 keys, each with the largest logit of its own, which rises.
    let unscaled = |row: &Vec<f64>| {
        let tiles = row.chunks(50).flat_map(|tile| {
            let largest = tile.iter().copied().fold(0.0, f64::max);
            tile.iter().map(move |e| e / largest)
        });
        mean(tiles.collect::<Vec<_>>().iter(), values)
    };
    let other_head = inputs.exponentials(1.0 / (2.0 * DIM as f64).sqrt());
    let mistakes: [(&str, Vec<f64>); 5] = [
        ("the softmax of the wrong axis", right.iter().map(across).collect()),
        ("a dropped rescaling", right.iter().map(unscaled).collect()),
        ("a mask that leaks one key", right.iter().map(|row| mean(row[..KEYS - 1].iter(), values)).collect()),
        ("the scale of another head", other_head.iter().map(|row| mean(row.iter(), values)).collect()),
        (
            "one output that is no number",
            exact.iter().enumerate().map(|(row, x)| if row == 3 { f64::NAN } else { *x }).collect(),
        ),
    ];
    for kernel in &kernels {
        assert_eq!(judged(folder.path(), kernel, &exact, &[]).0, 0);
        for (mistake, outputs) in &mistakes {
            let (status, document) = judged(folder.path(), kernel, outputs, &[]);
            assert_eq!((status, &document["conforms"]), (1, &false.into()), "{mistake}: {document}");
        }
    }
    // A causal mask: the last row has all keys. One key too many is refused, and so are all keys.
    let masked = |leak: usize| -> Vec<f64> {
        let seen = |row: usize| (KEYS - ROWS + row + 1 + leak).min(KEYS);
        right.iter().enumerate().map(|(row, e)| mean(e[..seen(row)].iter(), values)).collect()
    };
    let mask = ["--mask", "causal"];
    assert_eq!(judged(folder.path(), &kernels[0], &masked(0), &mask).0, 0);
    for leak in [1, ROWS] {
        let (status, document) = judged(folder.path(), &kernels[0], &masked(leak), &mask);
        assert_eq!((status, &document["first"]["row"]), (1, &0.into()), "{document}");
    }
}

/// Inputs that no bound is about are a usage error that says so.
#[test]
fn inputs_that_the_kernel_does_not_state_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = Inputs::new();
    inputs.write(&folder.path().join("stored.safetensors"));
    fs::write(folder.path().join("out.npy"), npy(&[0.0; ROWS])).unwrap();
    let [base, ..] = kernels();
    for (kernel, expected) in [
        (Kernel { query: 1.0, ..base.clone() }, "no row longer than 1,"),
        (Kernel { value: 0.5, ..base.clone() }, "no value larger than 0.5"),
        (Kernel { keys: 100, ..base.clone() }, "1 to 100 keys"),
        (Kernel { dim: 32, ..base.clone() }, "rows of dimension 32"),
        (Kernel { kappa: 0.0, ..base.clone() }, "--exp-ulp 0: expected 0.5"),
        (Kernel { inputs: Element::Narrow(posproof_numerics::narrow::Narrow::E4m3), ..base }, "numbers of e4m3"),
    ] {
        fs::write(folder.path().join("kernel.json"), serde_json::to_string(&kernel).unwrap()).unwrap();
        let given = ["--kernel", "kernel.json", "--inputs", "stored.safetensors", "--output", "out.npy"];
        let (status, out, err) = run_in(folder.path(), &[&["check", "attention"][..], &given].concat());
        assert!(status == 2 && out.is_empty() && err.contains(expected), "{expected}: {status} {err}");
    }
}
