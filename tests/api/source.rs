//! Modules as they are written.

use std::fs;
use std::path::Path;
use syn::{Attribute, Item, ItemMod};

/// A module with its items, those of other files included.
pub struct Module {
    pub items: Vec<Item>,
    pub modules: Vec<(String, bool, Module)>,
}

impl Module {
    /// The module in a file; modules that it declares are looked for where the compiler looks.
    pub fn read(folder: &Path, file: &Path) -> Self {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        Self::new(parsed.items, Some(folder))
    }

    /// The module with this text, which declares no files.
    pub fn parse(text: &str) -> Self {
        Self::new(syn::parse_file(text).expect("Rust").items, None)
    }

    fn new(items: Vec<Item>, folder: Option<&Path>) -> Self {
        let (mut kept, mut modules) = (Vec::new(), Vec::new());
        for item in items {
            match item {
                Item::Mod(inner) if !is_for_tests(&inner.attrs) => {
                    let public = matches!(inner.vis, syn::Visibility::Public(_));
                    modules.push((inner.ident.to_string(), public, Self::inner(inner, folder)));
                }
                Item::Mod(_) => {}
                other => kept.push(other),
            }
        }
        Self { items: kept, modules }
    }

    fn inner(module: ItemMod, folder: Option<&Path>) -> Self {
        let name = module.ident.to_string();
        match (module.content, folder) {
            (Some((_, items)), _) => Self::new(items, None),
            (None, Some(folder)) => {
                let inside = folder.join(&name);
                let [beside, within] = [folder.join(format!("{name}.rs")), inside.join("mod.rs")];
                Self::read(&inside, if beside.exists() { &beside } else { &within })
            }
            (None, None) => panic!("module {name} has no text"),
        }
    }

    /// The module inside this one with the given path.
    pub fn find(&self, path: &[String]) -> Option<&Self> {
        match path {
            [] => Some(self),
            [first, rest @ ..] => self.modules.iter().find(|(name, _, _)| name == first)?.2.find(rest),
        }
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test"))
    })
}
