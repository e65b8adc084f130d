//! posproof
pub mod claim;
pub mod claims;
pub mod cli;
pub mod encoding;
pub mod evidence;
pub mod nearest;
pub mod number;
pub mod report;
pub mod table;
