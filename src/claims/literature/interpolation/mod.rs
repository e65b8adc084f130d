//! `interpolation`: position interpolation.

crate::claims::claims! {
    log_inequality: LogInequality,
    error_bound: ErrorBound,
    taylor_form: TaylorForm,
    six_hundred: SixHundred,
    sum_exceeds_d: SumExceedsD,
    universal: Universal,
}
