//! posproof
