//! Configurations that people run, in exact real arithmetic, and the programs that run them.

use super::program::{Path, Program};
use posproof_encoding::convention::Convention;
use posproof_encoding::scaling::Scaling;
use posproof_numerics::format::Format;

/// A configuration of a model.
#[derive(Clone, Debug)]
pub struct Configuration {
    /// Its name in reports: lower case, hyphens.
    pub name: &'static str,
    /// Its subject.
    pub about: &'static str,
    /// The convention, in exact real arithmetic.
    pub convention: Convention,
    /// The lengths of context that it is reported at, increasing.
    pub lengths: &'static [u64],
}

/// The configurations of the reports.
///
/// Parameters as published: Vaswani et al. 2017, section 3.5; the `config.json` of Llama 2 and 3, Llama 3.1
/// (`rope_scaling` of type llama3, factor 8 from 8192), Qwen2.5-1M and GPT-NeoX-20B (`rotary_pct` 0.25 of
/// 96). Linear and NTK scaling are shown as extensions of Llama 2 from 4096 to 32768, YaRN by the factor 4
/// from 32768 that Qwen2.5 documents.
pub fn configurations() -> Vec<Configuration> {
    let rope = |base: i64| Convention { base: base.into(), ..Convention::rope(128) };
    let scaled = |base: i64, scaling: Scaling| Convention { scaling: Some(scaling), ..rope(base) };
    let llama3 = Scaling::Llama3 {
        factor: 8.into(),
        low_freq_factor: 1.into(),
        high_freq_factor: 4.into(),
        original_max_position_embeddings: 8192,
    };
    let yarn = Scaling::Yarn {
        factor: 4.into(),
        original_max_position_embeddings: 32768,
        beta_fast: 32.into(),
        beta_slow: 1.into(),
        truncate: true,
        attention_factor: None,
        mscale: None,
        mscale_all_dim: None,
    };
    let neox = Convention { rotary_dim: Some(24), ..Convention::rope(96) };
    let entry = |name, about, convention, lengths| Configuration { name, about, convention, lengths };
    vec![
        entry(
            "transformer",
            "the original Transformer: dim 512, base 10000",
            Convention::sinusoid(512),
            &[512, 4096, LONGEST],
        ),
        entry("llama-2", "Llama 2: dim 128, base 10000", rope(10000), &[4096, 8192, LONGEST]),
        entry("llama-3", "Llama 3: dim 128, base 500000", rope(500_000), &[8192, LONGEST]),
        entry(
            "llama-3-scaled",
            "Llama 3.1: dim 128, base 500000, llama3 scaling by 8 from 8192",
            scaled(500_000, llama3),
            &[8192, LONGEST],
        ),
        entry("qwen-1m", "Qwen 1M: dim 128, base 10000000", rope(10_000_000), &[32768, LONGEST]),
        entry("gpt-neox", "GPT-NeoX: 24 of 96 dimensions rotated, base 10000", neox, &[2048, LONGEST]),
        entry(
            "linear",
            "dim 128, base 10000, linear scaling by 8",
            scaled(10000, Scaling::Linear { factor: 8.into() }),
            &[4096, 32768, LONGEST],
        ),
        entry(
            "ntk",
            "dim 128, base 10000·8^(128/126): NTK scaling by 8",
            scaled(10000, Scaling::Ntk { factor: 8.into() }),
            &[4096, 32768, LONGEST],
        ),
        entry("yarn", "dim 128, base 1000000, YaRN by 4 from 32768", scaled(1_000_000, yarn), &[32768, LONGEST]),
    ]
}

/// The longest context of the reports.
const LONGEST: u64 = 131072;

/// The programs that a configuration is surveyed with: everything in one format; binary32 angles stored in
/// a narrower format; and the ways in which frequencies are computed in binary32, where they are defined.
pub fn programs(convention: &Convention) -> Vec<Program> {
    let single = Program::rounded(Format::F32);
    let mut programs: Vec<Program> = Format::ALL.into_iter().map(Program::rounded).collect();
    programs.extend([Format::Bf16, Format::F16].map(|storage| Program { storage, ..single }));
    if matches!(convention.scaling, None | Some(Scaling::Linear { .. })) {
        programs.extend([Path::Pow, Path::Exp, Path::Repeated].map(|path| Program { path, ..single }));
    }
    programs
}
