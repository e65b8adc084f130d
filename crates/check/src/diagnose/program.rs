//! A faulty program's entries: a hypothesis, as a program with one stage after another.

use super::super::circle::turn;
use super::super::compare::{EVIDENCE, Scope, VACUOUS};
use super::super::faults::Span;
use super::super::reference::Program;
use super::super::row::exceeds;
use super::super::sample::Phasors;
use super::laws::{PerToken, Powers, Quotient};
use super::placement::Placement;
use super::stage::{Narrow, Turns, Tweak};
use posproof_bound::Allowance;
use posproof_encoding::Law;
use posproof_encoding::convention::{Component, Convention};
use posproof_numerics::format::Format;

/// A program: entry(angle(placement(p), frequency(k))).
#[derive(Clone, Debug)]
pub struct Stages {
    pub law: Law,
    pub gain: f64,
    pub omega: Vec<f64>,
    /// Change from row to row.
    pub per_token: Option<PerToken>,
    /// Those of the sines, where they are others.
    pub sine_omega: Option<Vec<f64>>,
    /// Offset of the sines' position.
    pub sine_shift: f64,
    pub placement: Placement,
    pub narrow: Option<Narrow>,
    pub turns: Turns,
    pub tweak: Option<Tweak>,
    pub powers: Option<Powers>,
    /// Angles that are powers of a quotient, in place of products.
    pub quotient: Option<Quotient>,
    /// The pairs and the component that the tweak concerns; all if none.
    pub part: (Option<Span>, Option<Component>),
    /// Relative error of an honest frequency, and of angles beyond that which the hypothesis leaves open.
    pub relative: Vec<f64>,
    pub open: f64,
    /// Unit roundoff of the format that positions are computed in: products with whole ones are exact, with fractions they are not.
    pub unit: f64,
}

impl Stages {
    /// An honest program of a convention with these frequencies.
    pub fn honest(convention: &Convention, omega: &[f64], allowance: &Allowance) -> Self {
        let relative = omega.iter().enumerate().map(|(k, w)| if *w > 0.0 { allowance.slope(k) / w } else { 0.0 });
        Self {
            law: Law::new(convention),
            gain: convention.gain().enclose(64).approximate(),
            omega: omega.to_vec(),
            per_token: None,
            sine_omega: None,
            sine_shift: 0.0,
            placement: Placement::Stated,
            narrow: None,
            turns: Turns::Exact,
            tweak: None,
            powers: None,
            quotient: None,
            part: (None, None),
            relative: relative.collect(),
            open: 0.0,
            unit: 0.0,
        }
    }

    /// The frequencies that angles are made of, and what else is rounded.
    pub fn narrowed(&self) -> (Vec<f64>, Option<Narrow>) {
        let Some(narrow) = self.narrow.filter(|narrow| narrow.frequency) else {
            return (self.omega.clone(), self.narrow);
        };
        let omega = self.omega.iter().map(|omega| narrow.format.round(*omega)).collect();
        let rest = Narrow { frequency: false, ..narrow };
        (omega, Some(rest).filter(|rest| rest.position || rest.angle || rest.entry))
    }

    /// The angle of a row and a pair, counter-clockwise, with what lies next to a tie rounded in one of [`Self::ways`].
    pub fn angle(&self, slab: usize, position: u64, pair: usize, way: usize) -> f64 {
        let ratio = self.per_token.map_or(1.0, |rule| rule.ratio(position, pair));
        self.angle_of(self.law.effective(self.placement.of(slab, position)), self.omega[pair] * ratio, pair, way)
    }

