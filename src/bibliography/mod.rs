//! The documents whose claims are settled, and how to cite what was found.
//!
//! A document of the first ledger is described by what it gives of itself, or what another of the five gives of it;
//! what none gives is *not given*, and nothing comes from outside of them. The papers of the second are described by
//! their listings; what was read of each is said, because a verdict reaches no further.

pub mod bibtex;
mod literature;

use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A ledger: a list of claims that is settled as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ledger {
    /// The claims of five documents on positional encodings.
    Documents,
    /// Claims of the literature on RoPE and positional encodings.
    Literature,
}

impl Ledger {
    /// Both, in the order in which they are settled.
    pub const ALL: [Self; 2] = [Self::Documents, Self::Literature];

    /// The name on the command line and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Literature => "literature",
        }
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Ledger {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|ledger| ledger.name() == name);
        known.ok_or_else(|| {
            posproof_encoding::suggestion::unknown("ledger", name, Self::ALL.iter().map(|ledger| ledger.name()))
        })
    }
}

/// One of the five documents of the first ledger, or a paper of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Document {
    /// A post with equations (1) to (9), and its readers' comments.
    LinearRelationships,
    /// Lecture notes without a title.
    LectureNotes,
    /// Notes, with a derivation of RoPE.
    PositionalEmbedding,
    /// A post on dot products of encodings.
    HiddenBeauty,
    /// A post on RoPE by complex exponentials.
    SinesAndCosines,
    /// Attention Is All You Need, which introduces the Transformer, 2017.
    AttentionIsAllYouNeed,
    /// Encoding word order in complex embeddings, 2019.
    ComplexEmbeddings,
    /// On Position Embeddings in BERT, 2021.
    PositionEmbeddingsInBert,
    /// RoFormer, which introduces RoPE, 2021.
    RoFormer,
    /// Train Short, Test Long, which introduces ALiBi, 2021.
    Alibi,
    /// The Impact of Positional Encoding on Length Generalization, 2023.
    LengthGeneralization,
    /// Position interpolation, 2023.
    PositionInterpolation,
    /// Retentive Network, 2023.
    RetentiveNetwork,
    /// YaRN, 2023.
    Yarn,
    /// Effective Long-Context Scaling of Foundation Models, 2023.
    EffectiveLongContext,
    /// LongRoPE, 2024.
    LongRope,
    /// Base of RoPE Bounds Context Length, 2024.
    BaseBounds,
    /// A post on choosing RoPE's base, 2024.
    BaseSelection,
    /// Round and Round We Go!, 2024.
    RoundAndRound,
    /// BFloat16 Breaks Down RoPE, 2024.
    BFloat16Breaks,
    /// On the Emergence of Position Bias in Transformers, 2025.
    PositionBias,
    /// Rethinking RoPE, for N dimensions, 2025.
    RethinkingRope,
    /// Extending context by dropping positional embeddings, 2025.
    DroppingEmbeddings,
    /// RoPE as Phase Modulation, 2026.
    PhaseModulation,
    /// Compass-RoPE, 2026.
    CompassRope,
    /// A document that neither ledger has, for claims of one's own.
    Other(&'static Record),
}

/// Record of a document as it was given, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Given {
    /// The text.
    pub text: &'static str,
    /// Where: in the document itself, or in which other.
    pub by: &'static str,
}

/// A document as its readers find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Record {
    /// A name for citations: lower case, hyphens.
    pub key: &'static str,
    /// Its name here: its title or, for want of one, what it is.
    pub name: &'static str,
    /// Its kind.
    pub kind: &'static str,
    /// The title, as it stands in the document.
    pub title: Option<Given>,
    /// The author.
    pub author: Option<Given>,
    /// When it was written or published.
    pub date: Option<Given>,
    /// Where it is found.
    pub address: Option<Given>,
}

/// Words for what no document gives.
pub const NOT_GIVEN: &str = "not given";

/// Where a title that heads its document stands.
const HEADING: &str = "its heading";

const fn heading(text: &'static str) -> Option<Given> {
    Some(Given { text, by: HEADING })
}

