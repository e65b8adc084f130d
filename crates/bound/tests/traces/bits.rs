//! Traces beside the program: Coq's kernel evaluates them on IEEE numbers, and finds bit for bit what the program computes.

use super::{kernels, proofs};
use posproof_numerics::format::{Format, power_of_two};
use posproof_numerics::trace::{Traced, coq};
use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The evaluation of cases in Coq.
const BITS: &str = include_str!("Bits.v");

/// Pairs rotated by NumPy.
const NUMPY: &str = include_str!("rotate.py");

/// Cases of each kernel, in each choice of formats.
const CASES: usize = 100;

/// Results that are compared, at least.
const RESULTS: usize = 10_000;

/// Splitmix64 (Steele, Lea, Flood 2014).
struct Draw(u64);

impl Draw {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// A number of 53 random bits, at least 2^least and below 2^(least + range) in magnitude.
    fn between(&mut self, least: i32, range: u64) -> f64 {
        let exponent = least + self.below(range) as i32;
        let magnitude = (1.0 + (self.bits() >> 12) as f64 / power_of_two(52)) * power_of_two(exponent);
        if self.below(2) == 0 { magnitude } else { -magnitude }
    }

    /// Numbers near 1, numbers of formats, ties of formats, numbers that underflow or overflow, and those at the ends.
    fn input(&mut self) -> f64 {
        let format = Format::ALL[self.below(4) as usize];
        match self.below(12) {
            0..=3 => self.between(-3, 5),
            4 | 5 => format.round(self.between(-14, 28)),
            6 | 7 => {
                let number = format.round(self.between(-10, 20));
                number + format.half_ulp(number)
            }
            8 => format.round(self.between(-133, 8)),
            9 => self.between(-1074, 60),
            10 => self.between(960, 63),
            _ => [0.0, -0.0, 1.0, -1.0, 65504.0, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY][self.below(8) as usize],
        }
    }
}

/// The bits of a number; all that are none have the same.
fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() & !(1 << 63) } else { x.to_bits() }
}

/// The halves of numbers as a list in Coq.
fn halves(numbers: &[u64]) -> String {
    let mut text = String::new();
    for number in numbers {
        let _ = write!(text, "{}::{}::", number >> 32, number & 0xffff_ffff);
    }
    text + "nil"
}

/// A kernel's cases, and one of them with a unit in the last place of its last result changed.
struct Compared {
    kernel: String,
    sizes: [usize; 2],
    cases: usize,
    numbers: Vec<u64>,
}

impl Compared {
    /// A kernel in Coq, and its cases, each the inputs followed by the results.
    fn of(traced: &Traced, formats: &[Format], fused: bool, cases: &[(Vec<f64>, Vec<f64>)]) -> Self {
        let inputs = traced.trace.inputs().len();
        let names: Vec<String> = (0..inputs).map(|i| format!("x{i}")).collect();
        let formats: String = formats.iter().map(|format| format!(" {}", coq(*format))).collect();
        let kernel = format!(
            "(fun l => match l with [{}] => {} (machine {fused}){formats} {} | _ => nil end)",
            names.join("; "),
            traced.trace.name(),
            names.join(" ")
        );
        let results = cases.first().map_or(0, |(_, made)| made.len());
        let numbers = cases.iter().flat_map(|(case, made)| case.iter().chain(made)).map(|x| bits(*x)).collect();
        Self { kernel, sizes: [inputs, results], cases: cases.len(), numbers }
    }

    /// Cases of the program's simulation in binary64.
    fn simulated(traced: &Traced, formats: &[Format], fused: bool, draw: &mut Draw) -> Option<Self> {
        let case = |draw: &mut Draw| {
            let case: Vec<f64> = traced.trace.inputs().iter().map(|_| draw.input()).collect();
            (traced.run)(fused, formats, &case).map(|made| (case, made))
        };
        let cases: Option<Vec<_>> = (0..CASES).map(|_| case(draw)).collect();
        Some(Self::of(traced, formats, fused, &cases?))
    }

    /// Cases of the same kernel by the processor's own operations of binary32.
    fn native(traced: &Traced, draw: &mut Draw) -> Option<Self> {
        let native = traced.native.filter(|_| traced.choices.contains(&[Format::F32].as_slice()))?;
        let case = |_| {
            let case: Vec<f32> = traced.trace.inputs().iter().map(|_| draw.input() as f32).collect();
            let made = native(&case);
            [case, made].map(|numbers| numbers.into_iter().map(f64::from).collect::<Vec<f64>>()).into()
        };
        let cases: Vec<(Vec<f64>, Vec<f64>)> = (0..CASES).map(case).collect();
        Some(Self::of(traced, &[Format::F32], false, &cases))
    }

