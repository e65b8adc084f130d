//! Makes the files.

use crate::faults;
use crate::format::{FILES, Group, Note, SCHEMA, Test, Value, Vectors, Verdict, path};
use posproof::encoding::convention::{Component, Convention, Layout, Spacing};
use posproof::encoding::frequency::Entries;
use posproof::encoding::scaling::Scaling;
use posproof::number::format::Format;
use posproof_numerics::rounding::{nearest, nearest_rational};
use std::collections::BTreeMap;

/// Where formats stop counting, contexts end and caches wrap.
pub const POSITIONS: [u64; 20] = [
    0,
    1,
    255,
    256,
    257,
    258,
    2047,
    2048,
    2049,
    4095,
    4096,
    8191,
    65535,
    65536,
    65537,
    131071,
    1 << 20,
    (1 << 24) - 1,
    1 << 24,
    (1 << 24) + 1,
];

pub fn scaling(json: &str) -> Option<Scaling> {
    Some(serde_json::from_str(json).expect("a scaling rule"))
}

fn note(bug_type: &str, description: &str, effect: &str, links: &[&str]) -> Note {
    let links = links.iter().map(|link| format!("https://github.com/{link}")).collect();
    Note { bug_type: bug_type.into(), description: description.into(), effect: effect.into(), links }
}

fn value(entries: &Entries, position: u64, pair: usize, component: Component) -> Value {
    let bits = |format: Format| {
        let still = entries.is_still(position, pair) && component == Component::Sin;
        let exact = entries.is_still(position, pair).then(|| entries.convention().gain().exact()).flatten();
        let number = match exact {
            _ if still => 0.0,
            Some(exact) => nearest_rational(format, &exact).expect("a rational"),
            None => nearest(format, |bits| entries.enclose(position, pair, component, bits)).expect("no tie"),
        };
        format.bits(number)
    };
    let enclosure = entries.enclose(position, pair, component, 128).expect("a valid convention");
    let (lower, upper) = enclosure.decimal_with(25);
    Value {
        f64: bits(Format::F64),
        f32: bits(Format::F32),
        f16: bits(Format::F16),
        bf16: bits(Format::Bf16),
        lower,
        upper,
    }
}

fn group(name: &str, flags: &[&str], convention: Convention) -> Group {
    let convention = convention.for_length(POSITIONS[19] + 1);
    let entries = Entries::new(&convention);
    let half = convention.pairs();
    let mut pairs = vec![0, 1, half / 2, half - 1];
    pairs.dedup();
    let test = |position: u64, pair: usize| Test::Entry {
        id: 0,
        position,
        pair,
        cos: Box::new(value(&entries, position, pair, Component::Cos)),
        sin: Box::new(value(&entries, position, pair, Component::Sin)),
    };
    let tests = POSITIONS.iter().flat_map(|&position| pairs.iter().map(move |&pair| (position, pair)));
    let tests = tests.map(|(position, pair)| test(position, pair)).collect();
    Group {
        name: name.into(),
        convention,
        flags: flags.iter().map(|&flag| flag.into()).collect(),
        result: Verdict::Valid,
        tests,
    }
}

fn sinusoids() -> Vec<Group> {
    let plain = |dim| Convention::sinusoid(dim);
    vec![
        group("paper, dim 512", &["paper"], plain(512)),
        group("paper, dim 64", &["paper"], plain(64)),
        group(
            "end points, dim 512",
            &["endpoints"],
            Convention { frequency_spacing: Spacing::Endpoints, layout: Layout::Halves, ..plain(512) },
        ),
        group(
            "amplitude sqrt(2/dim), dim 256",
            &["amplitude"],
            Convention {
                amplitude: "sqrt(2/256)".parse().expect("an amplitude"),
                frequency_spacing: Spacing::Endpoints,
                layout: Layout::Halves,
                ..plain(256)
            },
        ),
        group(
            "first position 2, dim 128",
            &["offset"],
            Convention {
                position_offset: 2.into(),
                frequency_spacing: Spacing::Endpoints,
                layout: Layout::Halves,
                ..plain(128)
            },
        ),
        group("angles times 1000, dim 32", &["angle-scale"], Convention { position_scale: 1000.into(), ..plain(32) }),
    ]
}

fn ropes() -> Vec<Group> {
    let with_base = |base: i64, dim| Convention { base: base.into(), layout: Layout::Halves, ..Convention::rope(dim) };
    vec![
        group("base 10000, dim 128", &["rope"], with_base(10000, 128)),
        group("base 10000, dim 64", &["rope"], with_base(10000, 64)),
        group("base 500000, dim 128", &["rope"], with_base(500000, 128)),
        group("base 1000000, dim 128", &["rope"], with_base(1000000, 128)),
        group(
            "rotary dim 64 of 256",
            &["partial"],
            Convention { rotary_dim: Some(64), layout: Layout::Interleaved, ..with_base(10000, 256) },
        ),
    ]
}

pub fn scaled(base: i64, dim: usize, rule: &str) -> Convention {
    Convention { base: base.into(), layout: Layout::Halves, scaling: scaling(rule), ..Convention::rope(dim) }
}

