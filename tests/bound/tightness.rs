//! Looseness of bounds beside the exact worst case, over seeded random conventions, programs and positions.
//!
//! `cargo test --test bound -- --ignored --nocapture loose` prints the distribution and the loosest cases,
//! and holds them below a ceiling.

use super::draw::Draw;
use posproof::bound::{Model, Program};
use posproof::encoding::convention::{Component, Convention};
use posproof::encoding::scaling::Scaling;
use posproof::number::format::Format;

/// One of several.
fn one<T: Clone>(draw: &mut Draw, of: &[T]) -> T {
    of[(draw.next() * of.len() as f64) as usize % of.len()].clone()
}

/// Between two numbers, evenly in the logarithm.
fn between(draw: &mut Draw, low: f64, high: f64) -> f64 {
    low * (high / low).powf(draw.next())
}

/// A convention as models have it.
fn convention(draw: &mut Draw) -> Convention {
    let dim = 2 * between(draw, 1.0, 257.0) as usize;
    let base = between(draw, 10.0, 1e8).round() as i64;
    let yarn = Scaling::Yarn {
        factor: between(draw, 2.0, 65.0).floor().to_string().parse().expect("an integer"),
        original_max_position_embeddings: 4096,
        beta_fast: 32.into(),
        beta_slow: 1.into(),
        truncate: true,
        attention_factor: None,
        mscale: None,
        mscale_all_dim: None,
    };
    let scaling = one(draw, &[None, None, None, None, Some(Scaling::Linear { factor: 8.into() }), Some(yarn)]);
    Convention { base: base.into(), scaling, ..Convention::rope(dim.max(2)) }
}

/// A case, its bound by its worst error (1 where both are 0), and what it is.
fn case(draw: &mut Draw) -> Option<(f64, String)> {
    let convention = convention(draw);
    let angle = one(draw, &[Format::F32, Format::F32, Format::F64, Format::F16, Format::Bf16]);
    let storage = one(draw, &[angle, angle, Format::F16, Format::Bf16, Format::F32]);
    let program = Program { storage, ..Program::rounded(angle) };
    let pairs = convention.pairs() as f64;
    let anywhere = (draw.next() * pairs) as usize;
    let pair = one(draw, &[0, anywhere, anywhere, convention.pairs() - 1]);
    let component = one(draw, &[Component::Sin, Component::Cos]);
    let length = between(draw, 10.0, 131_072.0) as u64;
    let later = between(draw, 1.0, 60_000.0) as u64;
    let start = one(draw, &[0, 0, later]);
    let range = start..start + length;
    let model = Model::new(&convention, &program).ok()?;
    let rate = model.rate(pair).ok()?;
    let bound = model.instance(&rate, component, range.clone()).ok()?;
    let worst = model.worst(&rate, std::slice::from_ref(&range)).ok()?.pop()?;
    let extreme = worst.of(component);
    let scaling = convention.scaling.as_ref().map_or("plain", Scaling::name);
    let case = format!(
        "{angle}/{storage} dim {} base {} {scaling} pair {pair} {component:?} {range:?}: bound {:e}, worst {:e}, {}",
        convention.dim,
        convention.base,
        bound.value(),
        extreme.error,
        bound.origin()
    );
    assert!(extreme.above <= bound.value(), "{case}");
    let ratio = if bound.value() == 0.0 { 1.0 } else { bound.value() / extreme.error };
    Some((ratio, case))
}

/// The ratios of so many cases, smallest first.
fn ratios(seed: u64, cases: usize) -> Vec<(f64, String)> {
    let mut draw = Draw::new(seed);
    let mut found = Vec::new();
    while found.len() < cases {
        found.extend(case(&mut draw));
    }
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

#[test]
fn few_different_entries_are_bounded_closely() {
    let stored = |angle: Format, storage: Format| Program { storage, ..Program::rounded(angle) };
    let yarn: Scaling =
        serde_json::from_str(r#"{"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 4096}"#)
            .expect("a scaling rule");
    let llama = Convention { base: 500_000.into(), ..Convention::rope(128) };
    let steep = Convention { base: "1e20".parse().expect("a base"), ..Convention::rope(4) };
    let slow = Convention { base: 322_372.into(), ..Convention::rope(126) };
    let stretched = Convention { scaling: Some(yarn), ..Convention::rope(4) };
    for (what, convention, program, pair, component, positions) in [
        ("cosines that round to 1", &llama, stored(Format::F32, Format::Bf16), 63, Component::Cos, 0..4096),
        ("cosines that round to 1", &llama, stored(Format::F32, Format::F16), 63, Component::Cos, 0..4096),
        ("an amplitude", &stretched, stored(Format::F32, Format::Bf16), 1, Component::Sin, 0..100),
        ("sines of coarse angles", &slow, stored(Format::Bf16, Format::Bf16), 62, Component::Sin, 377..2236),
        ("sines below the smallest number", &steep, stored(Format::F32, Format::F16), 1, Component::Sin, 0..100),
    ] {
        let model = Model::new(convention, &program).expect("possible");
        let rate = model.rate(pair).expect("a frequency");
        let bound = model.instance(&rate, component, positions.clone()).expect("in range").value();
        let worst = model.worst(&rate, &[positions]).expect("comparable").remove(0);
        let worst = worst.of(component);
        assert!(worst.above <= bound && bound <= 1.05 * worst.error, "{what}: {bound:e}, worst {:e}", worst.error);
    }
}

/// Cases that nobody has chosen, of every format, rule and range: what holds of the 48 of `cases.rs` holds of them.
#[test]
fn sixty_fresh_cases_are_bounded_closely() {
    let found = ratios(60, 60);
    // Both marks are chosen, and those of `cases.rs`, whose 48 cases reach 1.0001 and 1.15.
    let median = (found[29].0 + found[30].0) / 2.0;
    assert!(median <= 1.015, "{median}");
    let (most, case) = &found[59];
    println!("median {median:.4}, most {most:.4}: {case}");
    assert!(*most <= 1.25, "{most}: {case}");
}

#[test]
#[ignore = "a search for loose bounds over 2000 cases"]
fn loose_bounds_over_many_cases() {
    let found = ratios(1, 2000);
    for share in [0.5, 0.9, 0.95, 0.99, 1.0] {
        let (ratio, case) = &found[((found.len() - 1) as f64 * share) as usize];
        println!("{:5.1} % up to {ratio:.4}: {case}", 100.0 * share);
    }
    for limit in [1.1, 1.2, 1.3, 1.5, 2.0] {
        println!("above {limit}: {}", found.iter().filter(|(ratio, _)| *ratio > limit).count());
    }
    for (ratio, case) in found.iter().rev().take_while(|(ratio, _)| *ratio > 1.2).take(60) {
        println!("{ratio:.4}  {case}");
    }
    // Ceilings of what this seed measures, not derived: 1.0000 in the median, 1.1883 at 99 %, 2.1602 at most.
    let up_to = |share: f64| found[((found.len() - 1) as f64 * share) as usize].0;
    assert!(up_to(0.5) <= 1.015 && up_to(0.99) <= 1.25 && up_to(1.0) <= 2.2, "{}", found[found.len() - 1].1);
}
