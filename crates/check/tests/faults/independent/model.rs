//! A program by its numbers, and what it computes, in plain binary64.

use posproof_numerics::format::Format;
use serde_json::Value;

/// The number of a format that is nearest to one.
pub fn round(format: Format, x: f64) -> f64 {
    format.round(x)
}

/// The position that a row has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Position {
    Own,
    Shifted(f64, u64),
    Scaled(f64, u64),
    Stays(f64, u64),
    Modulo(u64),
    Affine(f64, f64),
    Divided(u64),
    Rounded(Format),
}

impl Position {
    fn of(self, p: u64) -> f64 {
        let own = p as f64;
        match self {
            Self::Shifted(by, from) if p >= from => own + by,
            Self::Scaled(by, from) if p >= from => own * by,
            Self::Stays(at, from) if p >= from => at,
            Self::Modulo(by) => (p % by) as f64,
            Self::Affine(by, plus) => by * own + plus,
            Self::Divided(by) => (p / by) as f64,
            Self::Rounded(format) => round(format, own),
            _ => own,
        }
    }
}

/// A program, by its numbers.
#[derive(Clone, Debug)]
pub struct Model {
    pub dim: usize,
    pub base: f64,
    pub offset: f64,
    pub angle_scale: f64,
    pub layout: String,
    pub exchanged: bool,
    pub sense: f64,
    pub amplitude: f64,
    pub index: f64,
    pub endpoints: bool,
    pub linear: f64,
    pub position: Position,
    /// Frequencies of the first pairs, where they follow no law.
    pub frequencies: Vec<f64>,
    /// A pair with a frequency of its own.
    pub pair: Option<(usize, f64)>,
    /// Numbers that entries are multiplied by: of one component, or of both.
    pub factors: Vec<(f64, Option<String>)>,
}

impl Model {
    /// The position of which every angle is 0.
    pub fn origin(&self) -> f64 {
        -self.offset
    }

    /// Takes the fields of a convention.
    pub fn state(&mut self, convention: &Value) {
        let real = |key: &str| {
            let value = &convention[key];
            value.as_f64().or_else(|| {
                value.as_str().and_then(|text| match text.split_once('/') {
                    Some((top, bottom)) => Some(top.parse::<f64>().ok()? / bottom.parse::<f64>().ok()?),
                    None => text.parse().ok(),
                })
            })
        };
        let text = |key: &str| convention[key].as_str().map(str::to_owned);
        self.base = real("base").unwrap_or(self.base);
        self.offset = real("position_offset").unwrap_or(self.offset);
        self.angle_scale = real("position_scale").unwrap_or(self.angle_scale);
        self.index = real("frequency_origin").unwrap_or(self.index);
        self.layout = text("layout").unwrap_or_else(|| self.layout.clone());
        self.endpoints = text("frequency_spacing").map_or(self.endpoints, |spacing| spacing == "endpoints");
        self.sense = text("direction").map_or(self.sense, |way| if way == "clockwise" { -1.0 } else { 1.0 });
        let factor =
            convention["scaling"]["factor"].as_f64().or_else(|| convention["scaling"]["factor"].as_str()?.parse().ok());
        let pairs = (self.dim / 2) as f64;
        match (convention["scaling"]["type"].as_str().or(convention["scaling"]["rope_type"].as_str()), factor) {
            (Some("linear"), Some(factor)) => self.linear = factor,
            (Some("ntk"), Some(factor)) => self.base *= factor.powf(pairs / (pairs - 1.0)),
            _ => self.linear = 1.0,
        }
    }

    pub fn omega(&self, k: usize) -> f64 {
        if let Some((_, omega)) = self.pair.filter(|pair| pair.0 == k) {
            return omega;
        }
        if let Some(omega) = self.frequencies.get(k) {
            return *omega;
        }
        let (k, pairs) = (k as f64 + self.index, (self.dim / 2) as f64);
        let exponent = if self.endpoints { k / (pairs - 1.0) } else { k / pairs };
        self.base.powf(-exponent) / self.linear
    }

    /// True if the frequency of a pair is known.
    pub fn knows(&self, k: usize) -> bool {
        self.frequencies.is_empty() || k < self.frequencies.len()
    }

    pub fn angle(&self, p: u64, k: usize) -> f64 {
        (self.position.of(p) + self.offset) * self.angle_scale * self.omega(k)
    }

    /// Cosine and sine.
    pub fn entry(&self, p: u64, k: usize) -> (f64, f64) {
        let (sin, cos) = self.angle(p, k).sin_cos();
        let (mut cos, mut sin) = (self.amplitude * cos, self.amplitude * self.sense * sin);
        for (by, component) in &self.factors {
            cos *= if component.as_deref() == Some("sin") { 1.0 } else { *by };
            sin *= if component.as_deref() == Some("cos") { 1.0 } else { *by };
        }
        if self.exchanged { (sin, cos) } else { (cos, sin) }
    }

    pub fn places(&self, k: usize) -> (usize, usize) {
        if self.layout == "interleaved" { (2 * k, 2 * k + 1) } else { (k, k + self.dim / 2) }
    }
}
