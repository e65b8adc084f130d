//! `posproof tolerance`: certified absolute tolerances, for a test of one's own.

use super::axes::AxesArguments;
use super::computed::any_or_one;
use super::documents::JsonArguments;
use super::libraries::LibraryArguments;
use super::specification::Specification;
use super::table::encoding;
use super::{Failure, Outcome, print, progress};
use clap::Args;
use posproof_bound::document::printed;
use posproof_bound::first::First;
use posproof_bound::tolerance::{MOST_ENTRIES, MOST_LISTED, RowTolerances, Told, c_header};
use posproof_bound::{Compute, Path as CodePath};
use posproof_encoding::convention::Encoding;
use posproof_numerics::decimal::counted;
use posproof_numerics::format::Format;
use posproof_table::Dtype;
use posproof_table::arrays::atomic::{NewFile, NotWritten, require_space};
use posproof_table::arrays::{Header, write};
use posproof_table::write::Kind;
use serde_json::{Value, json};
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
    #[command(flatten)]
    json: JsonArguments,
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
    let placed = axes.at(*encoding, specification)?;
    let compute = Compute { format: program.compute, libraries: program.libraries.accuracies()? };
    let tolerances = placed.tolerances((compute, program.path), program.dtype)?;
    if let Some(name) = name {
        print(&header(&tolerances, name)?)?;
        return Ok(Outcome::Good);
    }
    let written = out.as_deref().map(|path| write_to(&tolerances, path, *force)).transpose()?;
    if json.is_asked() {
        let told = match &written {
            Some(written) => Told::Written(written.document()),
            None => Told::Listed(listed(&tolerances)?),
        };
        json.print(&tolerances.document(told))?;
    } else {
        print(&(text(&tolerances, program, written.as_ref()) + &program.libraries.told()?))?;
    }
    Ok(Outcome::Good)
}

/// Tolerances in a file.
struct TolerancesFile<'a> {
    path: &'a Path,
    kind: Kind,
    bytes: u64,
    shape: Vec<usize>,
}

impl TolerancesFile<'_> {
    fn document(&self) -> Value {
        let Self { path, kind, bytes, shape } = self;
        json!({ "path": path, "kind": kind, "bytes": bytes, "shape": shape })
    }
}

/// The tolerances one after the other, as far as they are written as text.
fn listed(tolerances: &RowTolerances<'_>) -> Result<Vec<f64>, Failure> {
    tolerances.listed().ok_or_else(|| {
        let found = format!("{} positions of {} pairs", tolerances.rows(), tolerances.width());
        let expected = format!("expected at most {MOST_LISTED}, and {MOST_ENTRIES} tolerances, as text");
        Failure::Usage(format!("--positions: {found}; {expected}; --out FILE.npy writes more"))
    })
}

fn header(tolerances: &RowTolerances<'_>, name: &str) -> Result<String, Failure> {
    let (atol, origin) = (listed(tolerances)?, tolerances.origin().to_string());
    let text = c_header(name, &origin, &tolerances.positions(), (&atol, tolerances.width()));
    text.ok_or_else(|| Failure::Usage(format!("--c-header '{name}': expected a name of C, such as ATOL")))
}

fn write_to<'a>(tolerances: &RowTolerances<'_>, path: &'a Path, force: bool) -> Result<TolerancesFile<'a>, Failure> {
    let (kind, shape) = (Kind::of(path)?, tolerances.shape());
    let failed = NotWritten::io(path);
    let bytes = match kind.container() {
        None => {
            let document = tolerances.document(Told::Listed(listed(tolerances)?));
            let mut file = NewFile::create(path, force)?;
            let mut out = io::BufWriter::new(file.file());
            let put = serde_json::to_writer_pretty(&mut out, &First(&document)).map_err(io::Error::from);
            put.and_then(|()| writeln!(out)).and_then(|()| out.flush()).map_err(&failed)?;
            drop(out);
            file.finish()?
        }
        Some(container) => {
            let header = Header { name: "atol", dtype: Dtype::Float(Format::F64), shape: shape.clone() };
            let mut file = NewFile::create(path, force)?;
            require_space(file.file(), header.bytes()).map_err(&failed)?;
            let bar = progress(tolerances.rows(), "rows");
            let mut body = |_, out: &mut dyn Write| {
                let mut atol = vec![0.0; tolerances.width()];
                (0..tolerances.rows()).try_for_each(|row| {
                    tolerances.row(row, &mut atol);
                    bar.inc(1);
                    atol.iter().try_for_each(|entry| out.write_all(&entry.to_le_bytes()))
                })
            };
            write(container, file.file(), &[header], &[], &mut body).map_err(&failed)?;
            bar.finish_and_clear();
            file.finish()?
        }
    };
    Ok(TolerancesFile { path, kind, bytes, shape })
}

fn text(tolerances: &RowTolerances<'_>, program: &ToleratedProgram, written: Option<&TolerancesFile<'_>>) -> String {
    let (rows, pairs) = (tolerances.rows() as u64, tolerances.width() as u64);
    let path = program.path.map_or("any", CodePath::name);
    let mut text = format!(
        "Tolerances of entries in {}: {} of {}, angles in {}, frequencies '{path}'\n",
        program.dtype,
        counted(rows, "position"),
        counted(pairs, "pair"),
        program.compute
    );
    for (word, (place, atol)) in ["smallest", "largest"].into_iter().zip(tolerances.extremes()) {
        text += &format!("  {}  the {word}: {place}\n", printed(atol));
    }
    text += &format!("  {}\n", tolerances.origin());
    text + &match written {
        Some(TolerancesFile { path, bytes, shape, .. }) => {
            format!("wrote {} ({}): atol {shape:?} f64\n", path.display(), counted(*bytes, "byte"))
        }
        None => "--out FILE writes all of them, --json and --c-header NAME print them\n".to_owned(),
    }
}
