//! `posproof check`: judges another implementation's output against a stated convention.

use super::arrays::{Cache, GridArguments, Opened, Stored, Table, Vectors};
use super::axes::AxesArguments;
use super::computed::Computed;
use super::documents::JsonArguments;
use super::page::page;
use super::specification::{SharedArguments, Specification};
use super::{Failure, Outcome, print, tell};
use super::{check_attention, claim};
use clap::{Args, Subcommand};
use posproof_bound::first::FirstVersion;
use posproof_check::axes::{AxialExpectation, check_axes};
use posproof_check::faults::PositionRule;
use posproof_check::request::Case;
use posproof_check::{
    Cause, Code, Duplication, Expectation, Finding, Grade, Profile, Report, Restatement, check, check_frequencies,
};
use posproof_encoding::convention::Encoding;
use posproof_table::arrays::atomic::{NewFile, NotWritten};
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

/// Arguments of `check`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct CheckArguments {
    #[command(subcommand)]
    subject: JudgedSubject,
}

const EXAMPLES: &str = "Examples:
  posproof check rope --cos cache.npz:cos --sin cache.npz:sin --dim 128 --base 500000
  posproof check sinusoid --table pe.npy --dim 512
  posproof check rotation --x x.npy --y y.npy --dim 128 --layout halves

Exit status: 0 it conforms, 1 it does not, 2 usage or unreadable input, 3 most entries could be anything at these positions.";

const SINUSOID: &str = "Examples:
  posproof check sinusoid --table pe.npy --dim 512
  posproof check sinusoid --table pe.npy --dim 512 --layout halves --frequency-spacing endpoints";

const ROPE: &str = "Examples:
  posproof check rope --cos cache.npz:cos --sin cache.npz:sin --dim 128 --base 500000
  posproof check rope --cos cos.npy --dim 128 --base 500000 --dtype bf16
  posproof check rope --cos cos.npy --sin sin.npy --config config.json --html out.html
  posproof check rope --inv-freq inv_freq.npy --dim 128 --base 500000";

const ROTATION: &str = "Examples:
  posproof check rotation --x x.npy --y y.npy --dim 128 --base 500000 --layout halves
  posproof check rotation --x q.safetensors:x --y q.safetensors:y --config config.json --positions ids.npy";

/// Subject of the judgement.
#[derive(Clone, Debug, Subcommand)]
enum JudgedSubject {
    /// A table of sinusoidal encodings [..., positions, dim]
    #[command(override_usage = "posproof check sinusoid --table <ARRAY> --dim <D> [OPTIONS]", after_help = SINUSOID)]
    Sinusoid {
        #[command(flatten)]
        table: Table,
        #[command(flatten)]
        encoding: SharedArguments,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        judging: CheckTerms,
    },
    /// A cache of cosines and sines [..., positions, dim/2] (or dim, each value twice)
    #[command(override_usage = "posproof check rope --cos <ARRAY> --sin <ARRAY> --dim <D> [OPTIONS]
       posproof check rope --cos <ARRAY> --sin <ARRAY> --config <config.json> [OPTIONS]", after_help = ROPE)]
    Rope {
        #[command(flatten)]
        cache: Cache,
        #[command(flatten)]
        encoding: Specification,
        #[command(flatten)]
        axes: AxesArguments,
        /// Repetition of the columns in a cache of full width: c0 c1 … c0 c1 … or c0 c0 c1 c1 … [default: as found]
        #[arg(long, value_name = "none|halves|repeated", value_parser = Duplication::from_str, help_heading = "Encoding", conflicts_with = "inv_freq", hide_short_help = true)]
        duplication: Option<Duplication>,
        #[command(flatten)]
        judging: CheckTerms,
    },
    /// Vectors and what a rotation made of them [..., positions, dim]
    #[command(override_usage = "posproof check rotation --x <ARRAY> --y <ARRAY> --dim <D> [OPTIONS]
       posproof check rotation --x <ARRAY> --y <ARRAY> --config <config.json> [OPTIONS]", after_help = ROTATION)]
    Rotation {
        #[command(flatten)]
        vectors: Vectors,
        #[command(flatten)]
        encoding: Specification,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        judging: CheckTerms,
    },
    /// Answers of functions to the probe of a claim
    #[command(override_usage = "posproof check claim <ID> --probe <FILE> --answers <FILE> [OPTIONS]", after_help = claim::CHECK_EXAMPLES)]
    Claim(claim::Reply),
    /// Outputs of attention on stored inputs, as a kernel computes them
    #[command(override_usage = "posproof check attention --kernel <FILE.json> --inputs <FILE> --output <ARRAY> [OPTIONS]", after_help = check_attention::EXAMPLES)]
    Attention(check_attention::KernelOutputs),
}

