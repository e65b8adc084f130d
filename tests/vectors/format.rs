//! The file format, schema `posproof.vectors/1`: one test a line, keys in this order.

use posproof::encoding::convention::Convention;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub const SCHEMA: &str = "posproof.vectors/1";

/// The files, in the order of their tests' ids.
pub const FILES: [&str; 4] = ["sinusoid.json", "rope.json", "rope_scaling.json", "negative.json"];

pub fn path(file: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(file)
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vectors {
    pub schema: String,
    pub generator: String,
    /// Meanings of the flags that a group carries.
    pub notes: BTreeMap<String, Note>,
    #[serde(rename = "numberOfTests")]
    pub number_of_tests: usize,
    pub groups: Vec<Group>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    #[serde(rename = "bugType")]
    pub bug_type: String,
    pub description: String,
    pub effect: String,
    pub links: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    pub name: String,
    /// Convention that the values claim to follow.
    pub convention: Convention,
    pub flags: Vec<String>,
    /// `valid`: correct roundings. `invalid`: what an implementation with the fault named by the flag computes.
    pub result: Verdict,
    pub tests: Vec<Test>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Valid,
    Invalid,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Test {
    Entry { id: usize, position: u64, pair: usize, cos: Box<Value>, sin: Box<Value> },
    Wrong { id: usize, position: u64, pair: usize, cos: Bits, sin: Bits },
    Rotation { id: usize, position: u64, x: Vec<String>, y: Vec<String> },
}

impl Test {
    pub fn id(&self) -> usize {
        match self {
            Self::Entry { id, .. } | Self::Wrong { id, .. } | Self::Rotation { id, .. } => *id,
        }
    }
}

/// The bits of the correct roundings, as hexadecimal digits, and an enclosure of the exact value.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Value {
    pub f64: String,
    pub f32: String,
    pub f16: String,
    pub bf16: String,
    pub lower: String,
    pub upper: String,
}

/// The bits of a wrong value in f32.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bits {
    pub f32: String,
}

impl Vectors {
    pub fn load(file: &str) -> Self {
        let text = std::fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// One line for each test and for each of the other parts of a group, so that a diff shows what has
    /// changed and a line-based reader suffices.
    pub fn text(&self) -> String {
        let json = |value: &dyn erased::Json| value.json();
        let mut text = format!(
            "{{\n\"schema\": {},\n\"generator\": {},\n\"notes\": {{\n",
            json(&self.schema),
            json(&self.generator)
        );
        let notes: Vec<String> =
            self.notes.iter().map(|(flag, note)| format!("{}: {}", json(flag), json(note))).collect();
        text += &format!("{}\n}},\n\"numberOfTests\": {},\n\"groups\": [\n", notes.join(",\n"), self.number_of_tests);
        let groups: Vec<String> = self
            .groups
            .iter()
            .map(|group| {
                let tests: Vec<String> = group.tests.iter().map(|test| json(test)).collect();
                format!(
                    "{{\n\"name\": {},\n\"convention\": {},\n\"flags\": {},\n\"result\": {},\n\"tests\": [\n{}\n]}}",
                    json(&group.name),
                    json(&group.convention),
                    json(&group.flags),
                    json(&group.result),
                    tests.join(",\n")
                )
            })
            .collect();
        text + &format!("{}\n]\n}}\n", groups.join(",\n"))
    }
}

mod erased {
    pub trait Json {
        fn json(&self) -> String;
    }

    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> String {
            serde_json::to_string(self).expect("data that serialise")
        }
    }
}
