//! The instruction sets that the kernel is written for.

use std::sync::LazyLock;

/// Which instructions the kernel uses. Every level gives the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instructions {
    /// The target's baseline.
    Portable,
    /// AVX2 with FMA and F16C.
    Avx2,
    /// AVX-512 F, BW, DQ and VL.
    Avx512,
}

impl Instructions {
    /// Every level.
    pub const ALL: [Instructions; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The best level that this processor has, asked once.
    pub fn detect() -> Self {
        static BEST: LazyLock<Instructions> = LazyLock::new(best);
        *BEST
    }

    /// True if this processor has the instructions: each level has those before it.
    pub fn is_available(self) -> bool {
        self <= Self::detect()
    }
}

#[cfg(target_arch = "x86_64")]
fn best() -> Instructions {
    let avx2 = std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("fma")
        && std::arch::is_x86_feature_detected!("f16c");
    let avx512 = std::arch::is_x86_feature_detected!("avx512f")
        && std::arch::is_x86_feature_detected!("avx512bw")
        && std::arch::is_x86_feature_detected!("avx512dq")
        && std::arch::is_x86_feature_detected!("avx512vl");
    match (avx2, avx512) {
        (true, true) => Instructions::Avx512,
        (true, false) => Instructions::Avx2,
        (false, _) => Instructions::Portable,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn best() -> Instructions {
    Instructions::Portable
}

/// Instructions that the processor has been found to have.
#[derive(Clone, Copy, Debug)]
pub struct Available(Instructions);

impl Available {
    /// The given instructions, or the portable ones where the processor lacks them.
    pub fn new(instructions: Instructions) -> Self {
        Self(if instructions.is_available() { instructions } else { Instructions::Portable })
    }
    /// Which they are.
    pub fn kind(self) -> Instructions {
        self.0
    }
}
