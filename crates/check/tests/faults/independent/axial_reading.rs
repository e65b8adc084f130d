//! A program of several axes by its numbers, and what findings say of it.

use super::reading::{Claim, Meaning};
use serde_json::Value;

/// A program of several axes, by its numbers.
#[derive(Clone, Debug)]
pub struct AxialModel {
    pub dim: usize,
    pub halves: bool,
    pub names: Vec<String>,
    /// Where the slots of each axis begin, and where those of the last one end.
    pub ends: Vec<usize>,
    pub base: Vec<f64>,
    pub scale: Vec<f64>,
    pub offset: Vec<f64>,
    /// The axis whose coordinate each one turns by; none where it stands still.
    pub follows: Vec<Option<usize>>,
    /// True if the frequencies of each axis are counted from 0.
    pub own_indices: bool,
    /// Row i has the coordinates of row i − rows.
    pub rows: i64,
    pub amplitude: f64,
    pub sense: f64,
    /// Factors of the cosines and of the sines of axes.
    pub factors: Vec<(usize, [f64; 2])>,
}

impl AxialModel {
    pub fn axes(&self) -> usize {
        self.names.len()
    }

    pub fn places(&self, slot: usize) -> (usize, usize) {
        if self.halves { (slot, slot + self.dim / 2) } else { (2 * slot, 2 * slot + 1) }
    }

    fn axis(&self, slot: usize) -> usize {
        (0..self.axes()).find(|&axis| slot < self.ends[axis + 1]).unwrap_or(0)
    }

    /// True if a row has the coordinates of one that is not there.
    pub fn is_end(&self, rows: &[Vec<f64>], row: usize) -> bool {
        !(0..rows.len() as i64).contains(&(row as i64 - self.rows))
    }

    pub fn angle(&self, rows: &[Vec<f64>], row: usize, slot: usize) -> f64 {
        let axis = self.axis(slot);
        let from = (row as i64 - self.rows).clamp(0, rows.len() as i64 - 1) as usize;
        let coordinate = self.follows[axis].map_or(0.0, |by| rows[from][by]);
        let (index, of) = if self.own_indices {
            (slot - self.ends[axis], self.ends[axis + 1] - self.ends[axis])
        } else {
            (slot, self.dim / 2)
        };
        let still = if self.follows[axis].is_some() { 1.0 } else { 0.0 };
        let position = (coordinate + self.offset[axis]) * self.scale[axis] * still;
        position * self.base[axis].powf(-(index as f64) / of as f64)
    }

    pub fn entry(&self, rows: &[Vec<f64>], row: usize, slot: usize) -> (f64, f64) {
        let (sin, cos) = self.angle(rows, row, slot).sin_cos();
        let (mut cos, mut sin) = (self.amplitude * cos, self.amplitude * self.sense * sin);
        for (_, [of_cos, of_sin]) in self.factors.iter().filter(|(axis, _)| *axis == self.axis(slot)) {
            (cos, sin) = (cos * of_cos, sin * of_sin);
        }
        (cos, sin)
    }

    fn named(&self, names: &Value) -> Option<Vec<usize>> {
        let all = names.as_array()?;
        // A field of no axis is one of all.
        if all.is_empty() {
            return Some((0..self.axes()).collect());
        }
        all.iter().map(|name| self.names.iter().position(|known| name == known)).collect()
    }

    fn field(&mut self, detail: &Value) -> Option<()> {
        let found = &detail["found"];
        let number = found.as_f64().or_else(|| {
            let text = found.as_str()?;
            match text.split_once('/') {
                Some((top, bottom)) => Some(top.parse::<f64>().ok()? / bottom.parse::<f64>().ok()?),
                None => text.parse().ok(),
            }
        });
        for axis in self.named(&detail["axes"])? {
            match detail["field"].as_str()? {
                "base" => self.base[axis] = number?,
                "position_scale" => self.scale[axis] = if found.is_null() { 1.0 } else { number? },
                "position_offset" => self.offset[axis] = if found.is_null() { 0.0 } else { number? },
                "amplitude" => self.amplitude = number?,
                "direction" => self.sense = if found == "clockwise" { -1.0 } else { 1.0 },
                "layout" if found == "halves" => self.halves = true,
                "layout" if found == "interleaved" => self.halves = false,
                "index" if detail["axes"].as_array()?.len() == self.axes() => self.own_indices = found.is_null(),
                _ => return None,
            }
        }
        Some(())
    }
}

impl Claim {
    /// Changes a model of several axes as the claim says; none where its figures are not read here.
    pub fn apply_axial(&self, model: &mut AxialModel) -> Option<Meaning> {
        let detail = &self.detail;
        if self.code == "local" {
            return Some(if detail["others"].is_number() { Meaning::Apart } else { Meaning::Silent });
        }
        if self.is_of_a_part() {
            return None;
        }
        if let Some(fields) = detail["fields"].as_array() {
            fields.iter().try_for_each(|field| model.field(field))?;
        } else if detail["field"].is_string() {
            model.field(detail)?;
        } else if let Some(follow) = detail["follow"].as_array() {
            let by = model.named(&Value::Array(follow.clone()))?;
            let axes = model.named(&detail["axes"])?;
            let before = model.follows.clone();
            axes.into_iter().zip(by).for_each(|(axis, by)| model.follows[axis] = before[by]);
        } else if detail.get("follows").is_some() {
            let by = detail["follows"].as_str().map(|name| model.names.iter().position(|known| known == name));
            let by = match by {
                Some(found) => Some(found?),
                None => None,
            };
            model.named(&detail["axes"])?.into_iter().for_each(|axis| model.follows[axis] = by);
        } else if detail["rows"].is_i64() {
            model.rows = detail["rows"].as_i64()?;
        } else if let (Some(first), Some(second)) =
            (pair(&detail["factors"]["first"]), pair(&detail["factors"]["second"]))
        {
            if first != second {
                return None;
            }
            model.named(&detail["axes"])?.into_iter().for_each(|axis| model.factors.push((axis, first)));
        } else {
            return None;
        }
        Some(Meaning::Changed)
    }
}

fn pair(value: &Value) -> Option<[f64; 2]> {
    let [a, b] = &value.as_array()?[..] else { return None };
    Some([a.as_f64()?, b.as_f64()?])
}
