//! `posproof compare sinusoid|rope|rotation`: two outputs of one convention.

use super::arrays::{Cache, GridArguments, Opened, OtherCache, OtherTable, OtherVectors, Stored, Table, Vectors};
use super::axes::AxesArguments;
use super::computed::Computed;
use super::refusal::refused;
use super::specification::{SharedArguments, Specification};
use super::{Failure, Outcome, print, print_json};
use clap::{Args, Subcommand};
use posproof_check::request::Case;
use posproof_check::{ComparedOutputs, Restatement, compare_axial_outputs, compare_outputs};
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
            let case = judging.computed.case((&specification, axes), Encoding::Sinusoid, None)?;
            let other = table.beside(other);
            table.open(judging.stored(&case)?, |one| {
                other.open(judging.stored(&case)?, |other| judging.compare(&case, [one, other]))
            })
        }
        Outputs::Rope { cache, other, encoding, axes, judging } => {
            let case = judging.computed.case((encoding, axes), Encoding::Rope, None)?;
            let other = cache.beside(other);
            cache.open(judging.stored(&case)?, |one| {
                other.open(judging.stored(&case)?, |other| judging.compare(&case, [one, other]))
            })
        }
        Outputs::Rotation { vectors, other, encoding, axes, judging } => {
            let case = judging.computed.case((encoding, axes), Encoding::Rope, None)?;
            let other = vectors.beside(other);
            vectors.open(judging.stored(&case)?, |one| {
                other.open(judging.stored(&case)?, |other| judging.compare(&case, [one, other]))
            })
        }
    }
}

impl Judging {
    /// The entries of both, as they are stated.
    fn stored(&self, case: &Case) -> Result<Stored, Failure> {
        self.grid.of(case.rows(), self.computed.dtype)
    }

    fn compare(&self, case: &Case, [one, other]: [Opened<'_>; 2]) -> Result<Outcome, Failure> {
        let outputs = [one.rows()?, other.rows()?];
        match case {
            Case::Axes(axial) => {
                let expectation = axial.only().map_err(|error| refused(&error))?;
                self.tell(&compare_axial_outputs(outputs, &expectation)?)
            }
            Case::Layers(layers) => {
                let expectation = layers.only().map_err(|error| refused(&error))?;
                self.tell(&compare_outputs(outputs, expectation)?)
            }
        }
    }

    fn tell<M: Restatement>(&self, compared: &ComparedOutputs<M>) -> Result<Outcome, Failure>
    where
        ComparedOutputs<M>: Serialize,
    {
        if self.json {
            print_json(compared)?;
        } else {
            let [one, other] = &compared.reports;
            print(&format!("{compared}A: {}B: {}", one.summary(), other.summary()))?;
        }
        Ok(if compared.conforms() { Outcome::Good } else { Outcome::FallsShort })
    }
}