    /// The same at an effective position.
    fn angle_of(&self, t: f64, omega: f64, pair: usize, way: usize) -> f64 {
        let angle = match self.narrow {
            None => self.quotient.as_ref().map_or(t * omega, |quotient| quotient.angle(t, pair)),
            Some(Narrow { format, position, frequency, angle, .. }) => {
                // Honest errors before a rounding decide next to a tie: of the frequency, and then of the product.
                let relative = self.relative.get(pair).copied().unwrap_or(0.0);
                let nudged = |x: f64, up: bool| x * (1.0 + if up { relative } else { -relative });
                let t = if position { format.round(t) } else { t };
                let omega = if frequency { format.round(nudged(omega, way & self.bit(0) != 0)) } else { omega };
                let product = t * omega;
                if angle { format.round(nudged(product, way & self.bit(1) != 0)) } else { product }
            }
        };
        // An honest error decides next to a tie.
        let error = angle * self.relative.get(pair).copied().unwrap_or(0.0);
        self.turns.reduce(angle, if way >= self.bit(6) { error } else { -error })
    }

    /// Cosines and sines of a row, counter-clockwise and of amplitude 1.
    fn units(&self, slab: usize, position: u64, way: usize, (cosines, sines): (&mut [f64], &mut [f64])) {
        let placed = self.placement.of(slab, position);
        let t = self.law.effective(placed);
        let ratio = |pair: usize| self.per_token.map_or(1.0, |rule| rule.ratio(position, pair));
        let of_their_own = self.sine_omega.is_some() || self.sine_shift != 0.0;
        if of_their_own {
            // Angles of which the cosines are not asked for, unless they are read for sines.
            let others = self.sine_omega.as_ref().unwrap_or(&self.omega);
            let [own, next] = [0.0, 1.0].map(|rows| self.law.effective(placed + self.sine_shift + rows));
            let t = |pair| if self.taken(Component::Sin, pair, others.len()).0 == 0 { own } else { next };
            let angles = others.iter().enumerate().map(|(pair, omega)| self.angle_of(t(pair), *omega, pair, way));
            let mut angles: Vec<f64> = angles.collect();
            turn(&mut angles, sines);
            self.read(Component::Sin, sines, &angles);
        }
        if self.narrow.is_none() && self.turns == Turns::Exact && self.per_token.is_none() && self.quotient.is_none() {
            cosines.iter_mut().zip(&self.omega).for_each(|(angle, omega)| *angle = t * omega);
        } else {
            for ((pair, angle), omega) in cosines.iter_mut().enumerate().zip(&self.omega) {
                *angle = self.angle_of(t, *omega * ratio(pair), pair, way);
            }
        }
        let angles = if let Turns::Between { .. } = self.turns { cosines.to_vec() } else { Vec::new() };
        if of_their_own {
            let mut others = vec![0.0; cosines.len()];
            turn(cosines, &mut others);
            self.read(Component::Cos, cosines, &others);
        } else {
            turn(cosines, sines);
        }
        self.turns.tell(&angles, cosines, sines);
        if let Some(Narrow { format, entry: true, .. }) = self.narrow {
            self.round(format, t, way, (&mut *cosines, &mut *sines));
        }
        if let Some(powers) = &self.powers {
            for (pair, (cos, sin)) in cosines.iter_mut().zip(sines.iter_mut()).enumerate() {
                let by = powers.of(position, pair);
                (*cos, *sin) = (by * *cos, by * *sin);
            }
        }
        if let Some(tweak) = self.tweak {
            for (pair, (cos, sin)) in cosines.iter_mut().zip(sines.iter_mut()).enumerate() {
                (*cos, *sin) = self.tweaked(tweak, position, pair, (*cos, *sin));
            }
        }
        if let Some(Tweak::Dropped(_)) = self.tweak {
            let way = way / self.bit(6);
            for entries in
                [cosines, sines].into_iter().enumerate().filter(|(at, _)| way >> at & 1 == 1).map(|(_, of)| of)
            {
                entries.fill(0.0);
            }
        }
    }

    /// The entry of the cache that is taken for a component of a pair, of so many: rows after its own, component and pair.
    fn taken(&self, component: Component, pair: usize, pairs: usize) -> (usize, Component, usize) {
        let own = (0, component, pair);
        // What is a zero has the frequency 0.
        if let Some(Tweak::Read(read)) = self.tweak { read.taken(component, pair, pairs).unwrap_or(own) } else { own }
    }

