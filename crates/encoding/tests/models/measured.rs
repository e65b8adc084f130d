//! Files of every family of the atlas against what the real modules computed for them (`scripts/atlas`).

use posproof_encoding::atlas::Atlas;
use posproof_encoding::convention::Convention;
use posproof_encoding::frequency::Entries;
use posproof_encoding::model::{Model, Stated};
use posproof_numerics::Round;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A file, a kind of its layers, and what was measured.
#[derive(Deserialize)]
struct Line {
    file: serde_json::Value,
    kind: String,
    pairs: usize,
    gain: f64,
    frequencies: BTreeMap<usize, f64>,
}

fn lines() -> Vec<Line> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models/measured.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The length of the measured sequence: one more than the greatest power of two below `max_position_embeddings`, at most
/// 4096, as `scripts/atlas/values.py` asks for positions.
fn length(file: &serde_json::Value) -> u64 {
    let family = &Atlas::get().families[file["model_type"].as_str().unwrap()];
    let key = "max_position_embeddings";
    let longest = file.get(key).and_then(serde_json::Value::as_u64).or_else(|| family.default_integer(key));
    let last = (longest.unwrap_or(4096) - 1).min(4096);
    (1 << last.ilog2()) + 1
}

/// Whether a convention is what was measured. The measurement took frequencies from binary32 sines, so that they carry
/// some 1e-5; the gain is a binary32 cosine of 0.
fn agrees(convention: &Convention, line: &Line) -> Result<(), String> {
    let convention = convention.clone().for_length(length(&line.file));
    if convention.pairs() != line.pairs {
        return Err(format!("{} pairs, measured {}", convention.pairs(), line.pairs));
    }
    let gain = convention.gain().enclose(64).lower().to_f64(Round::Nearest);
    if (gain - line.gain).abs() > 1e-5 * line.gain {
        return Err(format!("gain {gain}, measured {}", line.gain));
    }
    let entries = Entries::new(&convention);
    for (&pair, &measured) in &line.frequencies {
        let omega = entries.frequency(pair, 64).ok_or("no frequency")?.lower().to_f64(Round::Nearest);
        if (omega - measured).abs() > 3e-5 * omega + 1e-9 {
            return Err(format!("frequency {pair} is {omega}, measured {measured}"));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Score {
    right: usize,
    refused: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

fn scores() -> BTreeMap<String, Score> {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    for line in lines() {
        let score = scores.entry(line.file["model_type"].as_str().unwrap().to_owned()).or_default();
        let text = line.file.to_string();
        match Model::read(&text, &Stated::default()) {
            Err(error) => *score.refused.entry(format!("{}: {}", error.key, error.found)).or_default() += 1,
            Ok(model) => {
                let of_kind = |kind: &&posproof_encoding::model::LayerKind| kind.rotation.is_some();
                let mut rotated = model.kinds.iter().filter(of_kind);
                let kind =
                    if line.kind.is_empty() { rotated.next() } else { rotated.find(|kind| kind.name == line.kind) };
                // A module may be asked for layers that the file does not have.
                let Some(rotation) = kind.and_then(|kind| kind.rotation.as_ref()) else { continue };
                match agrees(&rotation.convention, &line) {
                    Ok(()) => score.right += 1,
                    Err(error) => score.wrong.push(format!("{text}: {error}")),
                }
            }
        }
    }
    scores
}

/// The score sheet of the documentation.
fn sheet(scores: &BTreeMap<String, Score>) -> String {
    let atlas = Atlas::get();
    let sum = |of: &dyn Fn(&Score) -> usize| scores.values().map(of).sum::<usize>();
    let refused = |score: &Score| score.refused.values().sum::<usize>();
    let mut text = format!(
        "Measured on {}: {} families, {} files: {} read right, {} refused, {} read wrongly.\n\n\
         | family | class | read right | refused | the commonest reason |\n| --- | --- | --- | --- | --- |\n",
        atlas.software,
        scores.len(),
        sum(&|score| score.right) + sum(&refused) + sum(&|score| score.wrong.len()),
        sum(&|score| score.right),
        sum(&refused),
        sum(&|score| score.wrong.len()),
    );
    for (name, score) in scores {
        let class = atlas.families.get(name).map_or("", |family| family.class.as_str());
        let reason = score.refused.iter().max_by_key(|(_, count)| **count).map_or("", |(reason, _)| reason.as_str());
        let reason = reason.replace('|', "\\|");
        text += &format!("| {name} | {class} | {} | {} | {reason} |\n", score.right, refused(score));
    }
    text += "\n## Families with rotary code that were not measured\n\n\
             Refused, unless the pairing, the base and the width are stated (`--layout`, `--base`, `--dim`).\n\n\
             | family | why |\n| --- | --- |\n";
    for (name, why) in &atlas.refused {
        text += &format!("| {name} | {} |\n", why.replace('|', "\\|"));
    }
    text
}

#[test]
fn the_documentation_has_the_score() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/atlas.md");
    let document = std::fs::read_to_string(path).unwrap();
    let (before, found) = document.split_once("<!-- scores -->\n").unwrap();
    let expected = format!("\n{}", sheet(&scores()));
    if std::env::var_os("POSPROOF_WRITE_SCORES").is_some() {
        std::fs::write(path, format!("{before}<!-- scores -->\n{expected}")).unwrap();
    } else {
        assert!(found == expected, "docs/atlas.md has another score: set POSPROOF_WRITE_SCORES and repeat the test");
    }
}

/// Files that a family's own publications have: with nothing but sizes, or with a base.
fn is_plain(line: &Line) -> bool {
    line.file.get("rope_scaling").is_none() && line.file.get("rope_parameters").is_none()
}

#[test]
fn one_axis_families_are_read_from_the_file_alone() {
    let atlas = Atlas::get();
    let mut read = BTreeMap::new();
    for line in lines().iter().filter(|line| is_plain(line)) {
        let name = line.file["model_type"].as_str().unwrap().to_owned();
        let one_axis = atlas.families[&name].kinds.values().all(|kind| kind.axes <= 1 && kind.start == 0);
        // The first file of a family has nothing but what its class needs.
        if one_axis {
            read.entry(name).or_insert_with(|| Model::read(&line.file.to_string(), &Stated::default()).is_ok());
        }
    }
    let refused: Vec<&String> = read.iter().filter(|(_, read)| !**read).map(|(name, _)| name).collect();
    assert!(20 * refused.len() <= read.len(), "{} of {} refused: {refused:?}", refused.len(), read.len());
}

#[test]
fn no_file_is_read_wrongly() {
    let scores = scores();
    let few = scores.values().flat_map(|score| score.wrong.iter().take(3));
    // A line is long where it has LongRoPE's factors; what is wrong stands at its end.
    let wrong: Vec<&str> = few.map(|line| line.get(line.len().saturating_sub(400)..).unwrap_or(line)).collect();
    let right: usize = scores.values().map(|score| score.right).sum();
    let refused: usize = scores.values().flat_map(|score| score.refused.values()).sum();
    let count: usize = scores.values().map(|score| score.wrong.len()).sum();
    if std::env::var_os("POSPROOF_SCORES").is_some() {
        for (name, score) in &scores {
            eprintln!("{name}: {} right, {} wrong, refused {:?}", score.right, score.wrong.len(), score.refused);
        }
    }
    assert!(count == 0, "{count} wrong, {right} right, {refused} refused:\n{}", wrong.join("\n"));
    assert!(right > 3 * refused, "{right} right, {refused} refused");
}
