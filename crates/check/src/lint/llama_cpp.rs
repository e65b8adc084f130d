//! llama.cpp's treatment of the weights of an architecture: which entries of a head it pairs.
//!
//! Facts read from ggml-org/llama.cpp: `llama_model_rope_type` in `src/llama-model.cpp` at commit 00342301d01a, and the
//! architectures' names in `src/llama-arch.cpp` at commit 00395eb285c7. There NORM pairs neighbours, NEOX and MROPE the halves of
//! the rotated part; an architecture that is not listed here is not judged.

use posproof_encoding::convention::Layout;

/// NORM: entries 2k and 2k + 1.
const NEIGHBOURS: [&str; 28] = [
    "llama",
    "llada",
    "llama4",
    "deci",
    "baichuan",
    "starcoder",
    "internlm2",
    "minicpm",
    "xverse",
    "command-r",
    "cohere2",
    "olmo",
    "arctic",
    "deepseek",
    "deepseek2",
    "plm",
    "chatglm",
    "glm4",
    "granite",
    "granitemoe",
    "granitehybrid",
    "chameleon",
    "bailingmoe",
    "neo-bert",
    "smollm3",
    "arcee",
    "ernie4_5",
    "ernie4_5-moe",
];

/// NEOX and MROPE: entries k and k + n/2 of the n that are rotated.
const HALVES: [&str; 52] = [
    "falcon",
    "falcon-h1",
    "grok",
    "dbrx",
    "bert",
    "jina-bert-v3",
    "nomic-bert",
    "nomic-bert-moe",
    "stablelm",
    "bitnet",
    "qwen",
    "qwen2",
    "dream",
    "qwen2moe",
    "qwen3",
    "qwen3moe",
    "qwen3next",
    "llada-moe",
    "olmo2",
    "olmoe",
    "phi2",
    "phi3",
    "phimoe",
    "plamo",
    "plamo2",
    "gemma",
    "gemma2",
    "gemma3",
    "gemma3n",
    "gemma-embedding",
    "starcoder2",
    "openelm",
    "gptneox",
    "codeshell",
    "orion",
    "nemotron",
    "exaone",
    "exaone4",
    "minicpm3",
    "bailingmoe2",
    "dots1",
    "hunyuan-moe",
    "gpt-oss",
    "hunyuan-dense",
    "lfm2",
    "lfm2moe",
    "smallthinker",
    "glm4moe",
    "seed_oss",
    "grovemoe",
    "apertus",
    "qwen2vl",
];

/// The pairing of an architecture; `None` for one that is not listed.
pub fn pairing(architecture: &str) -> Option<Layout> {
    if NEIGHBOURS.contains(&architecture) {
        Some(Layout::Interleaved)
    } else {
        HALVES.contains(&architecture).then_some(Layout::Halves)
    }
}