/// Terms of the judgement.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Judging")]
struct CheckTerms {
    #[command(flatten)]
    computed: Computed,
    #[command(flatten)]
    grid: GridArguments,
    /// Print the figures of entries, pairs and positions too
    #[arg(long, conflicts_with = "json")]
    verbose: bool,
    #[command(flatten)]
    json: JsonArguments,
    /// Write the report as a page with pictures of its errors
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    html: Option<PathBuf>,
    /// Replace that page if it exists
    #[arg(long, requires = "html", hide_short_help = true)]
    force: bool,
}

impl CheckTerms {
    /// The entries, as they are stated.
    fn stored(&self, case: &Case) -> Result<Stored, Failure> {
        self.grid.of(case.rows(), self.computed.dtype)
    }
}

impl CheckTerms {
    /// The page, where one is asked for: what cannot be written is said before anything is judged.
    fn begin(&self) -> Result<Option<Page<'_>>, Failure> {
        let begin = |path| Ok(Page { path, file: NewFile::create(path, self.force)? });
        self.html.as_deref().map(begin).transpose()
    }
}

/// A page on its way to its name.
struct Page<'a> {
    path: &'a std::path::Path,
    file: NewFile,
}

impl Page<'_> {
    /// Writes what was judged, and how it came out.
    fn write(mut self, (subject, conforms): (&str, bool), text: &str, profile: &Profile) -> Result<(), Failure> {
        let verdict = if conforms { "conforms" } else { "does not conform" };
        let page = page(&format!("posproof: {subject} {verdict}"), text, profile);
        self.file.file().write_all(page.as_bytes()).map_err(NotWritten::io(self.path))?;
        self.file.finish()?;
        Ok(())
    }
}

/// Runs the verb.
pub fn run(arguments: &CheckArguments) -> Result<Outcome, Failure> {
    match &arguments.subject {
        JudgedSubject::Sinusoid { table, encoding, axes, judging } => {
            let specification = encoding.clone().into();
            let case = judging.computed.case((&specification, axes), Encoding::Sinusoid, None)?;
            table.open(judging.stored(&case)?, |opened| judging.judge(&case, opened))
        }
        JudgedSubject::Rope { cache, encoding, axes, duplication, judging } => {
            let case = judging.computed.case((encoding, axes), Encoding::Rope, *duplication)?;
            cache.open(judging.stored(&case)?, |opened| judging.judge(&case, opened))
        }
        JudgedSubject::Rotation { vectors, encoding, axes, judging } => {
            let case = judging.computed.case((encoding, axes), Encoding::Rope, None)?;
            vectors.open(judging.stored(&case)?, |opened| judging.judge(&case, opened))
        }
        JudgedSubject::Claim(given) => claim::check(given),
        JudgedSubject::Attention(given) => check_attention::run(given),
    }
}

