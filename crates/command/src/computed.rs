//! The options that say how an implementation computes.

use super::Failure;
use super::axes::AxesArguments;
use super::libraries::LibraryArguments;
use super::refusal::misplaced;
use super::specification::Specification;
use clap::Args;
use posproof_bound::Path;
use posproof_check::Duplication;
use posproof_check::request::{Case, Computation, Request, path_named};
use posproof_encoding::convention::Encoding;
use posproof_numerics::format::Format;

/// Terms that decide the bound.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Judging")]
pub struct Computed {
    /// Format that the entries should have [default: the file's]
    ///
    /// Whatever format holds them; with --step, before they are quantised. Bytes are codes of e4m3 or e5m2.
    #[arg(long, value_name = "f16|bf16|f32|f64|e4m3|e5m2")]
    pub dtype: Option<Format>,
    /// Precision of the implementation's angles: it decides the bound
    #[arg(long, value_name = "f64|f32|bf16|f16", default_value = "f32", value_parser = Format::computing)]
    compute: Format,
    /// Path of its frequencies [any: the narrowest that explains them]
    #[arg(long, value_name = "any|rounded|f64|pow|exp|repeated|recurrence", default_value = "any", value_parser = any_or_one)]
    path: std::option::Option<Path>,
    #[command(flatten)]
    pub libraries: LibraryArguments,
}

impl Computed {
    /// By what an input is judged: what these options state with those of an encoding and of the rows.
    pub fn case(
        &self,
        (specification, axes): (&Specification, &AxesArguments),
        encoding: Encoding,
        duplication: Option<Duplication>,
    ) -> Result<Case, Failure> {
        let stated = axes.conventions(encoding, specification)?;
        let named = specification.shared.positions.as_deref();
        let positions = axes.positions(&stated, named)?;
        let &Self { dtype: storage, compute, path, .. } = self;
        let computation = Computation { compute, libraries: self.libraries.accuracies()?, path, storage };
        Request { stated, positions, computation, duplication }.case().map_err(|error| misplaced(&error, named))
    }
}

/// A path, or none for `any`.
pub fn any_or_one(name: &str) -> Result<Option<Path>, String> {
    path_named(name, &Path::JUDGED)
}
