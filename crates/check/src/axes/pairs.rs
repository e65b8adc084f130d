//! Two causes at once: rows at other coordinates, and another law.

use super::alterations::Alteration;
use super::cells::cells;
use super::diagnosis::{Explaining, PredictedLaw};
use crate::Invalid;

impl<'a> Explaining<'a> {
    /// The first law, of those in the order of the simplest, and the first other coordinates under which every entry is within its bound.
    pub fn two(&self) -> Result<Option<[Alteration<'a>; 2]>, Invalid> {
        let case = self.case;
        let moved = |alteration: &Alteration<'_>| alteration.placement.is_moved(case.coordinates);
        let all = || self.all().filter(|alteration| !alteration.degraded);
        let places: Vec<_> = all().filter(moved).map(|place| place.placement.of(&self.sample.rows)).collect();
        for law in all().filter(|law| !moved(law)) {
            let Ok(made) = case.law.altered(&law.convention) else { continue };
            let Ok((cells, _)) = cells(case.subject, &made) else { continue };
            if made.slots() != case.law.slots() {
                continue;
            }
            let predicted = PredictedLaw::new(&made, case.slab() % made.heads());
            for (number, coordinates) in places.iter().enumerate() {
                let Some(coordinates) = coordinates else { continue };
                let near = self.sample.is_near(&cells, &predicted.at(coordinates));
                if !near || !self.sample.speaks(case, &made, coordinates)? {
                    continue;
                }
                let Some(place) = all().filter(moved).nth(number) else { continue };
                let Some(placed) = place.placement.all() else { continue };
                if case.left_under((&made, &placed), case.compute, case.storage)? == Some(0) {
                    let both = Alteration { placement: place.placement.clone(), ..law };
                    return Ok(Some([both, place]));
                }
            }
        }
        Ok(None)
    }
}
