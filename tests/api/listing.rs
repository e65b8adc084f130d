//! Names that users of a crate can use, with signatures.

use crate::source::Module;
use quote::ToTokens;
use std::collections::BTreeMap;
use syn::{Fields, ImplItem, Item, Type, UseTree, Visibility};

/// One line for each public item, sorted: path and signature.
pub fn listing(root: &Module) -> Vec<String> {
    // Under which path each type that can be named is reached: by its own name, for its methods.
    let mut surface = Surface { root, lines: Vec::new(), types: BTreeMap::new() };
    surface.module(root, &[], &[]);
    surface.methods(root);
    surface.lines.sort();
    surface.lines.dedup();
    surface.lines
}

struct Surface<'a> {
    root: &'a Module,
    lines: Vec<String>,
    types: BTreeMap<String, String>,
}

impl Surface<'_> {
    /// The public items of a module that users reach as `path` and that stands at `place` in the source.
    fn module(&mut self, module: &Module, path: &[String], place: &[String]) {
        for item in &module.items {
            match item {
                Item::Use(import) if is_public(&import.vis) => {
                    let mut prefix = Vec::new();
                    self.import(&import.tree, &mut prefix, path, place);
                }
                _ => self.item(item, path, None),
            }
        }
        for (name, public, inner) in &module.modules {
            if *public {
                let extend = |path: &[String]| [path, std::slice::from_ref(name)].concat();
                self.module(inner, &extend(path), &extend(place));
            }
        }
    }

    /// Items that `pub use` brings from another module of the crate; what it brings from another crate is listed by
    /// name.
    fn import(&mut self, tree: &UseTree, prefix: &mut Vec<String>, path: &[String], place: &[String]) {
        match tree {
            UseTree::Path(inner) => {
                prefix.push(inner.ident.to_string());
                self.import(&inner.tree, prefix, path, place);
                prefix.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, prefix, path, place)),
            UseTree::Name(name) => self.bring(prefix, &name.ident.to_string(), None, path, place),
            UseTree::Rename(name) => {
                self.bring(prefix, &name.ident.to_string(), Some(name.rename.to_string()), path, place);
            }
            UseTree::Glob(_) => self.lines.push(named(path, &format!("use {} :: *", prefix.join(" :: ")))),
        }
    }

    fn bring(&mut self, prefix: &[String], name: &str, rename: Option<String>, path: &[String], place: &[String]) {
        let relative: Vec<String> = match prefix.first().map(String::as_str) {
            Some("crate") => prefix[1..].to_vec(),
            Some("self") => [place, &prefix[1..]].concat(),
            Some("super") => [&place[..place.len().saturating_sub(1)], &prefix[1..]].concat(),
            _ => [place, prefix].concat(),
        };
        let root = self.root;
        let Some(module) = root.find(&relative).filter(|_| !prefix.is_empty()) else {
            let shown = rename.map_or_else(String::new, |rename| format!(" as {rename}"));
            return self.lines.push(named(path, &format!("use {} :: {name}{shown}", prefix.join(" :: "))));
        };
        for item in &module.items {
            match item {
                // Brought on from further inside.
                Item::Use(import) if is_public(&import.vis) || matches!(import.vis, Visibility::Restricted(_)) => {
                    if let Some(tree) = narrowed(&import.tree, name) {
                        self.import(&tree, &mut Vec::new(), path, &relative);
                    }
                }
                _ if name_of(item).as_deref() == Some(name) => self.item(item, path, rename.as_deref()),
                _ => {}
            }
        }
    }

    fn item(&mut self, item: &Item, path: &[String], rename: Option<&str>) {
        let Some((visibility, line)) = described(item) else { return };
        if !is_public(visibility) {
            return;
        }
        if let (Item::Struct(_) | Item::Enum(_) | Item::Trait(_), Some(name)) = (item, name_of(item)) {
            self.types.insert(name.clone(), reached(path, rename.unwrap_or(&name)));
        }
        self.lines.push(named(path, &line));
    }

    /// Public methods, and traits, of the types that can be named.
    fn methods(&mut self, module: &Module) {
        for item in &module.items {
            let Item::Impl(block) = item else { continue };
            let Type::Path(of) = &*block.self_ty else { continue };
            let Some(segment) = of.path.segments.last() else { continue };
            let Some(reached) = self.types.get(&segment.ident.to_string()) else { continue };
            if let Some((_, implemented, _)) = &block.trait_ {
                let generics = block.generics.to_token_stream();
                self.lines.push(format!("impl {generics} {} for {reached}", implemented.to_token_stream()));
                continue;
            }
            for member in &block.items {
                match member {
                    ImplItem::Fn(method) if is_public(&method.vis) => {
                        let signature = method.sig.to_token_stream().to_string();
                        let name = method.sig.ident.to_string();
                        let line = signature.replacen(&format!("fn {name}"), &format!("fn {reached} :: {name}"), 1);
                        self.lines.push(line);
                    }
                    ImplItem::Const(constant) if is_public(&constant.vis) => {
                        self.lines.push(format!(
                            "const {reached} :: {} : {}",
                            constant.ident,
                            constant.ty.to_token_stream()
                        ));
                    }
                    _ => {}
                }
            }
        }
        module.modules.iter().for_each(|(_, _, inner)| self.methods(inner));
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn reached(path: &[String], name: &str) -> String {
    path.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join(" :: ")
}

/// A line for an item in a module.
fn named(path: &[String], line: &str) -> String {
    if path.is_empty() { line.to_owned() } else { format!("{} :: {line}", path.join(" :: ")) }
}

/// The part of an import that brings a name.
fn narrowed(tree: &UseTree, name: &str) -> Option<UseTree> {
    match tree {
        UseTree::Path(path) => {
            let inner = narrowed(&path.tree, name)?;
            Some(UseTree::Path(syn::UsePath { tree: Box::new(inner), ..path.clone() }))
        }
        UseTree::Group(group) => group.items.iter().find_map(|tree| narrowed(tree, name)),
        UseTree::Name(found) => (found.ident == name).then(|| tree.clone()),
        UseTree::Rename(found) => (found.rename == name).then(|| tree.clone()),
        UseTree::Glob(_) => None,
    }
}

fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Const(item) => item.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// True if others can make or match the item, and its signature.
fn described(item: &Item) -> Option<(&Visibility, String)> {
    let open =
        |attributes: &[syn::Attribute]| attributes.iter().any(|attribute| attribute.path().is_ident("non_exhaustive"));
    let mark = |attributes: &[syn::Attribute]| if open(attributes) { "#[non_exhaustive] " } else { "" };
    Some(match item {
        Item::Fn(item) => (&item.vis, item.sig.to_token_stream().to_string()),
        Item::Const(item) => (&item.vis, format!("const {} : {}", item.ident, item.ty.to_token_stream())),
        Item::Static(item) => (&item.vis, format!("static {} : {}", item.ident, item.ty.to_token_stream())),
        Item::Type(item) => (&item.vis, format!("type {} = {}", item.ident, item.ty.to_token_stream())),
        Item::Struct(item) => {
            let fields = fields(&item.fields);
            (
                &item.vis,
                format!("{}struct {} {} {fields}", mark(&item.attrs), item.ident, item.generics.to_token_stream()),
            )
        }
        Item::Enum(item) => {
            let variants = item.variants.iter().map(|variant| {
                let bare = |field: &syn::Field| syn::Field { attrs: Vec::new(), ..field.clone() };
                let named = variant.fields.iter().map(|field| bare(field).to_token_stream().to_string());
                let named: Vec<String> = named.collect();
                if named.is_empty() {
                    variant.ident.to_string()
                } else {
                    format!("{} ({})", variant.ident, named.join(", "))
                }
            });
            let variants: Vec<String> = variants.collect();
            (&item.vis, format!("{}enum {} {{ {} }}", mark(&item.attrs), item.ident, variants.join(" , ")))
        }
        Item::Trait(item) => {
            let members = item.items.iter().filter_map(|member| match member {
                syn::TraitItem::Fn(method) => Some(method.sig.to_token_stream().to_string()),
                syn::TraitItem::Type(kind) => Some(format!("type {}", kind.ident)),
                syn::TraitItem::Const(constant) => {
                    Some(format!("const {} : {}", constant.ident, constant.ty.to_token_stream()))
                }
                _ => None,
            });
            let members: Vec<String> = members.collect();
            let above = item.supertraits.to_token_stream();
            (&item.vis, format!("trait {} : {above} {{ {} }}", item.ident, members.join(" ; ")))
        }
        _ => return None,
    })
    .map(|(visibility, line)| (visibility, line.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// Public fields; `..` stands for others.
fn fields(fields: &Fields) -> String {
    let public: Vec<String> = fields
        .iter()
        .filter(|field| is_public(&field.vis))
        .map(|field| match &field.ident {
            Some(name) => format!("{name} : {}", field.ty.to_token_stream()),
            None => field.ty.to_token_stream().to_string(),
        })
        .collect();
    if fields.is_empty() {
        return String::new();
    }
    let hidden = public.len() < fields.len();
    let all: Vec<&str> = public.iter().map(String::as_str).chain(hidden.then_some("..")).collect();
    format!("{{ {} }}", all.join(" , "))
}
