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
        let all = || self.all().filter(|alteration| !alteration.degraded);
        // Of the coordinates of all rows only those of the sample are held.
        let places: Vec<_> = all().filter(moved).map(|place| self.sample.of(&place.coordinates)).collect();
        for law in all().filter(|law| !moved(law)) {
            let Ok(made) = case.law.altered(&law.convention) else { continue };
            let Ok((cells, _)) = cells(case.subject, &made) else { continue };
            if made.slots() != case.law.slots() {
                continue;
            }
            let predicted = PredictedLaw::new(&made, case.slab() % made.heads());
            for (number, coordinates) in places.iter().enumerate() {
                let near = self.sample.is_near(&cells, &predicted.at(coordinates));
                if !near || !self.sample.speaks(case, &made, coordinates)? {
                    continue;
                }
                let Some(place) = all().filter(moved).nth(number) else { continue };
                let both = Alteration { coordinates: place.coordinates.clone(), ..law.clone() };
                if case.left_under((&made, &both.coordinates), case.compute, case.storage)? == Some(0) {
                    return Ok(Some([both, place]));
                }
            }
        }
        Ok(None)
    }
}
