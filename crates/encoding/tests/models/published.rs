//! The configurations of well-known models, as their makers published them: what of them speaks of rotation.
//!
//! Each says where its values come from: the repository whose `config.json` they are, and the document, with its version, with which
//! they were compared; "values as in" stands where there was none to compare with. What the real modules compute for them
//! stands beside them where the installed transformers has the family (`scripts/atlas/published.py`).

use crate::measured::{Line, compared};
use posproof_encoding::convention::Layout;
use posproof_encoding::model::{InvalidConfig, Model, Stated};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Published {
    model: String,
    source: String,
    config: Value,
    expect: Vec<Expected>,
    /// Statement that no file of the family says, or the key that is refused without it.
    stated: Option<Option_>,
    measured: Option<Measured>,
}

/// Results of the modules of a version of transformers for a configuration.
#[derive(Deserialize)]
struct Measured {
    on: String,
    family: String,
    kinds: Vec<Line>,
}

#[derive(Deserialize)]
struct Option_ {
    layout: Option<Layout>,
    dim: Option<usize>,
    rotary_dim: Option<usize>,
    base: Option<String>,
    refused: Option<String>,
}

/// A kind of layer; without a dimension, one that does not rotate.
#[derive(Deserialize)]
struct Expected {
    kind: Option<String>,
    dim: Option<usize>,
    rotary: Option<usize>,
    base: Option<String>,
    layout: Option<Layout>,
    scaling: Option<String>,
}

fn published() -> Vec<Published> {
    serde_json::from_str(include_str!("published.json")).unwrap()
}

fn agrees(read: Result<Model, InvalidConfig>, expected: &[Expected]) -> Result<(), String> {
    let model = read.map_err(|error| error.to_string())?;
    for wanted in expected {
        let kind = model.kind(None, wanted.kind.as_deref()).map_err(|error| error.to_string())?;
        let Some(dim) = wanted.dim else {
            if kind.rotation.is_some() {
                return Err(format!("layers {} rotate", kind.name));
            }
            continue;
        };
        let rotation = kind.rotation.as_ref().ok_or(format!("layers {} do not rotate", kind.name))?;
        let convention = &rotation.convention;
        let rule = convention.scaling.as_ref().map(|rule| rule.name().to_owned());
        let found = (convention.dim, convention.pairs() * 2, convention.base.to_string(), convention.layout, rule);
        let expected =
            (dim, wanted.rotary.unwrap(), wanted.base.clone().unwrap(), wanted.layout.unwrap(), wanted.scaling.clone());
        if found != expected {
            return Err(format!("found {found:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

#[test]
fn published_configurations_are_read_right() {
    let all = published();
    let mut wrong = Vec::new();
    for Published { model, config, expect, stated, .. } in &all {
        let text = config.to_string();
        let (alone, option) = (Model::read(&text, &Stated::default()), stated.as_ref());
        if let Some(option) = option {
            // A family without a row: refused as it stands, read with what no file of it says; or one that rotates nothing.
            if let Ok(read) = &alone
                && read.kinds.iter().any(|kind| kind.rotation.is_some())
            {
                wrong.push(format!("{model}: read without an option: {read:?}"));
            }
            if let Some(layout) = option.layout {
                let base = option.base.as_ref().map(|base| base.parse().unwrap());
                let (dim, rotary_dim) = (option.dim, option.rotary_dim);
                let stated = Stated { layout: Some(layout), dim, rotary_dim, base, ..Stated::default() };
                match (Model::read(&text, &stated), &option.refused) {
                    (Err(error), Some(key)) if error.key == *key => {}
                    (read, None) => wrong.extend(agrees(read, expect).err().map(|error| format!("{model}: {error}"))),
                    (read, Some(_)) => wrong.push(format!("{model}: {read:?}")),
                }
            }
        } else if let Err(error) = agrees(alone, expect) {
            wrong.push(format!("{model}: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), all.len(), wrong.join("\n"));
    assert!(all.iter().filter(|published| published.stated.is_none()).count() >= 40);
}

/// Frequencies and gain of every kind of layer against those of the real modules: a file that is wrong here cannot be made right by
/// an expectation that is wrong too.
#[test]
fn published_configurations_are_what_the_real_modules_compute() {
    let all = published();
    let (mut wrong, mut judged) = (Vec::new(), 0);
    for Published { model, config, measured, .. } in &all {
        let Some(Measured { on, family, kinds }) = measured else { continue };
        let read = Model::read(&config.to_string(), &Stated::default()).unwrap();
        // The length that was measured follows from the part that speaks of tokens.
        let mut file = config.get("text_config").unwrap_or(config).clone();
        file["model_type"] = family.as_str().into();
        for line in kinds {
            let mut line = line.clone();
            line.file = file.clone();
            let found = compared(&read, &line);
            let error = found.map_or(Err("no such layers rotate".to_owned()), |found| found).err();
            wrong.extend(error.map(|error| format!("{model}, {}: {error} ({on})", line.kind)));
        }
        judged += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Those with code of their own have no modules there, and two do not rotate.
    let without: Vec<&str> = all.iter().filter(|one| one.measured.is_none()).map(|one| one.model.as_str()).collect();
    let expected = [
        "THUDM/chatglm3-6b",
        "internlm/internlm2-7b",
        "baichuan-inc/Baichuan2-7B-Base",
        "google-bert/bert-base-uncased",
        "mosaicml/mpt-7b",
    ];
    assert_eq!((judged, without), (all.len() - expected.len(), expected.to_vec()));
}

#[test]
fn every_configuration_says_where_its_values_come_from() {
    let all = published();
    for Published { model, source, .. } in &all {
        // What stands after the repository's name says what was changed.
        let repository = model.split([' ', ',']).next().unwrap();
        let names = source.contains(&format!("config.json of https://huggingface.co/{repository}"));
        let compared = source.contains("https://github.com/") && source.contains(" at ");
        assert!(names && (compared || source.starts_with("values as in ")), "{model}: {source}");
    }
    let compared = all.iter().filter(|published| published.source.contains("https://github.com/")).count();
    assert!(2 * compared > all.len(), "{compared} of {}", all.len());
}

#[test]
fn a_thousand_configurations_are_read_in_under_a_second() {
    let texts: Vec<String> = published().iter().map(|published| published.config.to_string()).collect();
    let _ = Model::read(&texts[0], &Stated::default());
    let start = std::time::Instant::now();
    for text in texts.iter().cycle().take(1000) {
        let _ = Model::read(text, &Stated::default());
    }
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 1.0, "{seconds} s");
}
