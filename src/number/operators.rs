//! The operator traits of a number type, from its named arithmetic.

/// Implements the operators and `num_traits` traits of a number type that has the inherent
/// functions `plus`, `minus`, `times`, `over`, `negated`, `nought` and `unit`.
///
/// No operation is inlined: the claims are compiled for every kind of system, and most of what the
/// compiler did was to optimise the same arithmetic at each place that asks for it.
macro_rules! number_operators {
    ($type:ty $(, [$($generics:tt)*])?) => {
        number_operators!(@binary $type, [$($($generics)*)?], Add add AddAssign add_assign plus);
        number_operators!(@binary $type, [$($($generics)*)?], Sub sub SubAssign sub_assign minus);
        number_operators!(@binary $type, [$($($generics)*)?], Mul mul MulAssign mul_assign times);
        number_operators!(@binary $type, [$($($generics)*)?], Div div DivAssign div_assign over);
        impl $(<$($generics)*>)? std::ops::Neg for $type {
            type Output = Self;
            #[inline(never)]
            fn neg(self) -> Self {
                self.negated()
            }
        }
        impl $(<$($generics)*>)? std::ops::Rem for $type {
            type Output = Self;
            /// The remainder of exact division: zero.
            fn rem(self, _: Self) -> Self {
                Self::nought()
            }
        }
        impl $(<$($generics)*>)? num_traits::Zero for $type {
            fn zero() -> Self {
                Self::nought()
            }
            fn is_zero(&self) -> bool {
                *self == Self::nought()
            }
        }
        impl $(<$($generics)*>)? num_traits::One for $type {
            fn one() -> Self {
                Self::unit()
            }
        }
        impl $(<$($generics)*>)? num_traits::Num for $type {
            type FromStrRadixErr = String;
            /// Reads an integer in the given radix.
            fn from_str_radix(text: &str, radix: u32) -> Result<Self, String> {
                let integer = i32::from_str_radix(text, radix).map_err(|error| error.to_string())?;
                Ok(Self::from(integer))
            }
        }
    };
    (@binary $type:ty, [$($generics:tt)*], $operator:ident $method:ident $assign:ident $assign_method:ident $named:ident) => {
        impl<$($generics)*> std::ops::$operator for $type {
            type Output = Self;
            #[inline(never)]
            fn $method(self, other: Self) -> Self {
                self.$named(&other)
            }
        }
        impl<$($generics)*> std::ops::$assign for $type {
            #[inline(never)]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$named(&other);
            }
        }
    };
}