    /// Puts the other component where that is what is read.
    fn read(&self, component: Component, entries: &mut [f64], others: &[f64]) {
        for (pair, (entry, other)) in entries.iter_mut().zip(others).enumerate() {
            if self.taken(component, pair, others.len()).1 != component {
                *entry = *other;
            }
        }
    }

    fn tweaked(&self, tweak: Tweak, position: u64, pair: usize, (cos, sin): (f64, f64)) -> (f64, f64) {
        if self.part.0.is_some_and(|pairs| !pairs.contains(pair)) {
            return (cos, sin);
        }
        let (on_cos, on_sin) = match self.part.1 {
            None => (true, true),
            Some(component) => (component == Component::Cos, component == Component::Sin),
        };
        match tweak {
            Tweak::Times(by) => (if on_cos { by * cos } else { cos }, if on_sin { by * sin } else { sin }),
            Tweak::Unsigned => {
                // The amplitude, and the direction of a sine, are applied later.
                let unsigned = |x: f64, sense: f64| (self.gain * sense).signum() * x.abs();
                let sense = self.law.sense();
                (if on_cos { unsigned(cos, 1.0) } else { cos }, if on_sin { unsigned(sin, sense) } else { sin })
            }
            Tweak::Parity(first) if position % 2 == first => (sin, sin),
            Tweak::Parity(_) => (cos, cos),
            // The direction of a sine is applied later.
            Tweak::Exchanged => (self.law.sense() * sin, self.law.sense() * cos),
            Tweak::Ones if self.omega.get(pair) == Some(&0.0) => (cos, 1.0),
            Tweak::Dropped(_) | Tweak::Read(_) | Tweak::Ones => (cos, sin),
        }
    }

    /// Number of phasors of a sample, divided by the amplitude, that are not as predicted: gives up beyond a limit. Where any
    /// number would do, nothing is predicted; a hypothesis that predicts hardly anything fits nothing.
    pub fn misfits(&self, slab: usize, phasors: &Phasors, allowance: &Allowance, limit: usize) -> usize {
        let (mut missed, mut vacuous) = (0, 0);
        let (mut cosines, mut sines) = (vec![0.0; phasors.pairs], vec![0.0; phasors.pairs]);
        let (mut near, mut tolerances) = (vec![false; phasors.pairs], vec![0.0; phasors.pairs]);
        for row in (0..phasors.positions.len()).rev() {
            let position = phasors.positions[row];
            let t = self.reach(slab, position);
            tolerances.fill(0.0);
            self.slack(position, &mut tolerances);
            for (pair, tolerance) in tolerances.iter_mut().enumerate() {
                *tolerance = phasors.noise(allowance, (row, pair), (t, 1.0)) + *tolerance / self.gain.abs();
            }
            near.fill(false);
            for way in 0..self.ways() {
                if near.iter().all(|near| *near) {
                    break;
                }
                self.units(slab, position, way, (&mut cosines, &mut sines));
                for (pair, near) in near.iter_mut().enumerate().filter(|(_, near)| !**near) {
                    let tolerance = tolerances[pair];
                    let far = |found: Option<f64>, right: f64| {
                        // What is no number is a finding of its own.
                        let found = found.filter(|found| found.is_finite());
                        found.is_some_and(|found| exceeds((found - right).abs(), tolerance))
                    };
                    *near = !far(phasors.cos(row, pair), cosines[pair]) && !far(phasors.sin(row, pair), sines[pair]);
                }
            }
            for (near, tolerance) in near.iter().zip(&tolerances) {
                let says_nothing = *tolerance >= VACUOUS;
                vacuous += usize::from(says_nothing);
                if limit > 0 && says_nothing || !near {
                    missed += 1;
                    if missed > limit {
                        return missed;
                    }
                }
            }
        }
        let total = phasors.positions.len() * phasors.pairs;
        if EVIDENCE as usize * (total - vacuous) < total { limit + 1 } else { missed }
    }

