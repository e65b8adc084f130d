//! `posproof judge`: a model's folder in one command.

use super::lint::{Others, judge, told};
use super::{Failure, Outcome};
use clap::Args;
use posproof_check::lint::Lint;
use posproof_encoding::convention::Layout;
use posproof_encoding::model::Stated;
use std::path::{Path, PathBuf};

/// Arguments of `judge`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct JudgeArguments {
    /// Folders of models: each with its config.json, its weights (.safetensors) and conversions of them (.gguf); a file means its
    /// folder
    #[arg(required = true, value_name = "FOLDER")]
    folders: Vec<PathBuf>,
    /// Which entries form a pair, where the configuration's family is not known
    #[arg(long, value_name = "interleaved|halves|interleaved-to-halves", value_parser = super::specification::named::<Layout>)]
    layout: Option<Layout>,
    /// Which part of a configuration of several [default: the text part]
    #[arg(long, value_name = "KEY")]
    part: Option<String>,
    /// Exit status 3 if something was not compared
    #[arg(long)]
    strict: bool,
    /// Print one JSON document (schema posproof.lint/1)
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  posproof judge model                     do the configuration, the weights and the conversions in this folder agree?
  posproof judge models/* --json

Exit status: 0 nothing contradicts, 1 something contradicts, 2 usage or unreadable input, 3 something was not compared under --strict.";

/// The figure of [`posproof lint`](super::lint) for how far an encoding is guaranteed, which only the JSON has here.
const ERROR: f64 = 1e-2;

/// Files of one folder at most that are compared.
const MAX_FILES: usize = 4096;

/// Lines for one model at most that name findings: the others are counted.
const MAX_FINDINGS: usize = 6;

/// Runs the verb. A folder that cannot be read does not keep the others from being judged.
pub fn run(arguments: &JudgeArguments) -> Result<Outcome, Failure> {
    let stated = Stated { layout: arguments.layout, part: arguments.part.clone(), ..Stated::default() };
    let (mut files, mut unreadable) = (Vec::new(), Vec::new());
    for folder in &folders(&arguments.folders) {
        match weights(folder).and_then(|paths| judge(folder, &stated, &Others::open(&paths, &stated)?, ERROR)) {
            Ok(lint) => files.push(lint),
            Err(failure) => unreadable.push(failure),
        }
    }
    told(&files, &unreadable, arguments.json, arguments.strict, text)
}

/// The folders that are named, each once, and those of the files that are, as a hook names them.
fn folders(named: &[PathBuf]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for path in named {
        let folder = match path.parent() {
            Some(folder) if path.is_file() && folder.as_os_str().is_empty() => PathBuf::from("."),
            Some(folder) if path.is_file() => folder.to_owned(),
            _ => path.clone(),
        };
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// The weights in a folder: checkpoints, and conversions, of those in several files the first.
fn weights(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let told = |error: std::io::Error| {
        Failure::Usage(format!("{}: expected a model's folder; found {error}", folder.display()))
    };
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(told)? {
        let path = entry.map_err(told)?.path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let later = name.split_once("-of-").and_then(|(name, _)| name.rsplit('-').next()?.parse::<u32>().ok());
        if extension == "safetensors" || extension == "gguf" && later.is_none_or(|number| number == 1) {
            paths.push(path);
        }
        if paths.len() > MAX_FILES {
            return Err(Failure::Usage(format!(
                "{}: expected at most {MAX_FILES} files of weights; found more",
                folder.display()
            )));
        }
    }
    paths.sort();
    Ok(paths)
}

/// A model in some ten lines: the verdict, what differs, what each kind of layers means, what was compared and what was not.
fn text(lint: &Lint) -> String {
    let whole = lint.to_string();
    let mut lines: Vec<String> = whole.lines().take_while(|line| !line.is_empty()).map(str::to_owned).collect();
    if lines.len() > 1 + MAX_FINDINGS {
        let more = lines.len() - 1 - MAX_FINDINGS;
        lines.truncate(1 + MAX_FINDINGS);
        lines.push(format!("  and {more} more findings (--json has them)"));
    }
    lines.extend(lint.kinds.iter().map(|kind| format!("  {}", kind.line())));
    for against in &lint.against {
        let left = match against.skipped.as_slice() {
            [] => String::new(),
            [one] => format!("; not compared: {one}"),
            [one, others @ ..] => format!("; not compared: {one}, and {} more", others.len()),
        };
        lines.push(format!("  {}: {} compared{left}", against.file, against.compared.len()));
    }
    lines.join("\n") + "\n"
}
