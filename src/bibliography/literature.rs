//! The papers of the second ledger, and one post, as their arXiv listings and headings give them.

use super::{Document, Given, Record};

/// Where the facts on a paper come from.
pub(super) const LISTING: &str = "its arXiv listing";

/// Where those on what is not on arXiv come from.
const REVIEWED: &str = "its conference's listing";

const fn listed(text: &'static str, by: &'static str) -> Option<Given> {
    Some(Given { text, by })
}

/// Where those on a post come from.
const POST: &str = "its heading on Scientific Spaces, archive 10122";

/// A paper on arXiv: citation key, title, authors, month of the first version, address, and what of it was read.
const fn paper(key: &'static str, [title, author, date, address]: [&'static str; 4], read: &'static str) -> Record {
    Record {
        key,
        name: title,
        kind: read,
        title: listed(title, LISTING),
        author: listed(author, LISTING),
        date: listed(date, LISTING),
        address: listed(address, LISTING),
    }
}

/// Record of a document of the literature; the five of the first ledger have nothing here.
pub(super) fn record(document: Document) -> Option<Record> {
    Some(match document {
        Document::AttentionIsAllYouNeed => paper(
            "attention-is-all-you-need",
            [
                "Attention Is All You Need",
                "Ashish Vaswani and Noam Shazeer and Niki Parmar and Jakob Uszkoreit and Llion Jones and Aidan N. Gomez and Łukasz Kaiser and Illia Polosukhin",
                "2017-06, NIPS 2017",
                "https://arxiv.org/abs/1706.03762",
            ],
            "paper; read in full",
        ),
        Document::ComplexEmbeddings => paper(
            "complex-embeddings",
            [
                "Encoding word order in complex embeddings",
                "Benyou Wang and Donghao Zhao and Christina Lioma and Qiuchi Li and Peng Zhang and Jakob Grue Simonsen",
                "2019-12, ICLR 2020",
                "https://arxiv.org/abs/1912.12333",
            ],
            "paper; section 2 read in full",
        ),
        Document::PositionEmbeddingsInBert => Record {
            key: "position-embeddings-in-bert",
            name: "On Position Embeddings in BERT",
            kind: "paper; read in its abstract, and its properties as quoted in a review of it",
            title: listed("On Position Embeddings in BERT", REVIEWED),
            author: listed(
                "Benyou Wang and Lifeng Shang and Christina Lioma and Xin Jiang and Hao Yang and Qun Liu and Jakob Grue Simonsen",
                REVIEWED,
            ),
            date: listed("ICLR 2021", REVIEWED),
            address: listed("https://openreview.net/forum?id=onxoVA9FxMw", REVIEWED),
        },
        Document::RoFormer => paper(
            "roformer",
            [
                "RoFormer: Enhanced Transformer with Rotary Position Embedding",
                "Jianlin Su and Yu Lu and Shengfeng Pan and Ahmed Murtadha and Bo Wen and Yunfeng Liu",
                "2021-04, version 5",
                "https://arxiv.org/abs/2104.09864v5",
            ],
            "paper; read in full",
        ),
        Document::Alibi => paper(
            "alibi",
            [
                "Train Short, Test Long: Attention with Linear Biases Enables Input Length Extrapolation",
                "Ofir Press and Noah A. Smith and Mike Lewis",
                "2021-08, ICLR 2022",
                "https://arxiv.org/abs/2108.12409",
            ],
            "paper; read in full",
        ),
        Document::LengthGeneralization => paper(
            "length-generalization",
            [
                "The Impact of Positional Encoding on Length Generalization in Transformers",
                "Amirhossein Kazemnejad and Inkit Padhi and Karthikeyan Natesan Ramamurthy and Payel Das and Siva Reddy",
                "2023-05, NeurIPS 2023",
                "https://arxiv.org/abs/2305.19466",
            ],
            "paper; theorems and proofs read",
        ),
        Document::PositionInterpolation => paper(
            "position-interpolation",
            [
                "Extending Context Window of Large Language Models via Positional Interpolation",
                "Shouyuan Chen and Sherman Wong and Liangjian Chen and Yuandong Tian",
                "2023-06, version 2",
                "https://arxiv.org/abs/2306.15595v2",
            ],
            "paper; read in full",
        ),
        Document::RetentiveNetwork => paper(
            "retentive-network",
            [
                "Retentive Network: A Successor to Transformer for Large Language Models",
                "Yutao Sun and Li Dong and Shaohan Huang and Shuming Ma and Yuqing Xia and Jilong Xue and Jianyong Wang and Furu Wei",
                "2023-07",
                "https://arxiv.org/abs/2307.08621",
            ],
            "paper; section 2 read",
        ),
        Document::Yarn => paper(
            "yarn",
            [
                "YaRN: Efficient Context Window Extension of Large Language Models",
                "Bowen Peng and Jeffrey Quesnelle and Honglu Fan and Enrico Shippole",
                "2023-08, version 2",
                "https://arxiv.org/abs/2309.00071v2",
            ],
            "paper; read in full, with the code of the ramp as several public models carry it",
        ),
        Document::EffectiveLongContext => paper(
            "effective-long-context",
            [
                "Effective Long-Context Scaling of Foundation Models",
                "Wenhan Xiong and Jingyu Liu and Igor Molybog and Hejia Zhang and Prajjwal Bhargava and Rui Hou and Louis Martin and Rashi Rungta and Karthik Abinav Sankararaman and Barlas Oguz and Madian Khabsa and Han Fang and Yashar Mehdad and Sharan Narang and Kshitiz Malik and Angela Fan and Shruti Bhosale and Sergey Edunov and Mike Lewis and Sinong Wang and Hao Ma",
                "2023-09",
                "https://arxiv.org/abs/2309.16039",
            ],
            "paper; section 4.1 and the appendix with Theorem 1 read",
        ),
        Document::LongRope => paper(
            "longrope",
            [
                "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens",
                "Yiran Ding and Li Lyna Zhang and Chengruidong Zhang and Yuanyuan Xu and Ning Shang and Jiahang Xu and Fan Yang and Mao Yang",
                "2024-02",
                "https://arxiv.org/abs/2402.13753",
            ],
            "paper; sections 2 and 3 read",
        ),
        Document::BaseBounds => paper(
            "base-bounds",
            [
                "Base of RoPE Bounds Context Length",
                "Xin Men and Mingyu Xu and Bingning Wang and Qingyu Zhang and Hongyu Lin and Xianpei Han and Weipeng Chen",
                "2024-05, NeurIPS 2024",
                "https://arxiv.org/abs/2405.14591",
            ],
            "paper; read in its abstract and Figure 1, its table as quoted in a post on it (Scientific Spaces, archive 10122)",
        ),
        Document::BaseSelection => Record {
            key: "base-selection",
            name: "RoPE's base selection",
            kind: "post (in Chinese, title translated); read in full",
            title: None,
            author: listed("Jianlin Su", POST),
            date: listed("2024-05-29", POST),
            address: listed("https://spaces.ac.cn/archives/10122", POST),
        },
        Document::RoundAndRound => paper(
            "round-and-round",
            [
                "Round and Round We Go! What makes Rotary Positional Encodings useful?",
                "Federico Barbero and Alex Vitvitskyi and Christos Perivolaropoulos and Razvan Pascanu and Petar Veličković",
                "2024-10, version 3, ICLR 2025",
                "https://arxiv.org/abs/2410.06205v3",
            ],
            "paper; read in full",
        ),
        Document::BFloat16Breaks => paper(
            "bfloat16-breaks",
            [
                "When Precision Meets Position: BFloat16 Breaks Down RoPE in Long-Context Training",
                "Haonan Wang and Qian Liu and Chao Du and Tongyao Zhu and Cunxiao Du and Kenji Kawaguchi and Tianyu Pang",
                "2024-11, TMLR 2025",
                "https://arxiv.org/abs/2411.13476",
            ],
            "paper; read in its abstract only",
        ),
        Document::PositionBias => paper(
            "position-bias",
            [
                "On the Emergence of Position Bias in Transformers",
                "Xinyi Wu and Yifei Wang and Stefanie Jegelka and Ali Jadbabaie",
                "2025-02, ICML 2025",
                "https://arxiv.org/abs/2502.01951",
            ],
            "paper; section 4 read",
        ),
        Document::RethinkingRope => paper(
            "rethinking-rope",
            [
                "Rethinking RoPE: A Mathematical Blueprint for N-dimensional Positional Embedding",
                "Haiping Liu and Lijing Lin and Jingyuan Sun and Zhegong Shangguan and Mauricio A. Alvarez and Hongpeng Zhou",
                "2025-04, version 2",
                "https://arxiv.org/abs/2504.06308",
            ],
            "paper; read in the abstracts of its two versions only",
        ),
        Document::DroppingEmbeddings => paper(
            "dropping-embeddings",
            [
                "Extending the Context of Pretrained LLMs by Dropping Their Positional Embeddings",
                "Yoav Gelberg and Koshi Eguchi and Takuya Akiba and Edoardo Cetin",
                "2025-12",
                "https://arxiv.org/abs/2512.12167",
            ],
            "paper; section 3 read",
        ),
        Document::PhaseModulation => paper(
            "phase-modulation",
            [
                "Rotary Positional Embeddings as Phase Modulation: Theoretical Bounds on the RoPE Base for Long-Context Transformers",
                "Feilong Liu",
                "2026-02",
                "https://arxiv.org/abs/2602.10959",
            ],
            "paper; read in its abstract and in a summary with its formulas only",
        ),
        Document::CompassRope => Record {
            key: "compass-rope",
            name: "Compass-RoPE: Isotropic Rotary Position Embeddings for Vision Transformers",
            kind: "paper; read in its abstract only",
            title: listed("Compass-RoPE: Isotropic Rotary Position Embeddings for Vision Transformers", REVIEWED),
            author: None,
            date: listed("ICML 2026", REVIEWED),
            address: listed("https://icml.cc/virtual/2026/poster/62023", REVIEWED),
        },
        Document::LinearRelationships
        | Document::LectureNotes
        | Document::PositionalEmbedding
        | Document::HiddenBeauty
        | Document::SinesAndCosines
        | Document::Other(_) => return None,
    })
}
