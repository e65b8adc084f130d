//! The documents whose claims are settled, and how to cite what was found.
//!
//! A document is described by what it gives of itself, or what another of the five gives of it; what none gives is
//! *not given*. Nothing here comes from outside of them.

pub mod bibtex;

use serde::{Serialize, Serializer};
use std::fmt;

/// One of the five documents.
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
}

/// What is known of a document, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// What is given.
    pub text: &'static str,
    /// Where: in the document itself, or in which other.
    pub by: &'static str,
}

/// A document as its readers find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// A name for citations: lower case, hyphens.
    pub key: &'static str,
    /// What it is called here: its title or, for want of one, what it is.
    pub name: &'static str,
    /// What it is.
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
    /// All of them, in the order of the ledger.
    pub const ALL: [Self; 5] = [
        Self::LinearRelationships,
        Self::LectureNotes,
        Self::PositionalEmbedding,
        Self::HiddenBeauty,
        Self::SinesAndCosines,
    ];

    /// What the documents give of it.
    pub fn record(self) -> Record {
        let unknown = Record { key: "", name: "", kind: "", title: None, author: None, date: None, address: None };
        match self {
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
        }
    }

    /// What it is called here.
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
            assert!(one.record().key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
        }
    }

    #[test]
    fn a_title_in_json_is_what_a_document_is_called() {
        let json = serde_json::to_value(Document::HiddenBeauty).expect("a string");
        assert_eq!(json, "The Hidden Beauty of Sinusoidal Positional Encodings in Transformers");
    }

    #[test]
    fn every_claim_has_its_sources_here() {
        let cited: std::collections::BTreeSet<Document> = crate::claims::all()
            .into_iter()
            .flat_map(|entry| entry.about().sources.iter().map(|source| source.document))
            .collect();
        assert!(cited.into_iter().eq(Document::ALL), "each of the five is the source of a claim");
    }
}
