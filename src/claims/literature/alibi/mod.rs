//! `alibi`: linear biases.

crate::claims::claims! {
    slopes: Slopes,
    recency: Recency,
}
