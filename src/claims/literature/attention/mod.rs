//! `attention`: what scores are on average.

crate::claims::claims! {
    score_variance: ScoreVariance,
}
