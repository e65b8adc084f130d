//! `posproof tolerance`: certified absolute tolerances, for a test of one's own.

use super::axes::{AxesArguments, Stated};
use super::check::any_or_one;
use super::libraries::LibraryArguments;
use super::specification::Specification;
use super::table::encoding;
use super::{Failure, Outcome, print, print_json, progress};
use clap::Args;
use posproof_bound::document::printed;
use posproof_bound::tolerance::{MOST_ENTRIES, MOST_LISTED, Tolerance, c_header, hexadecimal};
use posproof_bound::{Compute, Path as CodePath};
use posproof_encoding::convention::Encoding;
use posproof_numerics::decimal::counted;
use posproof_numerics::format::Format;
use posproof_table::arrays::atomic::{NewFile, NotWritten, require_space};
use posproof_table::arrays::{Header, write};
use posproof_table::write::Kind;
use posproof_table::{Dtype, Positions};
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Arguments of `tolerance`.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ToleranceArguments {
    /// The encoding; a tolerance is that of the sine and of the cosine of a pair
    #[arg(value_name = "sinusoid|rope", value_parser = encoding)]
    encoding: Encoding,
    #[command(flatten)]
    specification: Specification,
    #[command(flatten)]
    axes: AxesArguments,
    #[command(flatten)]
    program: ToleratedProgram,
    #[command(flatten)]
    output: OutputArguments,
}

/// The program whose errors are tolerated.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Program")]
struct ToleratedProgram {
    /// Format of the entries, and of the table that they are compared with
    #[arg(long, value_name = "f16|bf16|f32|f64|e4m3|e5m2", default_value = "f32")]
    dtype: Format,
    /// Precision of the implementation's angles
    #[arg(long, value_name = "f64|f32|bf16|f16", default_value = "f32", value_parser = Format::computing)]
    compute: Format,
    /// Path of its frequencies
    #[arg(long, value_name = "any|rounded|f64|pow|exp|repeated|recurrence", default_value = "any", value_parser = any_or_one)]
    path: std::option::Option<CodePath>,
    #[command(flatten)]
    libraries: LibraryArguments,
}

/// Where tolerances go.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
struct OutputArguments {
    /// File to write; one array atol [positions, pairs] in f64: .npy, .npz, .safetensors, or .json (small ones)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long, requires = "out")]
    force: bool,
    /// Print an array of C of this name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["out", "json"])]
    c_header: Option<String>,
    /// Print one JSON document (schema posproof.tolerance/1)
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "|entry − table| ≤ atol[position, pair] for the entries of every implementation that computes as stated, against \
the correctly rounded table of the same format (posproof table); two such implementations differ by at most twice as much.

Examples:
  posproof tolerance rope --dim 128 --base 500000 --positions 0..4096 --dtype bf16 --out atol.npy
  posproof tolerance sinusoid --dim 512 --positions 0,1,2047 --json
  posproof tolerance rope --config config.json --positions 0..64 --c-header ATOL > atol.h";

/// Runs the verb.
pub fn run(arguments: &ToleranceArguments) -> Result<Outcome, Failure> {
    let ToleranceArguments { encoding, specification, axes, program, output } = arguments;
    let OutputArguments { out, force, c_header: name, json } = output;
    let convention = match axes.stated(*encoding, specification)? {
        Stated::Axial(_) => {
            let expected =
                "expected one axis; of several, posproof bound says how far entries may be from the exact ones";
            return Err(Failure::Usage(format!("tolerances with axes: {expected}")));
        }
        Stated::Plain(convention) => *convention,
        Stated::Nothing => specification.convention(*encoding)?,
    };
    let missing = || Failure::Usage("no positions: expected --positions A..B, a list, or a file p.npy".into());
    let positions = specification.positions()?.ok_or_else(missing)?;
    let compute = Compute { format: program.compute, libraries: program.libraries.accuracies()? };
    let tolerance = Tolerance::new(&convention, positions.max(), (compute, program.path), program.dtype)?;
    let certified = Certified { tolerance, positions };
    if let Some(name) = name {
        print(&certified.header(name)?)?;
        return Ok(Outcome::Good);
    }
    let written = out.as_deref().map(|path| certified.write(path, *force)).transpose()?;
    match (json, &written) {
        (true, Some(written)) => {
            print_json(&ToleranceDocument { of: certified.tolerance.document(), tolerances: InFile { written } })?;
        }
        (true, None) => print_json(&certified.document()?)?,
        (false, written) => print(&(certified.text(program, written.as_ref()) + &program.libraries.told()?))?,
    }
    Ok(Outcome::Good)
}

/// The document, with the tolerances or with the file that they are in.
#[derive(Serialize)]
struct ToleranceDocument<D: Serialize, T: Serialize> {
    #[serde(flatten)]
    of: D,
    #[serde(flatten)]
    tolerances: T,
}

#[derive(Serialize)]
struct Listed {
    positions: Vec<u64>,
    atol: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct InFile<'a> {
    written: &'a Written<'a>,
}

#[derive(Serialize)]
struct Written<'a> {
    path: &'a Path,
    kind: Kind,
    bytes: u64,
    shape: [usize; 2],
}

