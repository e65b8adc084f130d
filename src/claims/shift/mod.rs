//! `shift`: the linear relation T(k).

super::claims! {
    addition_theorems: AdditionTheorems,
    linearity: Linearity,
    block_structure: BlockStructure,
    rate: Rate,
    unique: Unique,
    group: Group,
    needs_both: NeedsBoth,
    rotary_transpose: RotaryTranspose,
    base_1000: Base1000,
}
