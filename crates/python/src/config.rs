//! Configurations of models: objects with `to_dict()`, dictionaries, paths.

use super::array::kind;
use super::errors::{InvalidInput, invalid, keywords, option};
use super::values::dumped;
use posproof_encoding::axes::AxialConvention;
use posproof_encoding::model::{InvalidConfig, Model, Problem, Stated};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};

/// A configuration, and what it is called in messages.
pub struct Configuration {
    /// Its meaning.
    pub model: Model,
    /// `config`, or its path.
    pub name: String,
}

/// Where a configuration is.
pub enum Source {
    /// In a file or a folder.
    File(PathBuf),
    /// In memory: its JSON.
    Text(String),
}

impl Source {
    /// Object that a user calls a configuration.
    ///
    /// # Errors
    ///
    /// `InvalidInput` for what is none.
    pub fn of(config: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = config.py();
        if config.is_instance_of::<PyDict>() {
            return Ok(Self::Text(text(config)?));
        }
        if config.hasattr("to_dict")? {
            let made = config.call_method0("to_dict")?;
            if !made.is_instance_of::<PyDict>() {
                return Err(option("config", "a to_dict() that returns a dictionary", kind(&made)));
            }
            return Ok(Self::Text(text(&made)?));
        }
        match py.import("os")?.call_method1("fspath", (config,)) {
            Ok(path) => Ok(Self::File(path.extract().map_err(|_| option("config", "a path", kind(&path)))?)),
            Err(_) => Err(option("config", "an object with to_dict(), a dictionary or a path", kind(config))),
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Text(_) => "config".to_owned(),
        }
    }

    /// Its meaning.
    pub fn read(&self, stated: &Stated) -> Result<Model, InvalidConfig> {
        match self {
            Self::File(path) => Model::open(Path::new(path), stated),
            Self::Text(text) => Model::read(text, stated),
        }
    }

    /// The axes of its vision part.
    pub fn vision(&self) -> Result<AxialConvention, InvalidConfig> {
        let (convention, _) = match self {
            Self::File(path) => Model::open_vision(Path::new(path))?,
            Self::Text(text) => Model::vision(text)?,
        };
        Ok(convention)
    }

    /// Why it cannot be read. Paths, keys and values are data: only what is expected names options.
    pub fn misread(&self, error: &InvalidConfig) -> PyErr {
        let told = InvalidConfig { expected: keywords(&error.expected), ..error.clone() };
        InvalidInput::new_err(match (self, error.problem) {
            (Self::File(_), Problem::Unreadable) => told.to_string(),
            _ => format!("{}: {told}", self.name()),
        })
    }
}

fn text(dictionary: &Bound<'_, PyAny>) -> PyResult<String> {
    dumped(dictionary).map_err(|error| invalid(format!("config: expected what JSON can hold; {error}")))
}

/// Meaning of a configuration.
///
/// # Errors
///
/// `InvalidInput`, with the key.
pub fn read(config: &Bound<'_, PyAny>, stated: &Stated) -> PyResult<Configuration> {
    let source = Source::of(config)?;
    let model = source.read(stated).map_err(|error| source.misread(&error))?;
    Ok(Configuration { model, name: source.name() })
}
