//! The options of `posproof bound` that say what a program does.

use super::Failure;
use clap::Args;
use posproof_bound::{Libraries, Path, Program};
use posproof_numerics::{Element, format::Format};

/// Formats and paths of a program.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Program")]
pub struct ProgramArguments {
    /// Format of the table: f16, bf16, f32 or f64; with --accumulator that of the inputs, e4m3 and e5m2 too [default: f32, or
    /// bf16 of inputs]
    #[arg(long, value_name = "FORMAT")]
    pub dtype: Option<Element>,
    /// Computation of frequencies: pow, exp, repeated, f64 (pow in f64, then cast) or rounded
    #[arg(long, value_name = "PATH", default_value = "rounded")]
    pub path: Path,
    /// Format of the angle, and of sine and cosine [default: f64 for a table in f64, else f32]
    #[arg(long, value_name = "FORMAT", value_parser = Format::computing)]
    pub angle: Option<Format>,
    /// Format of the frequencies [default: that of the angle]
    #[arg(long, value_name = "FORMAT", value_parser = Format::computing)]
    pub frequency_format: Option<Format>,
    /// Format that positions are rounded to [default: that of the angle]
    #[arg(long, value_name = "FORMAT", value_parser = Format::computing)]
    pub position_format: Option<Format>,
    /// Accuracy of functions in units in the last place; 0.5 is correct rounding. Of several (sin=3.5,exp=116) the bound takes the largest
    #[arg(long, value_name = "K", default_value_t = 1.0, allow_negative_numbers = true, value_parser = accuracy)]
    pub ulp: f64,
}

/// One accuracy, or the largest of those of some functions.
fn accuracy(text: &str) -> Result<f64, String> {
    if !text.contains('=') {
        return text.parse().map_err(|_| format!("'{text}': expected a number, or functions: sin=3.5,cos=3.5"));
    }
    let named: Libraries = text.parse()?;
    let stated = |name: &str| text.split(',').any(|part| part.split('=').next().is_some_and(|own| own.trim() == name));
    let all = [("sin", named.sin), ("cos", named.cos), ("exp", named.exp), ("log", named.log), ("pow", named.pow)];
    Ok(all.into_iter().filter(|(name, _)| stated(name)).map(|(_, ulps)| ulps).fold(0.0, f64::max))
}

impl ProgramArguments {
    /// The format of the table; one that computes, where rotations and sums are in it.
    pub fn storage(&self, computes: bool) -> Result<Format, Failure> {
        let Some(element) = self.dtype else { return Ok(Format::F32) };
        match element.stored().filter(|format| !computes || format.narrow().is_none()) {
            Some(format) => Ok(format),
            None => {
                let expected = "expected f16, bf16, f32 or f64, or --accumulator, of whose inputs it is the format";
                Err(Failure::Usage(format!("--dtype {element}: {expected}")))
            }
        }
    }

    /// The program.
    pub fn program(&self) -> Program {
        let storage = self.storage(false).unwrap_or(Format::F32);
        let angle = self.angle.unwrap_or(if storage == Format::F64 { Format::F64 } else { Format::F32 });
        Program {
            path: self.path,
            position: self.position_format.unwrap_or(angle),
            frequency: self.frequency_format.unwrap_or(angle),
            angle,
            storage,
            kappa: self.ulp,
        }
    }
}
