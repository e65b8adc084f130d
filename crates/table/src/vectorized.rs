//! Loops without vector instructions of their own, compiled for each set of instructions.

use crate::instructions::Instructions;
use crate::isa::Isa;
use crate::simd::{Available, Work, dispatch};

/// A computation in plain arithmetic, which the compiler vectorises anew for each set of instructions; `run` must be
/// `#[inline(always)]`.
pub trait Loop {
    /// The computation.
    fn run(self);
}

/// Runs the computation as compiled for the given instructions, or portably where the processor lacks them.
pub fn vectorized<L: Loop>(instructions: Instructions, work: L) {
    struct Plain<L>(L);
    impl<L: Loop> Work for Plain<L> {
        const STREAMS: bool = false;

        #[inline(always)]
        fn run<I: Isa>(self, _: I) {
            self.0.run();
        }
    }
    dispatch(Available::new(instructions), Plain(work));
}