impl Document {
    /// All of both ledgers: the documents of the first ledger, then the literature by the date of its first version.
    pub const ALL: [Self; 25] = [
        Self::LinearRelationships,
        Self::LectureNotes,
        Self::PositionalEmbedding,
        Self::HiddenBeauty,
        Self::SinesAndCosines,
        Self::AttentionIsAllYouNeed,
        Self::ComplexEmbeddings,
        Self::PositionEmbeddingsInBert,
        Self::RoFormer,
        Self::Alibi,
        Self::LengthGeneralization,
        Self::PositionInterpolation,
        Self::RetentiveNetwork,
        Self::Yarn,
        Self::EffectiveLongContext,
        Self::LongRope,
        Self::BaseBounds,
        Self::BaseSelection,
        Self::RoundAndRound,
        Self::BFloat16Breaks,
        Self::PositionBias,
        Self::RethinkingRope,
        Self::DroppingEmbeddings,
        Self::PhaseModulation,
        Self::CompassRope,
    ];

    /// The ledger whose claims it makes; none for a document that neither has.
    pub fn ledger(self) -> Option<Ledger> {
        match (self, literature::record(self)) {
            (Self::Other(_), _) => None,
            (_, Some(_)) => Some(Ledger::Literature),
            (_, None) => Some(Ledger::Documents),
        }
    }

    /// Record of it.
    pub fn record(self) -> Record {
        literature::record(self).unwrap_or_else(|| self.own_record())
    }

    /// Record of it by the documents of the first ledger.
    fn own_record(self) -> Record {
        let unknown = Record::new("", "", "");
        match self {
            Self::Other(record) => *record,
            Self::LinearRelationships => Record {
                key: "linear-relationships",
                name: "Linear Relationships in the Transformer's Positional Encoding",
                kind: "post with equations (1) to (9), and readers' comments",
                title: heading("Linear Relationships in the Transformer’s Positional Encoding"),
                author: Some(Given { text: "Timo", by: "readers' comments, which address the author by this name" }),
                address: Some(Given {
                    text: "https://timodenk.com/blog/linear-relationships-in-the-transformers-positional-encoding/",
                    by: "the lecture notes, which cite it for the proof of the linear relation",
                }),
                ..unknown
            },
            Self::LectureNotes => Record {
                key: "lecture-notes",
                name: "Lecture notes: why do we need to encode the position of an input token?",
                kind: "lecture notes, named here by their first line",
                ..unknown
            },
            Self::PositionalEmbedding => Record {
                key: "positional-embedding",
                name: "Transformer: positional embedding",
                kind: "notes, with a derivation of RoPE",
                title: heading("Transformer - positional embedding"),
                ..unknown
            },
            Self::HiddenBeauty => Record {
                key: "hidden-beauty",
                name: "The Hidden Beauty of Sinusoidal Positional Encodings in Transformers",
                kind: "post",
                title: heading("The Hidden Beauty of Sinusoidal Positional Encodings in Transformers"),
                ..unknown
            },
            Self::SinesAndCosines => Record {
                key: "sines-and-cosines",
                name: "Why Are Sines and Cosines Used For Positional Encoding?",
                kind: "post",
                title: heading("Why Are Sines and Cosines Used For Positional Encoding?"),
                ..unknown
            },
            _ => unknown,
        }
    }

    /// Its name here.
    pub fn title(self) -> &'static str {
        self.record().name
    }
}

impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.title())
    }
}

impl Record {
    /// A document of which nothing else is given.
    pub const fn new(key: &'static str, name: &'static str, kind: &'static str) -> Self {
        Self { key, name, kind, title: None, author: None, date: None, address: None }
    }

    /// Title, author, date and address, each by its name; what is not given is `None`.
    pub fn fields(&self) -> [(&'static str, Option<Given>); 4] {
        [("title", self.title), ("author", self.author), ("date", self.date), ("address", self.address)]
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_names_tell_the_documents_apart() {
        for one in Document::ALL {
            for other in Document::ALL.into_iter().filter(|other| *other != one) {
                assert_ne!(one.record().key, other.record().key);
                assert_ne!(one.title(), other.title());
            }
            assert!(one.record().key.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
        }
    }

    #[test]
    fn every_document_says_what_it_is() {
        for document in Document::ALL {
            let Record { key, name, kind, .. } = document.record();
            assert!(!key.is_empty() && !name.is_empty() && !kind.is_empty(), "{document:?}");
            assert_eq!(document.ledger() == Some(Ledger::Literature), kind.contains("; "), "{document:?}");
        }
    }

    #[test]
    fn a_title_in_json_is_what_a_document_is_called() {
        let json = serde_json::to_value(Document::HiddenBeauty).expect("a string");
        assert_eq!(json, "The Hidden Beauty of Sinusoidal Positional Encodings in Transformers");
    }
}
