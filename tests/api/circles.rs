//! Imports between the files of a crate: they flow one way.

use crate::source::Module;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, ItemUse, UseTree};

/// A module's place in its crate.
type Place = Vec<String>;

/// Files that a circle may have: two that know each other are read together.
const MOST: usize = 2;

/// Imports of a crate: of each module the modules whose items it takes.
struct Imports<'a> {
    root: &'a Module,
    of: BTreeMap<Place, BTreeSet<Place>>,
}

impl<'a> Imports<'a> {
    fn new(root: &'a Module) -> Self {
        let mut imports = Self { root, of: BTreeMap::new() };
        imports.collect(root, &[]);
        imports
    }

    fn collect(&mut self, module: &Module, place: &[String]) {
        let mut taken = BTreeSet::new();
        for import in uses(module).filter(|import| matches!(import.vis, syn::Visibility::Inherited)) {
            for name in names(&import.tree) {
                taken.extend(absolute(&name, place, module).and_then(|path| self.definition(&path, 0)));
            }
        }
        // A module names its children, and these what it holds for all of them.
        taken.retain(|other| !place.starts_with(other));
        self.of.insert(place.to_vec(), taken);
        for (name, _, inner) in &module.modules {
            self.collect(inner, &[place, std::slice::from_ref(name)].concat());
        }
    }

    /// The module that defines what a path names, through those that hand it on.
    fn definition(&self, path: &[String], hops: usize) -> Option<Place> {
        if self.root.find(path).is_some() {
            return Some(path.to_vec());
        }
        let (name, place) = path.split_last()?;
        let module = self.root.find(place)?;
        let handed_on = uses(module).flat_map(|import| names(&import.tree)).find(|names| names.last() == Some(name));
        match handed_on.filter(|_| hops < 8).and_then(|path| absolute(&path, place, module)) {
            Some(path) => self.definition(&path, hops + 1),
            None => Some(place.to_vec()),
        }
    }

    /// Modules that a module takes something from, directly or by way of others.
    fn reached<'s>(&'s self, from: &'s Place) -> BTreeSet<&'s Place> {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(place) = open.pop() {
            open.extend(self.of.get(place).into_iter().flatten().filter(|next| reached.insert(*next)));
        }
        reached
    }

    /// Groups of modules each of which reaches all others of its group.
    fn circles(&self) -> BTreeSet<Vec<&Place>> {
        let reached: BTreeMap<&Place, _> = self.of.keys().map(|place| (place, self.reached(place))).collect();
        let circle = |place: &Place| -> Vec<&Place> {
            let both = reached[place].iter().filter(|other| reached.get(**other).is_some_and(|of| of.contains(place)));
            both.copied().collect()
        };
        self.of.keys().map(circle).filter(|circle| circle.len() > 1).collect()
    }
}

fn uses(module: &Module) -> impl Iterator<Item = &ItemUse> {
    module.items.iter().filter_map(|item| if let Item::Use(import) = item { Some(import) } else { None })
}

/// Paths that an import names, without those of all that a module has.
fn names(tree: &UseTree) -> Vec<Place> {
    let one = |name: &syn::Ident| vec![vec![name.to_string()]];
    match tree {
        UseTree::Path(inner) => {
            let first = inner.ident.to_string();
            names(&inner.tree).into_iter().map(|rest| [vec![first.clone()], rest].concat()).collect()
        }
        UseTree::Group(group) => group.items.iter().flat_map(names).collect(),
        UseTree::Name(name) => one(&name.ident),
        UseTree::Rename(name) => one(&name.ident),
        UseTree::Glob(_) => Vec::new(),
    }
}

/// The place in the crate of what is named at another; none of other crates.
fn absolute(path: &[String], place: &[String], module: &Module) -> Option<Place> {
    let ups = path.iter().take_while(|word| *word == "super").count();
    let rest: Place = path.iter().skip(ups).filter(|word| *word != "self").cloned().collect();
    match path.first()?.as_str() {
        "crate" => Some(rest[1..].to_vec()),
        "super" => Some([&place[..place.len().checked_sub(ups)?], &rest].concat()),
        "self" => Some([place, &rest].concat()),
        first => module.modules.iter().any(|(name, _, _)| name == first).then(|| [place, &rest].concat()),
    }
}

#[test]
fn no_more_than_two_files_import_each_other() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = std::fs::read_dir(root.join("crates")).expect("crates").map(|entry| entry.expect("a crate").path());
    let mut found = Vec::new();
    for folder in crates.chain([root.to_owned()]) {
        let source = folder.join("src");
        let module = Module::read(&source, &source.join("lib.rs"));
        let imports = Imports::new(&module);
        let large = imports.circles().into_iter().filter(|circle| circle.len() > MOST);
        found.extend(large.map(|circle| {
            let names: Vec<String> = circle.iter().map(|place| place.join("::")).collect();
            format!("{}: {}", folder.display(), names.join(", "))
        }));
    }
    assert!(found.is_empty(), "circles of imports:\n{}", found.join("\n"));
}

#[test]
fn circles_are_seen_through_what_hands_names_on() {
    let of = |text: &str| {
        let module = Module::parse(text);
        let imports = Imports::new(&module);
        imports.circles().iter().map(|circle| circle.len()).collect::<Vec<_>>()
    };
    let three = "mod a { use super::b::B; pub struct A; } mod b { pub use inner::B; mod inner { use crate::c::C; pub struct B; } }
        mod c { use crate::a::A; pub struct C; }";
    assert_eq!(of(three), [3]);
    assert_eq!(of(&three.replace("use crate::a::A;", "")), [0; 0]);
    // A child takes what its parent holds.
    assert_eq!(of("mod a { mod b { use super::A; pub struct B; } use b::B; pub struct A; }"), [0; 0]);
}
