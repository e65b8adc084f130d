//! Accuracy of a library's elementary functions, in units in the last place.

use posproof_numerics::format::Format;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The largest error of each elementary function, in units in the last place: κ of the bounds.
///
/// Usual are 2 for sin, cos, exp and log, and 4 for pow: libraries of processors and of PyTorch are within these. Accelerators
/// document larger ones.
///
/// ```
/// use posproof_bound::Libraries;
/// let stated: Libraries = "sin=3.5,cos=3.5,exp=116,log=4030.5".parse()?;
/// assert_eq!((stated.sin, stated.log, stated.pow), (3.5, 4030.5, 4.0));
/// assert_eq!(stated.to_string(), "sin=3.5,cos=3.5,exp=116,log=4030.5");
/// assert!("tan=1".parse::<Libraries>().is_err() && "sin=0.1".parse::<Libraries>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Libraries {
    /// Of the sine.
    pub sin: f64,
    /// Of the cosine.
    pub cos: f64,
    /// Of the exponential.
    pub exp: f64,
    /// Of the logarithm.
    pub log: f64,
    /// Of the power.
    pub pow: f64,
}

impl Default for Libraries {
    fn default() -> Self {
        Self { sin: 2.0, cos: 2.0, exp: 2.0, log: 2.0, pow: 4.0 }
    }
}

/// The names, in the order in which they are written.
const NAMES: [&str; 5] = ["sin", "cos", "exp", "log", "pow"];

/// No function is more accurate than correct rounding, and nothing is said of one that is off by more than this.
const ACCURACIES: std::ops::RangeInclusive<f64> = 0.5..=1048576.0;

impl Libraries {
    /// The accuracy of a function by its name.
    fn get(&mut self, name: &str) -> Option<&mut f64> {
        match name {
            "sin" => Some(&mut self.sin),
            "cos" => Some(&mut self.cos),
            "exp" => Some(&mut self.exp),
            "log" => Some(&mut self.log),
            "pow" => Some(&mut self.pow),
            _ => None,
        }
    }

    /// One accuracy of all functions.
    pub fn alike(ulps: f64) -> Self {
        Self { sin: ulps, cos: ulps, exp: ulps, log: ulps, pow: ulps }
    }

    /// The accuracy of sines and cosines.
    pub fn waves(&self) -> f64 {
        self.sin.max(self.cos)
    }

    /// That of the results of powers and exponentials below the normal range. The usual one of a power is counted by its roundings.
    pub(super) fn small(&self) -> f64 {
        if self.pow > Self::default().pow { self.exp.max(self.pow) } else { self.exp }
    }

    /// The least accurate of all: for bounds that have one accuracy.
    pub fn largest(&self) -> f64 {
        [self.cos, self.exp, self.log, self.pow].into_iter().fold(self.sin, f64::max)
    }

    /// Refuses accuracies that no function has.
    ///
    /// # Errors
    ///
    /// With the function, and what is expected of it.
    pub fn validate(&self) -> Result<(), String> {
        let mut all = *self;
        for name in NAMES {
            let ulps = all.get(name).map_or(0.0, |ulps| *ulps);
            if !ACCURACIES.contains(&ulps) {
                let (least, most) = (ACCURACIES.start(), ACCURACIES.end());
                return Err(format!("{name}: expected {least} (correct rounding) to {most} ulp; found {ulps}"));
            }
        }
        Ok(())
    }
}

impl FromStr for Libraries {
    type Err = String;
    /// Functions with their accuracies: `sin=3.5,cos=3.5,exp=116`. The others have the usual ones.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Self::default();
        for part in text.split(',') {
            let expected =
                || format!("'{part}': expected {} with an accuracy in ulp, such as sin=3.5", NAMES.join(", "));
            let (name, ulps) = part.split_once('=').ok_or_else(expected)?;
            let accuracy = all.get(name.trim()).ok_or_else(expected)?;
            *accuracy = ulps.trim().parse().map_err(|_| expected())?;
        }
        all.validate()?;
        Ok(all)
    }
}

impl fmt::Display for Libraries {
    /// The functions whose accuracies are not the usual ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut all, mut usual) = (*self, Self::default());
        let stated = |name: &&str| all.get(name) != usual.get(name);
        let mut named: Vec<&str> = NAMES.to_vec();
        named.retain(stated);
        let each: Vec<String> =
            named.into_iter().filter_map(|name| all.get(name).map(|ulps| format!("{name}={ulps}"))).collect();
        f.write_str(&each.join(","))
    }
}

/// A format that angles are computed in, and how accurate its functions are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compute {
    /// The format.
    pub format: Format,
    /// Its functions.
    pub libraries: Libraries,
}

impl From<Format> for Compute {
    /// With functions of the usual accuracies.
    fn from(format: Format) -> Self {
        Self { format, libraries: Libraries::default() }
    }
}