    /// The sum of the squares of what a sample's phasors, divided by the amplitude, are off by, in units of their noise.
    pub fn distance(&self, slab: usize, phasors: &Phasors, allowance: &Allowance) -> f64 {
        let (mut cosines, mut sines) = (vec![0.0; phasors.pairs], vec![0.0; phasors.pairs]);
        let mut sum = 0.0;
        for (row, &position) in phasors.positions.iter().enumerate() {
            let t = self.reach(slab, position);
            self.units(slab, position, 0, (&mut cosines, &mut sines));
            for pair in 0..phasors.pairs {
                let noise = phasors.noise(allowance, (row, pair), (t, 1.0));
                let found = [(phasors.cos(row, pair), cosines[pair]), (phasors.sin(row, pair), sines[pair])];
                let off = found.into_iter().filter_map(|(found, right)| Some((found? - right) / noise));
                sum += off.filter(|off| off.is_finite()).map(|off| off * off).sum::<f64>();
            }
        }
        sum
    }

    /// The magnitude of the sum that programs round: of the row's position, or of that which it was computed for if this is further; of the
    /// latter alone where it is listed. A number for each row fits what the bound of a far position leaves open.
    fn reach(&self, slab: usize, position: u64) -> f64 {
        let placed = self.placement.of(slab, position).abs();
        let listed = matches!(self.placement, Placement::Listed(_));
        self.law.reach(if listed { placed } else { placed.max(position as f64) })
    }

    /// In how many ways numbers next to a tie may be rounded: either way for each of frequency and angle, and for cosines and sines as
    /// they are, too, or for parts of a turn. Of entries that may be dropped each is there or not.
    fn ways(&self) -> usize {
        let dropped = matches!(self.tweak, Some(Tweak::Dropped(_)));
        self.bit(6)
            * if dropped { 4 } else { 1 + usize::from(matches!(self.turns, Turns::Parts { .. } | Turns::By { .. })) }
    }

    /// The bit of a way that decides how the step of this number is rounded: the frequency's, the angle's, two of the cosine, two of
    /// the sine; steps that are not rounded have none.
    fn bit(&self, step: usize) -> usize {
        let Some(Narrow { frequency, angle, entry, .. }) = self.narrow else { return 1 };
        1 << [frequency, angle, entry, entry, entry, entry].into_iter().take(step).filter(|rounds| *rounds).count()
    }

    /// Cosines and sines that are rounded before vectors are rotated with them.
    fn round(&self, format: Format, t: f64, way: usize, (cosines, sines): (&mut [f64], &mut [f64])) {
        let gain = self.gain;
        let has = |step: usize| way & self.bit(step) != 0;
        // By how many errors a number is off before it is rounded.
        let errors = |step: usize| f64::from(i8::from(has(step)) - i8::from(has(step + 1)));
        let (of_cos, of_sin) = (errors(2), errors(4));
        for (pair, (cos, sin)) in cosines.iter_mut().zip(sines).enumerate() {
            let of = |all: &[f64]| all.get(pair).copied().unwrap_or(0.0);
            let error = t.abs() * of(&self.omega) * of(&self.relative) + 4.0 * Format::F32.unit_roundoff();
            let rounded = |x: f64, errors: f64| {
                let nudge = if errors == 0.0 { 0.0 } else { errors * error };
                format.round(gain * (x + nudge)) / gain
            };
            (*cos, *sin) = (rounded(*cos, of_cos), rounded(*sin, of_sin));
        }
    }