/// Tolerances at some positions.
struct Certified {
    tolerance: Tolerance,
    positions: Positions,
}

impl Certified {
    /// The positions, and the tolerances one after the other, as far as they are written as text.
    fn listed(&self) -> Result<(Vec<u64>, Vec<f64>), Failure> {
        let (count, pairs) = (self.positions.len(), self.tolerance.pairs());
        if count > MOST_LISTED || count * pairs > MOST_ENTRIES {
            let expected = format!("expected at most {MOST_LISTED}, and {MOST_ENTRIES} tolerances, as text");
            let advice = "--out FILE.npy writes more";
            return Err(Failure::Usage(format!(
                "--positions: {count} positions of {pairs} pairs; {expected}; {advice}"
            )));
        }
        let positions: Vec<u64> = self.positions.iter().collect();
        let mut atol = vec![0.0; count * self.tolerance.pairs()];
        for (&position, row) in positions.iter().zip(atol.chunks_mut(self.tolerance.pairs().max(1))) {
            self.tolerance.row(position, row);
        }
        Ok((positions, atol))
    }

    fn document(&self) -> Result<impl Serialize + '_, Failure> {
        let (positions, atol) = self.listed()?;
        let atol = hexadecimal(&atol, self.tolerance.pairs());
        Ok(ToleranceDocument { of: self.tolerance.document(), tolerances: Listed { positions, atol } })
    }

    fn header(&self, name: &str) -> Result<String, Failure> {
        let (positions, atol) = self.listed()?;
        let text = c_header(name, &self.tolerance.origin().to_string(), &positions, &atol);
        text.ok_or_else(|| Failure::Usage(format!("--c-header '{name}': expected a name of C, such as ATOL")))
    }

    fn write<'a>(&self, path: &'a Path, force: bool) -> Result<Written<'a>, Failure> {
        let (kind, shape) = (Kind::of(path)?, [self.positions.len(), self.tolerance.pairs()]);
        let failed = NotWritten::io(path);
        let bytes = match kind.container() {
            None => {
                let document = self.document()?;
                let mut file = NewFile::create(path, force)?;
                let mut out = io::BufWriter::new(file.file());
                let put = serde_json::to_writer_pretty(&mut out, &document).map_err(io::Error::from);
                put.and_then(|()| writeln!(out)).and_then(|()| out.flush()).map_err(&failed)?;
                drop(out);
                file.finish()?
            }
            Some(container) => {
                let header = Header { name: "atol", dtype: Dtype::Float(Format::F64), shape: shape.to_vec() };
                let mut file = NewFile::create(path, force)?;
                require_space(file.file(), header.bytes()).map_err(&failed)?;
                let bar = progress(shape[0], "rows");
                let mut body = |_, out: &mut dyn Write| {
                    let mut row = vec![0.0; shape[1]];
                    self.positions.iter().try_for_each(|position| {
                        self.tolerance.row(position, &mut row);
                        bar.inc(1);
                        row.iter().try_for_each(|entry| out.write_all(&entry.to_le_bytes()))
                    })
                };
                write(container, file.file(), &[header], &[], &mut body).map_err(&failed)?;
                bar.finish_and_clear();
                file.finish()?
            }
        };
        Ok(Written { path, kind, bytes, shape })
    }

    fn text(&self, program: &ToleratedProgram, written: Option<&Written<'_>>) -> String {
        let (rows, pairs) = (self.positions.len() as u64, self.tolerance.pairs() as u64);
        let path = program.path.map_or("any", CodePath::name);
        let mut text = format!(
            "Tolerances of entries in {}: {} of {}, angles in {}, frequencies '{path}'\n",
            program.dtype,
            counted(rows, "position"),
            counted(pairs, "pair"),
            program.compute
        );
        // They grow with the position.
        for (word, position) in [("smallest", self.positions.min()), ("largest", self.positions.max())] {
            let mut row = vec![0.0; self.tolerance.pairs()];
            self.tolerance.row(position, &mut row);
            let least = word == "smallest";
            let better = |x: f64, y: f64| if least { x < y } else { x > y };
            let first = row.iter().copied().enumerate().reduce(|a, b| if better(b.1, a.1) { b } else { a });
            if let Some((pair, atol)) = first {
                text += &format!("  {}  the {word}: position {position}, pair {pair}\n", printed(atol));
            }
        }
        text += &format!("  {}\n", self.tolerance.origin());
        text + &match written {
            Some(Written { path, bytes, shape: [rows, pairs], .. }) => {
                format!("wrote {} ({}): atol [{rows}, {pairs}] f64\n", path.display(), counted(*bytes, "byte"))
            }
            None => "--out FILE writes all of them, --json and --c-header NAME print them\n".to_owned(),
        }
    }
}
