//! `longrope`: LongRoPE.

crate::claims::claims! {
    start_tokens: StartTokens,
}
