//! Files of every family of the atlas against what the real modules computed for them (`scripts/atlas`).

use posproof_encoding::atlas::Atlas;
use posproof_encoding::convention::Convention;
use posproof_encoding::frequency::Entries;
use posproof_encoding::model::{InvalidConfig, Model, Stated};
use posproof_numerics::Round;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A file, a kind of its layers, and what was measured.
#[derive(Clone, Deserialize)]
pub struct Line {
    #[serde(default)]
    pub file: serde_json::Value,
    pub kind: String,
    pairs: usize,
    gain: f64,
    frequencies: BTreeMap<usize, f64>,
}

impl Line {
    fn family(&self) -> &str {
        self.file["model_type"].as_str().unwrap()
    }

    /// True if the file has parameters of a rule that the family's module computes as the rule is defined, and among them no
    /// base and no fraction where the module takes none.
    fn asks_for_a_rule_that_holds(&self) -> bool {
        let kind = &Atlas::get().families[self.family()].kinds[&self.kind];
        let object = |key: &str| self.file.get(key).and_then(serde_json::Value::as_object);
        let (new, old) = (object("rope_parameters"), object("rope_scaling"));
        let nested = new.and_then(|all| all.get(&self.kind)).and_then(serde_json::Value::as_object);
        let (style, parameters) = match (nested, new, old) {
            (Some(own), _, _) => ("nested", own),
            (None, Some(own), _) => ("flat", own),
            (None, None, Some(own)) if own.contains_key("rope_type") => ("legacy", own),
            (None, None, Some(own)) => ("oldest", own),
            (None, None, None) => return false,
        };
        let name = parameters.get("rope_type").or_else(|| parameters.get("type")).and_then(serde_json::Value::as_str);
        let (Some(name), Some(row)) = (name, kind.style(style)) else { return false };
        let says = |key: &str| parameters.contains_key(key);
        let base = row.inner_base || !says("rope_theta");
        let fraction = !says("partial_rotary_factor")
            || name == "proportional"
            || row.fraction_of(Some(name)).is_some_and(|of| of > 0);
        row.rule(name) == Some(true) && base && fraction
    }
}

fn lines() -> &'static [Line] {
    static LINES: OnceLock<Vec<Line>> = OnceLock::new();
    LINES.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models/measured.jsonl");
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    })
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

/// True if a convention is what was measured. The measurement took frequencies from binary32 sines, so that they carry
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

/// Outcome of reading the file.
enum Outcome {
    Right,
    Refused(InvalidConfig),
    Wrong(String),
    /// The module was asked for layers that the file does not have.
    Nothing,
}

fn outcome(line: &Line) -> Outcome {
    let text = line.file.to_string();
    let model = match Model::read(&text, &Stated::default()) {
        Err(error) => return Outcome::Refused(error),
        Ok(model) => model,
    };
    match compared(&model, line) {
        None => Outcome::Nothing,
        Some(Ok(())) => Outcome::Right,
        Some(Err(error)) => Outcome::Wrong(format!("{text}: {error}")),
    }
}

/// True if the kind of layer is what was measured; none where the model has no such kind that rotates.
pub fn compared(model: &Model, line: &Line) -> Option<Result<(), String>> {
    let mut rotated = model.kinds.iter().filter(|kind| kind.rotation.is_some());
    let kind = if line.kind.is_empty() { rotated.next() } else { rotated.find(|kind| kind.name == line.kind) };
    kind.and_then(|kind| kind.rotation.as_ref()).map(|rotation| agrees(&rotation.convention, line))
}

/// Every line with what the reading of its file came to.
fn outcomes() -> &'static [(&'static Line, Outcome)] {
    static OUTCOMES: OnceLock<Vec<(&'static Line, Outcome)>> = OnceLock::new();
    OUTCOMES.get_or_init(|| lines().iter().map(|line| (line, outcome(line))).collect())
}

#[derive(Default)]
struct Score {
    right: usize,
    refused: BTreeMap<String, usize>,
    wrong: Vec<&'static str>,
}

fn scores() -> BTreeMap<&'static str, Score> {
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    for (line, outcome) in outcomes() {
        let score = scores.entry(line.family()).or_default();
        match outcome {
            Outcome::Right => score.right += 1,
            Outcome::Refused(error) => {
                *score.refused.entry(format!("{}: {}", error.key, error.found)).or_default() += 1;
            }
            Outcome::Wrong(message) => score.wrong.push(message),
            Outcome::Nothing => {}
        }
    }
    scores
}

