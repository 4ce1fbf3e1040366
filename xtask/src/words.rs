//! Checks the words of the sources: each type that other modules can name has a name that its crate uses once, no comment, message or page
//! has a phrase that the project has replaced, and the files that pages name exist.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use isa_tests::paths::root;
use syn::visit::{self, Visit};
use syn::{Attribute, Ident, Item, Type, Visibility};

use crate::cycles::{crates, files, is_test};

/// Phrases that make a reader stop, and what to write instead.
const PHRASES: [(&str, &str); 7] = [
    (" of its own", "`its own X`, `a separate X`, or nothing"),
    (" of their own", "`their own X`, `a separate X`, or nothing"),
    ("so many", "`this many`, or the name of the number"),
    ("whatever", "`any`, `regardless of`"),
    (" is no ", "`is not a`"),
    (" are no ", "`are not`"),
    (" be no ", "`not be a`"),
];

/// What may precede ` is no ` and ` are no `: `there is no row`.
const SUBJECTS: [&str; 2] = ["there", "There"];

/// What may follow ` is no ` and ` are no `: `is no longer`, `is no higher than`.
const COMPARATIVES: [&str; 10] =
    ["longer", "more", "less", "fewer", "higher", "lower", "larger", "slower", "faster", "later"];

/// Names of types that several modules of a crate define: clap's arguments of each command, named by their module.
const OF_EACH_MODULE: [&str; 1] = ["Args"];

/// The crates of the tests define several sets, each in a module with its own types.
const OF_SETS: [&str; 2] = ["tests/src", "tests/ui/src"];

/// The pages that say where things are.
const MAPS: [&str; 2] = ["docs/architecture.md", "CONTRIBUTING.md"];

/// Fails if a crate defines two types of one name, a text has one of [`PHRASES`], or a page names a file that does not exist.
pub fn run() -> Result<()> {
    let mut errors = Vec::new();
    let folders = crates(&root())?;
    for folder in &folders {
        let folder_name = folder.strip_prefix(root())?;
        let shown = folder_name.display();
        if OF_SETS.iter().any(|path| folder_name == Path::new(path)) {
            continue;
        }
        for (name, places) in types(folder)? {
            if places.len() > 1 && !OF_EACH_MODULE.contains(&name.as_str()) {
                errors.push(format!("{shown}: {} types are called `{name}`: in {}", places.len(), places.join(", ")));
            }
        }
    }
    let mut paths = Vec::new();
    all_paths(&root(), &mut paths)?;
    paths.sort();
    // This file names the phrases.
    let is_text = |path: &&PathBuf| {
        path.extension().is_some_and(|e| e == "rs" || e == "md") && !path.ends_with("xtask/src/words.rs")
    };
    let texts: Vec<&PathBuf> = paths.iter().filter(is_text).collect();
    for file in &texts {
        let text = fs::read_to_string(file)?;
        for (number, line) in text.lines().enumerate() {
            let found = PHRASES.iter().find(|(phrase, _)| has_phrase(line, phrase));
            if let Some((phrase, instead)) = found {
                let place = file.strip_prefix(root())?.display();
                errors.push(format!("{place}:{}: \"{}\": write {instead}", number + 1, phrase.trim()));
            }
        }
    }
    for page in MAPS {
        for (number, line) in fs::read_to_string(root().join(page))?.lines().enumerate() {
            for name in paths_of(line).filter(|name| !paths.iter().any(|path| path.ends_with(name))) {
                errors.push(format!("{page}:{}: `{name}` does not exist", number + 1));
            }
        }
    }
    println!("{} crates, {} files, {} errors", folders.len(), texts.len(), errors.len());
    if errors.is_empty() { Ok(()) } else { bail!("{}", errors.join("\n")) }
}

/// Returns the files and folders that a line names in backticks: those that end with `.rs` or `/`, without a placeholder.
fn paths_of(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split('`').skip(1).step_by(2);
    code.filter(|name| (name.ends_with(".rs") || name.ends_with('/')) && !name.contains(['<', '*', ' ', '{']))
}

/// Returns whether a line has a phrase, in a use that is not among the exceptions.
fn has_phrase(line: &str, phrase: &str) -> bool {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(phrase) {
        let follows = after.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let is_exception = phrase.ends_with(" no ")
            && (SUBJECTS.iter().any(|subject| before.ends_with(subject)) || COMPARATIVES.contains(&follows));
        if !is_exception {
            return true;
        }
        rest = after;
    }
    false
}

/// Returns the names of the types of a crate that are not private, each with the files that define it.
fn types(folder: &Path) -> Result<BTreeMap<String, Vec<String>>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files(folder)? {
        let parsed = syn::parse_file(&fs::read_to_string(&file)?).with_context(|| file.display().to_string())?;
        let mut reader = Types::default();
        reader.visit_file(&parsed);
        // Definitions of one file under different conditions are one type.
        reader.names.sort();
        reader.names.dedup();
        let shown = file.strip_prefix(folder)?.display().to_string();
        for name in reader.names {
            all.entry(name).or_default().push(shown.clone());
        }
    }
    Ok(all)
}

/// The types of a file that are not private.
#[derive(Default)]
struct Types {
    names: Vec<String>,
}

impl Types {
    fn add(&mut self, visibility: &Visibility, name: &Ident) {
        if !matches!(visibility, Visibility::Inherited) {
            self.names.push(name.to_string());
        }
    }
}

impl Visit<'_> for Types {
    fn visit_item(&mut self, item: &Item) {
        let attributes: &[Attribute] = match item {
            Item::Enum(item) => &item.attrs,
            Item::Struct(item) => &item.attrs,
            Item::Trait(item) => &item.attrs,
            Item::Type(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            _ => &[],
        };
        if is_test(attributes) {
            return;
        }
        match item {
            Item::Enum(item) => self.add(&item.vis, &item.ident),
            Item::Struct(item) => self.add(&item.vis, &item.ident),
            Item::Trait(item) => self.add(&item.vis, &item.ident),
            // An alias of the generic type of the same name, for one set.
            Item::Type(item) if is_alias_of(&item.ty, &item.ident) => {}
            Item::Type(item) => self.add(&item.vis, &item.ident),
            _ => {}
        }
        visit::visit_item(self, item);
    }
}

/// Returns whether a type is a path that ends in this name.
fn is_alias_of(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == *name))
}

/// Collects the files and folders below a folder, without those that the build makes.
fn all_paths(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name == "target" || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            all_paths(&path, found)?;
        }
        found.push(path);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_without_placeholders() {
        let line = "| `a/b.rs`, `c/` and `lexer` | `d/<format>.rs`, `e.md`";
        assert_eq!(paths_of(line).collect::<Vec<_>>(), ["a/b.rs", "c/"]);
    }

    #[test]
    fn phrases_have_exceptions() {
        assert!(has_phrase("a name that is no register", " is no "));
        assert!(!has_phrase("there is no register", " is no "));
        assert!(!has_phrase("is no longer, and is no higher than", " is no "));
        assert!(has_phrase("there is no row that is no register", " is no "));
        assert!(has_phrase("a crate of its own", " of its own"));
    }
}
