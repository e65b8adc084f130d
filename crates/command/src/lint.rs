//! `posproof lint`: what a model's configuration means, and what contradicts it.

use super::{Failure, Outcome, print, print_json};
use clap::Args;
use posproof_check::lint::Lint;
use posproof_check::read::gguf::Gguf;
use posproof_encoding::convention::Layout;
use posproof_encoding::model::{InvalidConfig, Model, Problem, Stated};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `lint`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct LintArguments {
    /// Model configurations, or the folders of models
    #[arg(required = true, value_name = "config.json")]
    files: Vec<PathBuf>,
    /// File that is said to be the same model: another configuration, a GGUF file, a checkpoint with its inv_freq and its weights. May be
    /// given several times; with a GGUF file and a checkpoint the order of the rows of queries and keys is compared too
    #[arg(long, value_name = "FILE")]
    against: Vec<PathBuf>,
    /// Which entries form a pair, where the configuration's family is not known
    #[arg(long, value_name = "interleaved|halves|interleaved-to-halves", value_parser = super::specification::named::<Layout>)]
    layout: Option<Layout>,
    /// Which part of a configuration of several [default: the text part]
    #[arg(long, value_name = "KEY")]
    part: Option<String>,
    /// Error up to which it is said how far an encoding is guaranteed to be right
    #[arg(long, value_name = "E", default_value_t = 1e-2, value_parser = figure)]
    error: f64,
    /// Exit status 3 if something was not compared
    #[arg(long)]
    strict: bool,
    /// Print one JSON document (schema posproof.lint/1)
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  posproof lint config.json                                       what does it mean, layer by layer?
  posproof lint config.json --against model.gguf                  did the conversion keep it?
  posproof lint model --against model.gguf --against model/model.safetensors
                                                                  and are queries and keys in the right order?
  posproof lint models/*/config.json --json

Exit status: 0 nothing contradicts, 1 a configuration contradicts itself or another file, 2 usage or unreadable input,
3 something was not compared under --strict.";

fn figure(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|error: &f64| *error > 0.0 && error.is_finite());
    number.ok_or_else(|| "expected a number > 0".to_owned())
}

/// Output of the verb with `--json`.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    schema: &'static str,
    conforms: bool,
    files: &'a [Lint],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
}

/// Prints what was found as text or as JSON, and says how the command ends.
pub(super) fn told(
    files: &[Lint],
    unreadable: &[Failure],
    json: bool,
    strict: bool,
    text: impl Fn(&Lint) -> String,
) -> Result<Outcome, Failure> {
    let conforms = files.iter().all(Lint::conforms);
    let messages: Vec<String> = unreadable.iter().map(Failure::to_string).collect();
    if json {
        let (conforms, unreadable) = (conforms && messages.is_empty(), messages.clone());
        print_json(&Document { schema: "posproof.lint/1", conforms, files, unreadable })?;
    } else {
        let texts: Vec<String> = files.iter().map(text).collect();
        print(&texts.join("\n"))?;
    }
    match messages.is_empty() {
        false => Err(Failure::Usage(messages.join("\nposproof: "))),
        true if !conforms => Ok(Outcome::FallsShort),
        true if strict && files.iter().any(Lint::leaves_out) => Ok(Outcome::Inconclusive),
        true => Ok(Outcome::Good),
    }
}

/// Runs the verb. A configuration that cannot be read does not keep the others from being judged.
pub fn run(arguments: &LintArguments) -> Result<Outcome, Failure> {
    let stated = Stated { layout: arguments.layout, part: arguments.part.clone(), ..Stated::default() };
    let others = Others::open(&arguments.against, &stated)?;
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    for path in &arguments.files {
        match judge(path, &stated, &others, arguments.error) {
            Ok(lint) => files.push(lint),
            Err(failure) => unreadable.push(failure),
        }
    }
    told(&files, &unreadable, arguments.json, arguments.strict, Lint::to_string)
}

/// Files that configurations are compared with.
pub(super) struct Others {
    configurations: Vec<(String, Result<Model, InvalidConfig>)>,
    gguf: Vec<Gguf>,
    checkpoints: Vec<PathBuf>,
}

impl Others {
    pub fn open(paths: &[PathBuf], stated: &Stated) -> Result<Self, Failure> {
        let mut others = Self { configurations: Vec::new(), gguf: Vec::new(), checkpoints: Vec::new() };
        for path in paths {
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
            match extension.as_str() {
                "gguf" => others.gguf.push(Gguf::open(path)?),
                "safetensors" => others.checkpoints.push(path.clone()),
                "json" => others.configurations.push((path.display().to_string(), configuration(path, stated)?)),
                _ if path.is_dir() => {
                    others.configurations.push((path.display().to_string(), configuration(path, stated)?))
                }
                _ => {
                    let expected = "a configuration (.json, or a model's folder), .gguf or .safetensors";
                    return Err(Failure::Usage(format!("--against {}: expected {expected}", path.display())));
                }
            }
        }
        Ok(others)
    }

    pub fn compare(&self, lint: &mut Lint) -> Result<(), Failure> {
        for (file, other) in &self.configurations {
            match other {
                Ok(model) => lint.compare_model(file, model),
                Err(contradiction) => lint.compare_contradictory(file, contradiction),
            }
        }
        for gguf in &self.gguf {
            lint.compare_gguf(gguf)?;
            lint.compare_rows(gguf, &self.checkpoints)?;
        }
        for path in &self.checkpoints {
            lint.compare_checkpoint(path)?;
        }
        Ok(lint.compare_orders(&self.checkpoints)?)
    }
}

pub(super) fn judge(path: &Path, stated: &Stated, others: &Others, error: f64) -> Result<Lint, Failure> {
    let file = path.display().to_string();
    match configuration(path, stated)? {
        Ok(model) => {
            let mut lint = Lint::new(&file, model, error);
            others.compare(&mut lint)?;
            Ok(lint)
        }
        Err(contradiction) => Ok(Lint::contradictory(&file, &contradiction)),
    }
}

/// A configuration, or the contradiction in it.
fn configuration(path: &Path, stated: &Stated) -> Result<Result<Model, InvalidConfig>, Failure> {
    match Model::open(path, stated) {
        Err(error) => match error.problem {
            Problem::Contradiction => Ok(Err(error)),
            // The key is the file.
            Problem::Unreadable => Err(Failure::Usage(error.to_string())),
            _ => Err(Failure::Usage(format!("{}: {error}", path.display()))),
        },
        Ok(model) => Ok(Ok(model)),
    }
}