/// Share of something that is read right: of all, and which are not, with the reasons.
struct Share {
    all: usize,
    others: BTreeMap<&'static str, BTreeSet<String>>,
}

impl Share {
    /// The share of the families with a line of this sort all of whose such lines are read right.
    fn of(sort: impl Fn(&Line) -> bool) -> Self {
        let chosen = || outcomes().iter().filter(|(line, _)| one_axis(line.family()) && sort(line));
        let all: BTreeSet<&str> = chosen().map(|(line, _)| line.family()).collect();
        let mut others: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (line, outcome) in chosen() {
            let reason = match outcome {
                Outcome::Right | Outcome::Nothing => continue,
                Outcome::Refused(error) => error.to_string(),
                Outcome::Wrong(_) => "read wrongly".to_owned(),
            };
            others.entry(line.family()).or_default().insert(reason);
        }
        Self { all: all.len(), others }
    }

    /// The same, with families of which nothing is read.
    fn with(mut self, unread: impl Iterator<Item = &'static str>) -> Self {
        for family in unread {
            self.all += 1;
            self.others.insert(family, BTreeSet::new());
        }
        self
    }

    fn told(&self) -> String {
        let right = self.all - self.others.len();
        let percent = 100.0 * right as f64 / self.all as f64;
        let others: Vec<&str> = self.others.keys().copied().collect();
        let but = if others.is_empty() { String::new() } else { format!("; not {}", others.join(", ")) };
        format!("{right} of {} ({percent:.1} %{but})", self.all)
    }
}

/// Families of text that were found and not measured, and that no part is read by.
fn unmeasured_text() -> impl Iterator<Item = &'static str> {
    let atlas = Atlas::get();
    let parts = |name: &str| atlas.composites.get(name).into_iter().flat_map(|composite| composite.parts.values());
    let read = move |name: &str| parts(name).any(|part| atlas.families.contains_key(part));
    atlas.text.iter().map(String::as_str).filter(move |name| !read(name))
}

fn one_axis(family: &str) -> bool {
    Atlas::get().families[family].kinds.values().all(|kind| kind.axes <= 1)
}

/// A file with what its class needs to make a model, and nothing else.
fn is_default(line: &Line) -> bool {
    let family = &Atlas::get().families[line.family()];
    let mut bare: serde_json::Value = serde_json::from_str(&family.completion()).expect("an object");
    bare["model_type"] = line.family().into();
    line.file == bare
}

/// The families that were measured on another version.
fn newer() -> String {
    let mut by_version: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, family) in &Atlas::get().families {
        if let Some(software) = &family.software {
            by_version.entry(software).or_default().push(name);
        }
    }
    let told = by_version.iter().map(|(software, names)| format!("{} on {software}", names.join(", ")));
    let told: Vec<String> = told.collect();
    if told.is_empty() { String::new() } else { format!(" (of these {})", told.join("; ")) }
}

/// The score sheet of the documentation.
fn sheet(scores: &BTreeMap<&str, Score>) -> String {
    let atlas = Atlas::get();
    let sum = |of: &dyn Fn(&Score) -> usize| scores.values().map(of).sum::<usize>();
    let refused = |score: &Score| score.refused.values().sum::<usize>();
    let rules = |line: &Line| line.asks_for_a_rule_that_holds();
    let mut text = format!(
        "Measured on {}: {} families{}, {} files: {} read right, {} refused, {} read wrongly.\n\n\
         Of the families whose positions have one axis, the file with nothing but what its class needs is read right from the \
         file alone in {}; and every file, in any spelling, with a scaling rule that the family's module computes as the rule is \
         defined, and no base or fraction where it takes none, in {}.\n\n\
         With the classes among those not measured (below) whose models take tokens at positions of one axis, none of which is read from \
         the file alone, the first of these shares is {}.\n\n\
         | family | class | read right | refused | the commonest reason |\n| --- | --- | --- | --- | --- |\n",
        atlas.software,
        scores.len(),
        newer(),
        sum(&|score| score.right) + sum(&refused) + sum(&|score| score.wrong.len()),
        sum(&|score| score.right),
        sum(&refused),
        sum(&|score| score.wrong.len()),
        Share::of(is_default).told(),
        Share::of(rules).told(),
        Share::of(is_default).with(unmeasured_text()).told(),
    );
    for (name, score) in scores {
        let class = atlas.families.get(*name).map_or("", |family| family.class.as_str());
        let reason = score.refused.iter().max_by_key(|(_, count)| **count).map_or("", |(reason, _)| reason.as_str());
        let reason = reason.replace('|', "\\|");
        text += &format!("| {name} | {class} | {} | {} | {reason} |\n", score.right, refused(score));
    }
    text + &not_alone() + &reasons() + &crate::saved::sheet() + &unmeasured()
}

