//! `posproof compare sinusoid|rope|rotation`: two outputs of one convention.

use super::arrays::{Cache, GridArguments, Opened, OtherCache, OtherTable, OtherVectors, Stored, Table, Vectors};
use super::axes::AxesArguments;
use super::check::{Case, Computed};
use super::specification::{SharedArguments, Specification};
use super::{Failure, Outcome, print, print_json};
use clap::{Args, Subcommand};
use posproof_check::{ComparedOutputs, compare_axial_outputs, compare_outputs};
use posproof_encoding::convention::Encoding;
use serde::Serialize;

const SINUSOID: &str = "Example:
  posproof compare sinusoid --table a.npy --with-table b.npy --dim 512";

const ROPE: &str = "Examples:
  posproof compare rope --cos a.npz:cos --sin a.npz:sin --with-cos b.npz:cos --with-sin b.npz:sin --dim 128
  posproof compare rope --cos a.npy --with-cos b.npy --config config.json --json";

const ROTATION: &str = "Example:
  posproof compare rotation --x x.npy --y eager.npy --with-y fused.npy --dim 128 --layout halves";

/// Outputs of two implementations that should follow one convention.
#[derive(Clone, Debug, Subcommand)]
pub(super) enum Outputs {
    /// Two tables of sinusoidal encodings
    #[command(after_help = SINUSOID)]
    Sinusoid {
        #[command(flatten)]
        table: Table,
        #[command(flatten)]
        other: OtherTable,
        #[command(flatten)]
        encoding: SharedArguments,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        judging: Judging,
    },
    /// Two caches of cosines and sines
    #[command(after_help = ROPE)]
    Rope {
        #[command(flatten)]
        cache: Cache,
        #[command(flatten)]
        other: OtherCache,
        #[command(flatten)]
        encoding: Specification,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        judging: Judging,
    },
    /// Two rotations of the same vectors
    #[command(after_help = ROTATION)]
    Rotation {
        #[command(flatten)]
        vectors: Vectors,
        #[command(flatten)]
        other: OtherVectors,
        #[command(flatten)]
        encoding: Specification,
        #[command(flatten)]
        axes: AxesArguments,
        #[command(flatten)]
        judging: Judging,
    },
}

/// Terms of the judgement.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Judging")]
pub(super) struct Judging {
    #[command(flatten)]
    computed: Computed,
    #[command(flatten)]
    grid: GridArguments,
    /// Print one JSON document (schema posproof.compare-outputs/1)
    #[arg(long)]
    json: bool,
}

/// Runs the verb.
pub(super) fn run(outputs: &Outputs) -> Result<Outcome, Failure> {
    match outputs {
        Outputs::Sinusoid { table, other, encoding, axes, judging } => {
            let specification = encoding.clone().into();
            let case = Case::new((&specification, axes), Encoding::Sinusoid, &judging.computed, None)?;
            let other = table.beside(other);
            table.open(judging.stored(&case)?, |one| {
                other.open(judging.stored(&case)?, |other| judging.compare(&case, [one, other]))
            })
        }
        Outputs::Rope { cache, other, encoding, axes, judging } => {
            let case = Case::new((encoding, axes), Encoding::Rope, &judging.computed, None)?;
            let other = cache.beside(other);
            cache.open(judging.stored(&case)?, |one| {
                other.open(judging.stored(&case)?, |other| judging.compare(&case, [one, other]))
            })
        }
        Outputs::Rotation { vectors, other, encoding, axes, judging } => {
            let case = Case::new((encoding, axes), Encoding::Rope, &judging.computed, None)?;
            let other = vectors.beside(other);
            vectors.open(judging.stored(&case)?, |one| {
                other.open(judging.stored(&case)?, |other| judging.compare(&case, [one, other]))
            })
        }
    }
}

impl Judging {
    /// The entries of both, as they are stated.
    fn stored(&self, case: &Case<'_>) -> Result<Stored, Failure> {
        self.grid.of(case.count(), self.computed.dtype)
    }

    fn compare(&self, case: &Case<'_>, opened: [Opened<'_>; 2]) -> Result<Outcome, Failure> {
        let [Opened::Subject(one), Opened::Subject(other)] = opened else {
            let expected = "expected --cos, --sin or both: frequencies have no rows to compare";
            return Err(Failure::Usage(format!("--inv-freq: {expected}")));
        };
        let refused = |error: posproof_check::Invalid| Failure::Usage(error.to_string());
        if let Some(axial) = case.axial()? {
            let compared = compare_axial_outputs([one, other], &axial.expectation()?).map_err(refused)?;
            return self.tell(&compared, ToString::to_string);
        }
        let mut all = case.expectations()?.into_iter();
        match (all.next(), all.next()) {
            (Some((_, expectation)), None) => {
                let compared = compare_outputs([one, other], &expectation).map_err(refused)?;
                self.tell(&compared, |report| report.summary().to_string())
            }
            _ => Err(Failure::Usage(
                "layers of several kinds: expected the one that both outputs are of (--layer or --layer-type)".into(),
            )),
        }
    }

    fn tell<R: Serialize>(
        &self,
        compared: &ComparedOutputs<R>,
        short: impl Fn(&R) -> String,
    ) -> Result<Outcome, Failure> {
        if self.json {
            print_json(compared)?;
        } else {
            let [one, other] = &compared.reports;
            print(&format!("{compared}A: {}B: {}", short(one), short(other)))?;
        }
        Ok(if compared.conforms() { Outcome::Good } else { Outcome::FallsShort })
    }
}
