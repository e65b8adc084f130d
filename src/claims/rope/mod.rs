//! `rope`: rotary encoding.

super::claims! {
    relative_position: RelativePosition,
}
