//! `heads`: what single heads can do.

crate::claims::claims! {
    units: Units,
    irrational_turn: IrrationalTurn,
    diagonal: Diagonal,
    nope_diagonal: NopeDiagonal,
    semantic: Semantic,
    constant_input: ConstantInput,
}
