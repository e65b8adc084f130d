//! The options that say how accurate the functions of a library are.

use super::Failure;
use clap::Args;
use posproof_bound::Libraries;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// Accuracies of functions, or a file that has them.
#[derive(Args, Clone, Debug, Default)]
pub struct LibraryArguments {
    /// Largest errors of functions in ulp: sin=3.5,cos=3.5,exp=116,log=4030.5,pow=16 [default: 2; pow 4]
    #[arg(long, value_name = "NAME=K,…", hide_short_help = true)]
    ulp: Option<Libraries>,
    /// A file with these figures and their source: {"source": "…", "ulp": {"sin": 3.5}}
    #[arg(long, value_name = "FILE.json", conflicts_with = "ulp", hide_short_help = true)]
    platform: Option<PathBuf>,
}

/// The figures of a platform.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Platform {
    source: String,
    ulp: Libraries,
}

impl LibraryArguments {
    /// The accuracies, and where they come from, if that is stated.
    ///
    /// # Errors
    ///
    /// For a file that is no platform's.
    pub fn stated(&self) -> Result<(Libraries, Option<String>), Failure> {
        match (&self.ulp, &self.platform) {
            (Some(ulp), _) => Ok((*ulp, None)),
            (None, Some(path)) => {
                let platform = read(path)?;
                Ok((platform.ulp, Some(platform.source)))
            }
            (None, None) => Ok((Libraries::default(), None)),
        }
    }

    /// The accuracies alone.
    ///
    /// # Errors
    ///
    /// As of [`LibraryArguments::stated`].
    pub fn accuracies(&self) -> Result<Libraries, Failure> {
        self.stated().map(|(libraries, _)| libraries)
    }

    /// A line that says what was stated; empty where nothing was.
    ///
    /// # Errors
    ///
    /// As of [`LibraryArguments::stated`].
    pub fn told(&self) -> Result<String, Failure> {
        let (libraries, source) = self.stated()?;
        let source = source.map_or(String::new(), |source| format!(" ({source})"));
        Ok(match libraries == Libraries::default() {
            true => String::new(),
            false => format!("  functions within ulp: {libraries}{source}\n"),
        })
    }
}

fn read(path: &Path) -> Result<Platform, Failure> {
    let refused = |error: &dyn std::fmt::Display| {
        let expected = r#"expected {"source": "where the figures are documented", "ulp": {"sin": 3.5, "exp": 116}}"#;
        Failure::Usage(format!("{}: {error}; {expected}", path.display()))
    };
    let text = std::fs::read_to_string(path).map_err(|error| refused(&error))?;
    let platform: Platform = serde_json::from_str(&text).map_err(|error| refused(&error))?;
    platform.ulp.validate().map_err(|error| refused(&error))?;
    if platform.source.trim().is_empty() {
        return Err(refused(&"source: found none"));
    }
    Ok(platform)
}