/// Why the families that the shares leave out are refused.
fn not_alone() -> String {
    let mut text = "\n## Families that are not read from every such file\n\n| file | family | what is said |\n| --- | --- | --- |\n".to_owned();
    for (file, share) in [("bare", Share::of(is_default)), ("with a rule", Share::of(Line::asks_for_a_rule_that_holds))]
    {
        for (family, reasons) in share.others {
            let reasons: Vec<String> = reasons.iter().map(|reason| reason.replace('|', "\\|")).collect();
            text += &format!("| {file} | {family} | {} |\n", reasons.join("<br>"));
        }
    }
    text
}

/// Why files are refused, by the last key that is named.
fn reasons() -> String {
    let mut reasons: BTreeMap<(String, String), (usize, BTreeSet<&str>)> = BTreeMap::new();
    for (line, outcome) in outcomes() {
        if let Outcome::Refused(error) = outcome {
            let key = error.key.rsplit('.').find(|part| !part.is_empty()).unwrap_or_default().to_owned();
            let (files, families) = reasons.entry((format!("{:?}", error.problem), key)).or_default();
            *files += 1;
            families.insert(line.family());
        }
    }
    let mut rows: Vec<_> = reasons.into_iter().collect();
    rows.sort_by(|a, b| b.1.0.cmp(&a.1.0).then_with(|| a.0.cmp(&b.0)));
    let mut text =
        "\n## Why files are refused\n\n| mistake | key | files | families |\n| --- | --- | --- | --- |\n".to_owned();
    for ((problem, key), (files, families)) in rows {
        text += &format!("| {problem} | {key} | {files} | {} |\n", families.len());
    }
    text
}

/// Cases that the script found and did not measure.
fn unmeasured() -> String {
    let atlas = Atlas::get();
    let parts = |name: &str| -> Vec<String> {
        let parts = atlas.composites.get(name).into_iter().flat_map(|composite| &composite.parts);
        let known = parts.filter(|(_, part)| atlas.families.contains_key(*part));
        known.map(|(key, part)| format!("{key} ({part})")).collect()
    };
    let (read, not): (Vec<_>, Vec<_>) = atlas.refused.iter().partition(|(name, _)| !parts(name).is_empty());
    let mut text = format!(
        "\n## What the script found and did not measure\n\n\
         Of {} configuration classes with rotary code, {} are measured, {} hold parts that are measured and are read by these, {} are \
         neither.\n\n### Read by their parts\n\n| family | parts that are measured |\n| --- | --- |\n",
        atlas.families.len() + atlas.refused.len(),
        atlas.families.len(),
        read.len(),
        not.len(),
    );
    for (name, _) in read {
        text += &format!("| {name} | {} |\n", parts(name).join(", "));
    }
    text += "\n### Not measured\n\n\
             Refused, unless the pairing, the base and the width are stated (`--layout`, `--base`, `--dim`). Parts that take \
             pixels, grids of patches or audio are among them: their positions are not those of text.\n\n\
             | family | why |\n| --- | --- |\n";
    for (name, why) in not {
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

/// Families of which a file with a rule is refused; a name that is here in vain is as red as one that is missing.
const RULES_REFUSED: [&str; 4] = ["deepseek_v4", "dots3_note_text", "mistral4", "zamba2"];

/// Why a family was not measured is said in words, and never as what another library raised.
#[test]
fn reasons_are_no_exceptions() {
    for (family, why) in &Atlas::get().refused {
        let first = why.split(':').next().unwrap_or_default();
        assert!(!why.is_empty() && !first.ends_with("Error") && !first.ends_with("Exception"), "{family}: {why}");
        assert!(!why.ends_with(": "), "{family}: {why}");
    }
}

#[test]
fn one_axis_families_are_read_from_the_file_alone() {
    let (bare, rules) = (Share::of(is_default), Share::of(Line::asks_for_a_rule_that_holds));
    assert!(bare.all >= 100 && rules.all >= 100, "{}; {}", bare.told(), rules.told());
    assert!(20 * bare.others.len() <= bare.all, "{}", bare.told());
    assert!(20 * rules.others.len() <= rules.all, "{}", rules.told());
    assert!(rules.others.keys().eq(&RULES_REFUSED), "{}", rules.told());
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
