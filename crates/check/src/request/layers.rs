//! Kinds of layers that a request leaves open.

use super::Refused;
use crate::{Expectation, Grade, Invalid};
use posproof_table::Positions;

/// Kinds of layers that a request leaves open, and what each of them has.
#[derive(Clone, Debug)]
pub struct Layers<T> {
    first: (Option<String>, T),
    others: Vec<(Option<String>, T)>,
}

impl<T> Layers<T> {
    pub(super) fn of(mut all: impl Iterator<Item = Result<(Option<String>, T), Refused>>) -> Result<Self, Refused> {
        let first = all.next().unwrap_or_else(|| Err(Refused::Layers(Vec::new())))?;
        Ok(Self { first, others: all.collect::<Result<_, _>>()? })
    }

    /// Of one kind.
    pub(super) fn one(of: T) -> Self {
        Self { first: (None, of), others: Vec::new() }
    }

    /// Of the first kind.
    pub(super) fn first(&self) -> &T {
        &self.first.1
    }

    /// The only one.
    ///
    /// # Errors
    ///
    /// Where there are several kinds of layers.
    pub fn only(&self) -> Result<&T, Refused> {
        if self.others.is_empty() {
            return Ok(&self.first.1);
        }
        let all = std::iter::once(&self.first).chain(&self.others);
        Err(Refused::Layers(all.filter_map(|(layers, _)| layers.clone()).collect()))
    }

    /// The judgement under the one that fits best; with the choice in words, if there was one. Of equal grades it is
    /// the first.
    ///
    /// # Errors
    ///
    /// The first error, where nothing is judged.
    pub fn fitting<R>(
        &self,
        judge: impl Fn(&T) -> Result<R, Invalid>,
        grade: impl Fn(&R) -> Grade,
    ) -> Result<(R, Option<String>), Invalid> {
        let mut told = Vec::new();
        let mut judged = |(layers, expectation): &(Option<String>, T)| {
            let layers = layers.as_deref().unwrap_or_default().to_owned();
            let judged = judge(expectation);
            let answer = judged.as_ref().map_or_else(ToString::to_string, |judged| grade(judged).name().to_owned());
            told.push(format!("{layers}: {answer}"));
            judged.map(|judged| (layers, judged))
        };
        let mut best = judged(&self.first);
        for other in &self.others {
            best = match (best, judged(other)) {
                (Ok((_, best)), Ok(other)) if grade(&other.1) < grade(&best) => Ok(other),
                (Err(_), Ok(other)) => Ok(other),
                (best, _) => best,
            };
        }
        let (layers, judged) = best?;
        let chosen = format!("no layer was stated: judged as {layers}, which fits best ({})", told.join("; "));
        Ok((judged, (!self.others.is_empty()).then_some(chosen)))
    }
}

impl Layers<Expectation> {
    /// The positions of the rows, if they are stated.
    pub fn positions(&self) -> Option<&Positions> {
        self.first().positions.as_ref()
    }
}