pub const LLAMA3: &str = r#"{"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8192}"#;
pub const YARN: &str = r#"{"rope_type": "yarn", "factor": 40, "original_max_position_embeddings": 4096}"#;
pub const LONGROPE: &str = r#"{"rope_type": "longrope", "short_factor": [1, 1.05, 1.1, 1.25, 1.5, 1.75, 2, 2.25],
    "long_factor": [1.0800000429153442, 1.5, 2.75, 8.5, 21.25, 36.5, 48.75, 64], "original_max_position_embeddings": 4096, "factor": 32}"#;

fn scalings() -> Vec<Group> {
    vec![
        group("linear, factor 4", &["linear"], scaled(10000, 128, r#"{"rope_type": "linear", "factor": 4}"#)),
        group("ntk, factor 4", &["ntk"], scaled(10000, 128, r#"{"rope_type": "ntk", "factor": 4}"#)),
        group(
            "dynamic, factor 2",
            &["dynamic"],
            scaled(
                10000,
                128,
                r#"{"rope_type": "dynamic", "factor": 2, "original_max_position_embeddings": 2048, "sequence_length": 16384}"#,
            ),
        ),
        group("yarn, factor 40", &["yarn"], scaled(10000, 64, YARN)),
        group("llama3, factor 8", &["llama3"], scaled(500000, 128, LLAMA3)),
        group("longrope, long", &["longrope"], scaled(10000, 16, LONGROPE)),
        group(
            "proportional, a quarter",
            &["proportional"],
            scaled(1000000, 256, r#"{"rope_type": "proportional", "partial_rotary_factor": 0.25}"#),
        ),
    ]
}

/// The notes on the flags of valid groups.
fn notes() -> BTreeMap<String, Note> {
    let basic =
        |flag: &str, description: &str, effect: &str| (flag.to_owned(), note("basic", description, effect, &[]));
    BTreeMap::from([
        basic("paper", "Frequencies base^(-2k/dim).", "Everything else is compared with this."),
        basic("endpoints", "Frequencies base^(-k/(dim/2-1)).", "Pair by pair a little below the paper's."),
        basic(
            "amplitude",
            "Every entry is multiplied by an irrational amplitude.",
            "Entries differ from the paper's by a factor.",
        ),
        basic("offset", "The first row is position 2.", "A shift by two rows."),
        basic("angle-scale", "Every angle is multiplied by 1000.", "Angles beyond 2^24 at small positions."),
        basic("rope", "All dimensions are rotated.", "Everything else is compared with this."),
        basic(
            "partial",
            "Frequencies and pairs belong to the first rotary_dim dimensions.",
            "Fewer pairs, faster decay.",
        ),
        basic("linear", "Frequencies divided by a factor.", "Positions are compressed."),
        basic("ntk", "A larger base.", "Slow pairs are stretched, fast ones kept."),
        basic("dynamic", "A base that grows with the length of the sequence.", "The table depends on the length."),
        basic("yarn", "A ramp over the pairs, and an attention factor.", "Entries exceed 1."),
        basic("llama3", "Bands by wavelength.", "Fast pairs kept, slow ones divided, a blend between."),
        basic("longrope", "A divisor for each pair, and an attention factor.", "Entries exceed 1."),
        basic("proportional", "Pairs past a fraction are not rotated.", "Their entries are exactly 1 and 0."),
    ])
}

/// A file's content, its tests counted from `first`.
fn file(groups: Vec<Group>, notes: &BTreeMap<String, Note>, first: usize) -> Vectors {
    let mut id = first;
    let mut groups = groups;
    for group in &mut groups {
        for test in &mut group.tests {
            let (Test::Entry { id: own, .. } | Test::Wrong { id: own, .. } | Test::Rotation { id: own, .. }) = test;
            *own = id;
            id += 1;
        }
    }
    let used = |flag: &String| groups.iter().any(|group| group.flags.contains(flag));
    Vectors {
        schema: SCHEMA.into(),
        generator: "cargo test --test vectors".into(),
        notes: notes.iter().filter(|(flag, _)| used(flag)).map(|(flag, note)| (flag.clone(), note.clone())).collect(),
        number_of_tests: id - first,
        groups,
    }
}

/// Every file, in the order of [`FILES`].
pub fn all() -> Vec<Vectors> {
    let ((negative, faults), notes) = (faults::all(), notes());
    let mut first = 1;
    [(sinusoids(), &notes), (ropes(), &notes), (scalings(), &notes), (negative, &faults)]
        .into_iter()
        .map(|(groups, notes)| {
            let vectors = file(groups, notes, first);
            first += vectors.number_of_tests;
            vectors
        })
        .collect()
}

#[test]
fn the_committed_files_are_what_the_generator_makes() {
    let write = std::env::var_os("POSPROOF_WRITE_VECTORS").is_some();
    for (name, vectors) in FILES.into_iter().zip(all()) {
        let text = vectors.text();
        if write {
            std::fs::write(path(name), &text).expect("a writable directory");
        }
        let committed = std::fs::read_to_string(path(name)).unwrap_or_default();
        let differing = text.lines().zip(committed.lines()).position(|(a, b)| a != b);
        assert!(
            committed == text,
            "vectors/{name} differs from line {:?} on; if that is intended, accept it with POSPROOF_WRITE_VECTORS=1",
            differing.map(|line| line + 1)
        );
    }
}
