//! Looks for modules that import each other in a circle.
//!
//! A module may name what its ancestors define: the parent lists it anyway. Everything else that a file names in another file of its
//! crate is an import, whether by `use` or by a path, and whether the name is defined there or re-exported. Tests do not count.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;
use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// A path of names from the root of the crate.
type Names = Vec<String>;

/// A name that a `use` brings into a module.
struct Import {
    /// The imported path.
    path: Names,
    /// The name that it gets, or `*`.
    name: String,
    /// Whether the module exports the name in turn.
    is_export: bool,
}

/// A module, in a separate file or within another.
#[derive(Default)]
struct Module {
    /// The module of the file that it is in.
    file: Names,
    imports: Vec<Import>,
    /// The paths that it names elsewhere.
    paths: Vec<Names>,
    /// The names that it defines.
    items: HashSet<String>,
}

/// The modules of a crate.
type Modules = BTreeMap<Names, Module>;

/// For each module, those that it imports from.
type Graph = BTreeMap<Names, BTreeSet<Names>>;

/// Fails if modules of a crate of the workspace import each other in a circle.
pub fn run() -> Result<()> {
    let (mut circles, mut count) = (Vec::new(), 0);
    for folder in crates(&root())? {
        count += 1;
        let graph = graph(&modules(&folder)?);
        for circle in circles_of(&graph) {
            let lines = circle.iter().map(|module| {
                let imported = graph[module].intersection(&circle).map(shown);
                format!("    {} imports {}", shown(module), imported.collect::<Vec<_>>().join(", "))
            });
            let folder = folder.strip_prefix(root())?;
            circles.push(format!("{}:\n{}", folder.display(), lines.collect::<Vec<_>>().join("\n")));
        }
    }
    println!("{count} crates, {} circles of imports", circles.len());
    if circles.is_empty() { Ok(()) } else { bail!("modules import each other:\n{}", circles.join("\n")) }
}

fn shown(module: &Names) -> String {
    if module.is_empty() { "the root".into() } else { module.join("::") }
}

/// The folders of the sources of all crates below a folder.
pub fn crates(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !path.is_dir() || name == "target" || name.starts_with('.') {
            continue;
        }
        if name == "src" && (path.join("lib.rs").exists() || path.join("main.rs").exists()) {
            found.push(path);
        } else {
            found.extend(crates(&path)?);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads all files below the folder of a crate's sources.
fn modules(folder: &Path) -> Result<Modules> {
    let mut modules = Modules::new();
    for file in files(folder)? {
        let mut names: Names =
            file.with_extension("").strip_prefix(folder)?.iter().map(|name| name.to_string_lossy().into()).collect();
        if names.last().is_some_and(|name| matches!(name.as_str(), "lib" | "main" | "mod")) {
            names.pop();
        }
        let text = fs::read_to_string(&file)?;
        let parsed = syn::parse_file(&text).with_context(|| file.display().to_string())?;
        let mut reader = Reader { modules: &mut modules, file: names.clone(), module: names };
        reader.enter();
        reader.visit_file(&parsed);
    }
    Ok(modules)
}

/// The Rust files below a folder but those of tests.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.file_stem().is_some_and(|stem| stem == "tests") {
            continue;
        }
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(found)
}

/// Collects what the modules of a file import.
struct Reader<'a> {
    modules: &'a mut Modules,
    file: Names,
    /// The module that is being read.
    module: Names,
}

impl Reader<'_> {
    fn enter(&mut self) -> &mut Module {
        let module = self.modules.entry(self.module.clone()).or_default();
        module.file.clone_from(&self.file);
        module
    }

    /// Returns the path from the root that `names` mean; the first may also be a module here, which is found later.
    fn absolute(&self, names: &[String]) -> Names {
        let mut base = self.module.clone();
        let mut names = names;
        while let [first, rest @ ..] = names {
            match first.as_str() {
                "crate" => base.clear(),
                "super" => drop(base.pop()),
                "self" => {}
                _ => break,
            }
            names = rest;
        }
        base.extend_from_slice(names);
        base
    }

    fn import(&mut self, tree: &UseTree, before: &mut Names, is_export: bool) {
        let (name, last) = match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.import(&path.tree, before, is_export);
                before.pop();
                return;
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, is_export);
                }
                return;
            }
            UseTree::Name(name) => (name.ident.to_string(), Some(name.ident.to_string())),
            UseTree::Rename(name) => (name.rename.to_string(), Some(name.ident.to_string())),
            UseTree::Glob(_) => ("*".into(), None),
        };
        let mut path = before.clone();
        let is_itself = last.as_deref() == Some("self");
        path.extend(last.filter(|_| !is_itself));
        let name = if is_itself { path.last().cloned().unwrap_or_default() } else { name };
        let path = self.absolute(&path);
        self.enter().imports.push(Import { path, name, is_export });
    }

    /// Records the paths in the tokens of a macro.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut names = Names::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.path(std::mem::take(&mut names));
                    }
                    names.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Group(group) => self.tokens(group.stream()),
                _ => colons = 0,
            }
        }
        self.path(names);
    }

    fn path(&mut self, names: Names) {
        if names.len() > 1 {
            let path = self.absolute(&names);
            self.enter().paths.push(path);
        }
    }
}

/// Whether an item is compiled for tests only.
pub fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|condition| condition == "test")
    })
}

