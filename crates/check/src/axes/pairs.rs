//! Two causes at once: rows at other coordinates, and another law.

use super::alterations::Alteration;
use super::cells::cells;
use super::diagnosis::{Explaining, PredictedLaw};
use crate::Invalid;

impl Explaining<'_> {
    /// The first law, of those in the order of the simplest, and the first other coordinates under which every entry is within its bound.
    pub fn two(&self) -> Result<Option<[Alteration; 2]>, Invalid> {
        let case = self.case;
        let moved = |alteration: &Alteration| alteration.coordinates != *case.coordinates;
        let all = self.all().into_iter().filter(|alteration| !alteration.degraded);
        let (places, laws): (Vec<Alteration>, Vec<Alteration>) = all.partition(moved);
        let sampled: Vec<_> = places.iter().map(|place| self.sample.of(&place.coordinates)).collect();
        for law in laws {
            let Ok(made) = case.law.altered(&law.convention) else { continue };
            let Ok((cells, _)) = cells(case.subject, &made) else { continue };
            if made.slots() != case.law.slots() {
                continue;
            }
            let predicted = PredictedLaw::new(&made, case.slab() % made.heads());
            for (place, coordinates) in places.iter().zip(&sampled) {
                let both = || Alteration { coordinates: place.coordinates.clone(), ..law.clone() };
                if self.sample.is_near(&cells, &predicted.at(coordinates)) && self.left(&both())? == Some(0) {
                    return Ok(Some([both(), place.clone()]));
                }
            }
        }
        Ok(None)
    }
}