    /// Raises the numbers of each pair of a row to the roundings of binary64: of the effective position and the product; what the
    /// cosine or sine is off by, and that times the gain.
    fn slack(&self, position: u64, out: &mut [f64]) {
        let own = self.law.effective(position as f64).abs();
        let placed = self.placement.of(0, position);
        let next = if let Some(Tweak::Read(_)) = self.tweak { 1.0 } else { 0.0 };
        let [cosines, sines] = [placed, placed + self.sine_shift + next].map(|p| self.law.effective(p).abs());
        let t = own.max(cosines).max(sines);
        // The fraction, what it is multiplied by and added to, and the product.
        let fraction = if placed.fract() == 0.0 { 0.0 } else { 3.0 * self.unit };
        let (gain, of) = (self.gain.abs(), |all: &[f64], pair: usize| all.get(pair).copied().unwrap_or(0.0));
        let again = if let Some(Tweak::Dropped(unit)) = self.tweak { 2.0 * unit } else { 0.0 };
        let (unsigned, of_sines) = (self.tweak == Some(Tweak::Unsigned), self.part.1 == Some(Component::Sin));
        let rounded = |first: f64, omega: f64| {
            first + 8.0 * f64::EPSILON * (t * omega + 1.0) + fraction * t * omega + self.open * (t * omega).max(1.0)
        };
        let pairs = self.omega.len().min(out.len());
        if t == own && self.powers.is_none() && self.sine_omega.is_none() && !unsigned {
            let (of_pairs, others) = out.split_at_mut(pairs);
            of_pairs.iter_mut().zip(&self.omega).for_each(|(out, omega)| *out = out.max(gain * rounded(again, *omega)));
            others.iter_mut().for_each(|out| *out = out.max(gain * rounded(again, 0.0)));
            return;
        }
        for (pair, out) in out.iter_mut().enumerate() {
            let omega = of(&self.omega, pair);
            let omega = self.sine_omega.as_ref().map_or(omega, |sines| omega.max(of(sines, pair)));
            // Angles are honest up to a position's own: another one may be further.
            let further = (t - own).max(0.0) * of(&self.relative, pair) * omega;
            let grown = self
                .powers
                .as_ref()
                .map_or(0.0, |powers| powers.of(position, pair) * (powers.unit + t * omega * of(&self.relative, pair)));
            // √(1 − c²) of a cosine that is rounded to binary32, and of the roundings of square and difference.
            let rooted = if unsigned {
                let u = 4.0 * Format::F32.unit_roundoff();
                let [cos, sin] = [(t * omega).cos(), (t * omega).sin()].map(f64::abs);
                (2.0 * u).sqrt().min(u / if of_sines { sin } else { cos })
            } else {
                0.0
            };
            *out = out.max(gain * (rounded(again + rooted, omega) + further + grown));
        }
    }
}

/// Programs one after the other, each from some tables and rows on in place of those before.
pub struct LayeredPrograms(pub Vec<(Option<Scope>, Stages)>);

impl LayeredPrograms {
    fn at(&self, slab: usize, row: usize) -> Option<&Stages> {
        let holds = |scope: &Option<Scope>| scope.is_none_or(|s| s.slabs.contains(slab) && s.rows.contains(row));
        self.0.iter().rev().find(|(scope, _)| holds(scope)).map(|(_, stages)| stages)
    }
}

impl Program for LayeredPrograms {
    fn row(&self, slab: usize, row: usize, position: u64, way: usize, out: &mut [f64]) {
        let Some(stages) = self.at(slab, row) else { return };
        let (cosines, sines) = out.split_at_mut(out.len() / 2);
        stages.units(slab, position, way, (cosines, sines));
        let (gain, sense) = (stages.gain, stages.law.sense());
        cosines.iter_mut().for_each(|cos| *cos *= gain);
        sines.iter_mut().for_each(|sin| *sin *= gain * sense);
    }

    fn ways(&self) -> usize {
        self.0.iter().map(|(_, stages)| stages.ways()).max().unwrap_or(1)
    }

    fn repeats(&self, slab: usize, rows: [usize; 2], positions: [u64; 2]) -> bool {
        let [Some(one), Some(other)] = rows.map(|row| self.at(slab, row)) else { return false };
        let [here, there] = positions.map(|position| one.placement.of(slab, position));
        let parity = matches!(one.tweak, Some(Tweak::Parity(_)));
        let by_position_only = one.per_token.is_none() && one.powers.is_none() && !parity;
        std::ptr::eq(one, other) && by_position_only && here == there
    }

    fn reach(&self, slab: usize, row: usize, position: u64) -> Option<f64> {
        self.at(slab, row).map(|stages| stages.reach(slab, position))
    }

    fn slack(&self, position: u64, out: &mut [f64]) {
        out.fill(0.0);
        for (_, stages) in &self.0 {
            stages.slack(position, out);
        }
    }
}
