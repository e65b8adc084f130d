//! `shift`: the linear relation T(k).

super::claims! {
    linearity: Linearity,
}