impl Visit<'_> for Reader<'_> {
    fn visit_item(&mut self, item: &Item) {
        let (attributes, name) = match item {
            Item::Const(item) => (&item.attrs, Some(&item.ident)),
            Item::Enum(item) => (&item.attrs, Some(&item.ident)),
            Item::Fn(item) => (&item.attrs, Some(&item.sig.ident)),
            Item::Impl(item) => (&item.attrs, None),
            Item::Macro(item) => (&item.attrs, item.ident.as_ref()),
            Item::Mod(item) => (&item.attrs, Some(&item.ident)),
            Item::Static(item) => (&item.attrs, Some(&item.ident)),
            Item::Struct(item) => (&item.attrs, Some(&item.ident)),
            Item::Trait(item) => (&item.attrs, Some(&item.ident)),
            Item::Type(item) => (&item.attrs, Some(&item.ident)),
            Item::Union(item) => (&item.attrs, Some(&item.ident)),
            Item::Use(item) => (&item.attrs, None),
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            self.enter().items.extend(name.map(ToString::to_string));
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &ItemMod) {
        if item.content.is_some() {
            self.module.push(item.ident.to_string());
            self.enter();
            visit::visit_item_mod(self, item);
            self.module.pop();
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        self.import(&item.tree, &mut Names::new(), !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &syn::Path) {
        self.path(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &syn::Macro) {
        // The paths of quoted tokens are the generated code's.
        let is_quoted = call.path.segments.last().is_some_and(|name| name.ident.to_string().starts_with("quote"));
        if !is_quoted {
            self.tokens(call.tokens.clone());
        }
    }
}

/// The graph of a crate's files.
fn graph(modules: &Modules) -> Graph {
    let mut graph = Graph::new();
    for module in modules.values() {
        let imports = module.imports.iter().map(|import| (&import.path, import.is_export));
        let paths = module.paths.iter().map(|path| (path, false));
        let imported = graph.entry(module.file.clone()).or_default();
        for (path, is_export) in imports.chain(paths) {
            let Some(file) = resolve(modules, path, 0).map(|found| &modules[&found].file) else { continue };
            let lists_it = is_export && file.starts_with(&module.file);
            if !module.file.starts_with(file) && !lists_it {
                imported.insert(file.clone());
            }
        }
    }
    graph
}

/// The most re-exports that are followed for one name.
const MAX_EXPORTS: usize = 8;

/// The module that defines what a path names: the longest part of it that is a module, or where that one has the next name from.
fn resolve(modules: &Modules, path: &[String], depth: usize) -> Option<Names> {
    let end = (0..=path.len()).rev().find(|end| modules.contains_key(&path[..*end]))?;
    let (found, rest) = path.split_at(end);
    let module = &modules[found];
    let Some(name) = rest.first().filter(|name| *name != "*" && depth < MAX_EXPORTS) else {
        return Some(found.to_vec());
    };
    if module.items.contains(name) {
        return Some(found.to_vec());
    }
    if let Some(import) = module.imports.iter().find(|import| import.name == *name && import.path != path) {
        let target: Names = import.path.iter().chain(&rest[1..]).cloned().collect();
        return resolve(modules, &target, depth + 1);
    }
    let globs = module.imports.iter().filter(|import| import.name == "*");
    let mut sources = globs.filter_map(|import| resolve(modules, &import.path, depth + 1));
    // A first name that is none of the module's is a crate, a primitive type or a generic parameter.
    let is_defined = |module: &Names| modules[module].items.contains(name);
    sources.find(is_defined).or_else(|| Some(found.to_vec()))
}

/// The sets of modules each of which imports every other, directly or through others.
fn circles_of(graph: &Graph) -> Vec<BTreeSet<Names>> {
    let reached: BTreeMap<&Names, BTreeSet<&Names>> = graph.keys().map(|from| (from, reachable(graph, from))).collect();
    let mut circles = BTreeSet::new();
    for (from, to) in &reached {
        let circle: BTreeSet<Names> = to
            .iter()
            .filter(|module| reached.get(*module).is_some_and(|back| back.contains(from)))
            .copied()
            .cloned()
            .collect();
        if circle.len() > 1 {
            circles.insert(circle);
        }
    }
    circles.into_iter().collect()
}

/// The modules that a module imports, directly or through others.
fn reachable<'a>(graph: &'a Graph, from: &'a Names) -> BTreeSet<&'a Names> {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for next in graph.get(module).into_iter().flatten() {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<BTreeSet<Names>> {
        let mut modules = Modules::new();
        for (name, text) in files {
            let names: Names = name.split("::").filter(|name| !name.is_empty()).map(Into::into).collect();
            let mut reader = Reader { modules: &mut modules, file: names.clone(), module: names };
            reader.enter();
            reader.visit_file(&syn::parse_file(text).unwrap());
        }
        circles_of(&graph(&modules))
    }

    #[test]
    fn a_circle_is_found_through_use_paths_macros_and_exports() {
        for back in [
            "use crate::a::A;",
            "use super::a;",
            "fn f() { crate::a::g(); }",
            "fn f() { vec![crate::a::g()]; }",
            "use crate::A;",
            "mod inner { use super::super::a::A; }",
        ] {
            let files = [("", "mod a; mod b; pub use a::A;"), ("a", "use crate::b::B; pub struct A;"), ("b", back)];
            assert_eq!(circles(&files).len(), 1, "{back}");
        }
    }

    #[test]
    fn parents_and_tests_make_no_circle() {
        for back in ["use crate::C;", "use super::*;", "#[cfg(test)] mod tests { use crate::a::A; }", "use std::a::A;"]
        {
            let files =
                [("", "mod a; mod b; pub struct C; use b::B;"), ("a", "use crate::b::B; pub struct A;"), ("b", back)];
            assert_eq!(circles(&files), [], "{back}");
        }
    }
}
