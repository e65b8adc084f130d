//! Gappa as a second opinion: on what it can express, no error found is above its bound, and no bound here is
//! below an error found.
//!
//! The tests that run Gappa are ignored by plain `cargo test`, with the reason; where it is installed:
//! `cargo test --test bound -- --ignored --nocapture gappa`, which also prints the expressions.

use posproof::bound::{Arithmetic, Bound, Model, Program, dot_of_small_products, rotated_pair, search_dot};
use posproof::encoding::convention::Convention;
use posproof::number::format::{Format, hex};
use posproof_numerics::Interval;
use rug::float::Round;
use rug::{Float, Rational};
use std::io::Write;
use std::process::{Command, Stdio};

/// Gappa's bound on the magnitude of the expression asked for.
fn gappa(script: &str) -> f64 {
    println!("{script}");
    let mut command = Command::new("gappa");
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("gappa, which this test is about, on the path");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("gappa reads");
    let output = child.wait_with_output().expect("gappa ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    println!("{text}");
    assert!(output.status.success(), "{text}");
    let interval = text.lines().find_map(|line| line.split_once(" in [")).expect("a result").1;
    let ends = interval.split(", ").filter_map(|end| end.split(['{', ']']).next()).filter_map(dyadic);
    let ends: Vec<f64> = ends.collect();
    assert!(!ends.is_empty(), "{interval}");
    ends.into_iter().fold(0.0, |most, end| most.max(end.abs()))
}

/// A number as Gappa prints it, such as −25b-24 for −25·2^−24, rounded away from zero.
fn dyadic(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.trim().split_once('b').unwrap_or((text.trim(), "0"));
    let mantissa: i128 = mantissa.parse().ok()?;
    let exponent: i32 = exponent.parse().ok()?;
    Some((Float::with_val(200, mantissa) << exponent).to_f64_round(if mantissa < 0 { Round::Down } else { Round::Up }))
}

const ROUNDING: &str = "@rnd = float<ieee_32, ne>;\n";

#[test]
#[ignore = "not run: this needs Gappa (Debian: apt-get install gappa); then cargo test --test bound -- --ignored gappa"]
fn a_dot_product_of_length_8() {
    let mut script = String::from(ROUNDING);
    let (mut sum, mut exact, mut ranges) = (String::new(), String::new(), Vec::new());
    for i in 0..8 {
        script += &format!("x{i} = rnd(X{i}); y{i} = rnd(Y{i}); p{i} rnd= x{i} * y{i};\n");
        if i > 0 {
            script += &format!("s{i} rnd= {sum} + p{i};\n");
        }
        sum = if i == 0 { "p0".into() } else { format!("s{i}") };
        exact = if i == 0 { "x0 * y0".into() } else { format!("({exact}) + x{i} * y{i}") };
        ranges.push(format!("x{i} in [-1, 1] /\\ y{i} in [-1, 1]"));
    }
    script += &format!("e = {exact};\n{{ {} -> {sum} - e in ? }}\n", ranges.join(" /\\ "));
    let theirs = gappa(&script);
    let ours = dot_of_small_products(Format::F32, 8).expect("short").value();
    let found = search_dot(Format::F32, 8).expect("narrow").error;
    assert!(found <= theirs && found <= ours, "found {found}, Gappa {theirs}, here {ours}");
    // Both add the same eight and seven half spacings; here each of some thirty operations rounds up by 2^−52.
    assert!(theirs <= ours && ours <= theirs * (1.0 + 32.0 * f64::EPSILON), "Gappa {theirs}, here {ours}");
}

#[test]
#[ignore = "not run: this needs Gappa (Debian: apt-get install gappa); then cargo test --test bound -- --ignored gappa"]
fn the_product_of_position_and_frequency() {
    let model = Model::new(&Convention::sinusoid(512), &Program::rounded(Format::F32)).expect("possible");
    for pair in [1, 64, 200] {
        let rate = model.rate(pair).expect("a frequency");
        let (omega, computed) = (rate.exact(), rate.computed());
        let apart = omega.clone() - Interval::exactly(computed);
        let (low, high) = (apart.lower_f64(), apart.upper_f64());
        for (first, last) in [(1u64, 511u64), (4096, 8191), (65536, 131071)] {
            let script = format!(
                "{ROUNDING}t = int<ne>(T);\nw = {};\na rnd= t * w;\n{{ t in [{first}, {last}] /\\ W - w in [{}, {}] -> a - t * W in ? }}\n\
a - t * W -> (a - t * w) - t * (W - w);\n",
                hex(computed),
                hex(low),
                hex(high)
            );
            let theirs = gappa(&script);
            let ours = model.angle(&rate, first..last + 1).expect("in range").value();
            let exact = Interval::point(omega.midpoint()).at(300);
            let error = |t: u64| {
                let angle = Format::F32.round(t as f64 * computed);
                (Interval::exactly(angle) - exact.clone() * Interval::exactly(t as f64)).abs().lower_f64()
            };
            let found = (first..=last).map(error).fold(0.0, f64::max);
            assert!(found <= theirs && found <= ours, "{pair} {first}: found {found}, Gappa {theirs}, here {ours}");
            // Gappa does not use that t is an integer beyond its range; the lattice does.
            assert!(ours <= theirs * (1.0 + 1e-12), "{pair} {first}: here {ours}, Gappa {theirs}");
        }
    }
}

#[test]
#[ignore = "not run: this needs Gappa (Debian: apt-get install gappa); then cargo test --test bound -- --ignored gappa"]
fn a_rotated_pair() {
    // Entries of a correctly rounded table: within 2^−25 of the exact ones, as at pair 0 below 2^24.
    let model = Model::new(&Convention::rope(128), &Program::rounded(Format::F32)).expect("possible");
    let rate = model.rate(0).expect("a frequency");
    let table: Bound = model.pair(&rate, 0..4096).expect("in range");
    let root_two = 2f64.sqrt().next_up();
    assert!(table.value() <= root_two * 2f64.powi(-25) * (1.0 + 1e-15));
    let script = format!(
        "{ROUNDING}x = rnd(X); y = rnd(Y); c = rnd(C0); s = rnd(S0);\np rnd= x * c; q rnd= y * s; z rnd= p - q;\ne = x * C - y * S;\n\
{{ x in [-1, 1] /\\ y in [-1, 1] /\\ c in [-1, 1] /\\ s in [-1, 1] /\\ c - C in [-1b-25, 1b-25] /\\ s - S in [-1b-25, 1b-25] -> z - e in ? }}\n\
z - e -> (z - (x * c - y * s)) + (x * (c - C) - y * (s - S));\n"
    );
    let theirs = gappa(&script);
    let ours = rotated_pair(Arithmetic { format: Format::F32, fused: false }, table, root_two).value();
    // The first component of pairs in [−1, 1]², evaluated exactly but for the 300 bits of sine and cosine.
    let mut draw = super::draw::Draw::new(17);
    let mut found = 0.0f64;
    for _ in 0..20_000 {
        let t = (draw.next() * 4096.0) as u64;
        let (x, y) = (draw.signed(Format::F32), draw.signed(Format::F32));
        let (s, c) = core_math::sincosf(t as f32);
        let computed = Format::F32.round(Format::F32.round(x * f64::from(c)) - Format::F32.round(y * f64::from(s)));
        let (sin, cos) = Float::with_val(300, t).sin_cos(Float::new(300));
        let exact = Float::with_val(300, x * cos) - Float::with_val(300, y * sin);
        found = found.max(Float::with_val(300, computed - exact).abs().to_f64_round(Round::Down));
    }
    println!("rotated pair, one component: found {found}, Gappa {theirs}, here {ours}");
    assert!(found <= theirs && found <= ours);
    assert!(found > 0.3 * theirs);
}

#[test]
fn numbers_are_read_as_gappa_prints_them() {
    assert_eq!(dyadic("-25b-24"), Some(-25.0 * 2f64.powi(-24)));
    assert_eq!(dyadic("3 "), Some(3.0));
    assert_eq!(dyadic("0.1"), None);
    // Beyond 53 bits a magnitude is rounded up.
    let up = dyadic("1001999394180815985b-67").expect("a number");
    assert!(Rational::from_f64(up).expect("finite") >= Rational::from((1001999394180815985u64, 1u128 << 67)));
}
