//! `encoding`: the simple alternatives, and how an encoding joins a token.

super::claims! {
    integer: Integer,
    fraction: Fraction,
    digit_cycle: DigitCycle,
    pair_or_sum: PairOrSum,
    disjoint_subspaces: DisjointSubspaces,
}