impl CheckTerms {
    /// Judges an input, and prints the answer.
    fn judge(&self, case: &Case, opened: Opened<'_>) -> Result<Outcome, Failure> {
        let begun = self.begin()?;
        let told = self.computed.libraries.told()?;
        let layers = match case {
            Case::Layers(layers) => layers,
            Case::Axes(axial) => {
                let subject = opened.rows()?;
                let judge = |expectation: &AxialExpectation<'_>| {
                    let report = check_axes(subject, expectation)?;
                    let profile =
                        begun.as_ref().map(|_| Profile::of_axes(subject, expectation, &report)).transpose()?;
                    Ok((report, profile))
                };
                let ((report, profile), chosen) = axial.fitting(judge, |(report, _)| report.grade)?;
                chosen.into_iter().for_each(tell);
                if let Some((page, profile)) = begun.zip(profile) {
                    page.write((report.subject, report.conforms), &report.to_string(), &profile)?;
                }
                return self.say(&report, &told);
            }
        };
        let judge = |expectation: &Expectation| match opened {
            Opened::Subject(subject) => check(subject, expectation),
            Opened::Frequencies(grid) => check_frequencies(grid, expectation),
        };
        let (report, chosen) = layers.fitting(judge, |report| report.grade)?;
        chosen.into_iter().for_each(tell);
        if let Some(page) = begun {
            let profile = match opened {
                Opened::Subject(subject) => Profile::new(subject, layers.positions(), &report)?,
                Opened::Frequencies(_) => Profile::of_pairs(&report.pairs),
            };
            page.write((report.subject, report.conforms), &report.to_string(), &profile)?;
        }
        self.say(&report, &told)
    }

    /// Prints a judgement: in short, whole, or as JSON.
    fn say<M: Restatement>(&self, report: &Report<M>, told: &str) -> Result<Outcome, Failure>
    where
        Report<M>: FirstVersion,
    {
        if self.json.is_asked() {
            self.json.print(report)?
        } else {
            let text = if self.verbose { report.to_string() } else { report.summary().to_string() };
            print(&(text + told + &decoder(report)))?
        }
        Ok(match report.grade {
            Grade::NotJudged => Outcome::Inconclusive,
            grade if grade.conforms() => Outcome::Good,
            _ => Outcome::FallsShort,
        })
    }
}

/// Where to go on from a finding of rows that have other positions: what decodes them. Multiples of no simple fraction are decoded by nothing.
fn decoder<M: Restatement>(report: &Report<M>) -> String {
    let other = [Code::StalePositions, Code::ClampedPositions, Code::Positions];
    let told: Vec<&Finding> = report.findings.iter().filter(|finding| other.contains(&finding.code())).collect();
    let found: Vec<f64> = told.iter().flat_map(|finding| positions(finding)).collect();
    let whole = |of: &u32| found.iter().all(|p| (p * f64::from(*of) - (p * f64::from(*of)).round()).abs() < 1e-6);
    let Some(of) = (1..=LARGEST_STEP).find(whole).filter(|_| !told.is_empty()) else { return String::new() };
    let step = if of > 1 { format!(" --step 1/{of}") } else { String::new() };
    let domain = match found.iter().fold((0.0, 0.0), |(least, most): (f64, f64), p| (least.min(*p), most.max(*p))) {
        (least, most) if least < 0.0 => format!(" --domain {}..{}", least.floor(), most.floor() + 1.0),
        _ => String::new(),
    };
    format!("posproof positions{step}{domain} says by which position each row was rotated\n")
}

/// The largest denominator of a step that is proposed.
const LARGEST_STEP: u32 = 256;

/// Some of the positions that a finding is about: those of which all others are sums and multiples, the least and the greatest.
fn positions(finding: &Finding) -> Vec<f64> {
    let stated = finding.region.as_ref().and_then(|region| region.positions).unwrap_or_default().map(|p| p as f64);
    match &finding.cause {
        Cause::Earlier { rows, .. } => rows.iter().map(|row| row.1).collect(),
        Cause::OnePosition { position } | Cause::Clamped { position, .. } => vec![*position],
        Cause::Positions(PositionRule::Affine { by, plus, .. }) => {
            stated.iter().flat_map(|p| [by * p + plus, by * (p + 1.0) + plus]).collect()
        }
        Cause::Positions(PositionRule::Restarts { first, .. }) => vec![*first, stated[1]],
        _ => Vec::new(),
    }
}