    /// Pairs rotated by NumPy; `None` where it is not installed.
    fn by_numpy(traced: &Traced, format: Format, kind: &str, draw: &mut Draw) -> Option<Self> {
        let inputs: Vec<Vec<f64>> = (0..CASES).map(|_| (0..4).map(|_| format.round(draw.input())).collect()).collect();
        let line = |case: &Vec<f64>| case.iter().map(|x| format!("{:x}", x.to_bits())).collect::<Vec<_>>().join(" ");
        let lines: Vec<String> = inputs.iter().map(line).collect();
        let mut python = Command::new("python3");
        python.args(["-c", NUMPY, kind]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = python.spawn().ok()?;
        let sent = child.stdin.take()?.write_all(lines.join("\n").as_bytes());
        let output = child.wait_with_output().ok()?;
        if sent.is_err() || !output.status.success() {
            return None;
        }
        let word = |word: &str| f64::from_bits(u64::from_str_radix(word, 16).expect("a word"));
        let text = String::from_utf8(output.stdout).expect("text");
        let results = text.lines().map(|line| line.split_whitespace().map(word).collect::<Vec<f64>>());
        let cases: Vec<_> = inputs.into_iter().zip(results).collect();
        assert_eq!(cases.len(), CASES, "a line for each pair");
        Some(Self::of(traced, &[format], false, &cases))
    }

    fn state(&self, text: &mut String, place: usize) {
        let Self { kernel, sizes: [inputs, results], cases, numbers } = self;
        let mut state = |name: &str, cases: usize, numbers: &[u64], answer: bool| {
            let list = halves(numbers);
            let _ = write!(
                text,
                "\nLemma {name}_{place} : agree {cases} {inputs} {results} {kernel}\n  (words ({list})%list) = {answer}.\n\
                 Proof. vm_cast_no_check (eq_refl {answer}). Qed.\n"
            );
        };
        state("cases", *cases, numbers, true);
        let mut altered = numbers[..inputs + results].to_vec();
        altered[inputs + results - 1] ^= 1;
        state("altered", 1, &altered, false);
    }
}

/// The files that a file of the development requires, each after those that it requires itself, and that file.
fn closure(module: &str, found: &mut Vec<String>) {
    if found.iter().any(|known| known == module) {
        return;
    }
    let text = fs::read_to_string(proofs().join(format!("{module}.v"))).expect("a source");
    let lines = text.lines().filter_map(|line| line.strip_prefix("From Posproof Require Import "));
    for required in lines.flat_map(|line| line.trim_end_matches('.').split_whitespace()) {
        closure(required, found);
    }
    found.push(module.to_owned());
}

/// Coq compiles a file of a folder in which the files that it requires are compiled.
fn compile(folder: &Path, file: &str) {
    let mut coqc = Command::new("coqc");
    coqc.args(["-q", "-w", "none", "-Q", ".", "Posproof", file]).current_dir(folder);
    let output = coqc.output().expect("coqc runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{file}: {said}");
}

#[test]
#[ignore = "this needs Coq 8.16: sh scripts/test installs it and runs it"]
fn coq_computes_what_the_program_computes() {
    let draw = &mut Draw(1);
    let mut all = Vec::new();
    for traced in kernels() {
        for formats in traced.choices {
            for fused in [false, true] {
                if !fused || traced.trace.multiplies_and_adds() {
                    all.extend(Compared::simulated(&traced, formats, fused, draw));
                }
            }
        }
        all.extend(Compared::native(&traced, draw));
        if traced.trace.name() == "rotated_pair" {
            for (format, kind) in [(Format::F32, "float32"), (Format::F16, "float16")] {
                let pairs = Compared::by_numpy(&traced, format, kind, draw);
                if pairs.is_none() {
                    eprintln!("posproof: not compared: pairs rotated by NumPy, which python3 does not have");
                }
                all.extend(pairs);
            }
        }
    }
    let results: usize = all.iter().map(|compared| compared.cases * compared.sizes[1]).sum();
    assert!(results >= RESULTS, "{results}");
    let mut text = BITS.to_owned();
    all.iter().enumerate().for_each(|(place, compared)| compared.state(&mut text, place));
    let folder = tempfile::tempdir().expect("a directory");
    let mut modules = Vec::new();
    closure("RoundingTraces", &mut modules);
    for module in &modules {
        let file = format!("{module}.v");
        fs::copy(proofs().join(&file), folder.path().join(&file)).expect("a copy");
        compile(folder.path(), &file);
    }
    fs::write(folder.path().join("Bits.v"), &text).expect("a file");
    compile(folder.path(), "Bits.v");
}
