//! Where the entries of one axis stand in a row of several.

/// Slots that follow each other at equal distances: in blocks, or in turn with those of other axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The number of the first among the part's slots.
    at: usize,
    first: usize,
    count: usize,
    step: usize,
}

impl Run {
    /// The runs of some places, each as long as it can be.
    pub fn all(places: &[usize]) -> Vec<Self> {
        let mut runs: Vec<Self> = Vec::new();
        for (at, &place) in places.iter().enumerate() {
            match runs.last_mut() {
                Some(run) if run.count == 1 && place > run.first => (run.count, run.step) = (2, place - run.first),
                Some(run) if run.first + run.count * run.step == place => run.count += 1,
                _ => runs.push(Self { at, first: place, count: 1, step: 1 }),
            }
        }
        runs
    }

    /// Puts the entries of the part's slots in their places of a row.
    pub fn put<T: Copy>(self, own: &[T], row: &mut [T]) {
        let (own, row) = (&own[self.at..self.at + self.count], &mut row[self.first..]);
        match self.step {
            1 => row[..self.count].copy_from_slice(own),
            // Of known lengths, so that nothing is tested entry by entry.
            2 => strided::<T, 2>(own, row),
            3 => strided::<T, 3>(own, row),
            step => row.iter_mut().step_by(step).zip(own).for_each(|(entry, &own)| *entry = own),
        }
    }
}

fn strided<T: Copy, const STEP: usize>(own: &[T], row: &mut [T]) {
    let (whole, rest) = row.as_chunks_mut::<STEP>();
    let (last, own) = (own.get(whole.len()), &own[..own.len().min(whole.len())]);
    whole.iter_mut().zip(own).for_each(|(entries, &own)| entries[0] = own);
    if let Some((entry, &own)) = rest.first_mut().zip(last) {
        *entry = own;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_put_where_they_belong() {
        let cases: [(&[usize], usize); 8] = [
            (&[0, 3, 6, 7, 8, 9], 2),
            (&[1, 4, 7], 1),
            (&[5, 4, 2], 3),
            (&[0, 2, 4, 9, 14], 2),
            (&[7], 1),
            (&[], 0),
            (&[1, 3, 5, 7, 9, 11, 13, 15], 1),
            (&[3, 8, 13], 1),
        ];
        for (slots, runs) in cases {
            let found = Run::all(slots);
            assert_eq!(found.len(), runs, "{slots:?}: {found:?}");
            let own: Vec<usize> = slots.iter().map(|slot| 100 + slot).collect();
            let mut row = vec![0; 16];
            found.iter().for_each(|run| run.put(&own, &mut row));
            for (slot, entry) in row.into_iter().enumerate() {
                assert_eq!(entry, if slots.contains(&slot) { 100 + slot } else { 0 }, "{slots:?}");
            }
        }
    }
}
