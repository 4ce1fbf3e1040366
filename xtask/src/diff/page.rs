//! The classes as docs/reference/disagreements.md lists them.

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::fs;

    use isa_tests::paths::root;
    use rdna3::Wave;

    use super::super::{classes, texts};

    /// Returns the table of classes for the page.
    fn table() -> String {
        let mut out = String::from("| class | difference | where | example |\n|---|---|---|---|\n");
        let sets = [("", &classes::CLASSES[..], &texts::CLASSES[..]), ("RDNA4 ", &classes::RDNA4, &texts::RDNA4)];
        for (set, of_words, of_texts) in sets {
            let words = of_words.iter().map(|c| (c.name, c.kind.text(), c.what, c.example));
            let texts = of_texts.iter().map(|c| (c.name, c.kind.text(), c.what, c.example));
            for (name, kind, what, (wave, hex)) in words.chain(texts) {
                let wave = if wave == Wave::W64 { "wave64" } else { "wave32" };
                // Writing to a String cannot fail.
                let _ = writeln!(out, "| {name} | {kind} | {what} | {set}{wave} `{hex}` |");
            }
        }
        out
    }

    /// With `DISAGREEMENTS=overwrite` in the environment the page is brought up to date.
    #[test]
    fn the_page_lists_all_classes() {
        let path = root().join("docs/reference/disagreements.md");
        let page = fs::read_to_string(&path).unwrap();
        let begin = page.find("| class |").unwrap();
        let end = page[begin..].find("\n\n").map_or(page.len(), |at| begin + at + 1);
        if std::env::var_os("DISAGREEMENTS").is_some_and(|v| v == "overwrite") {
            fs::write(&path, format!("{}{}{}", &page[..begin], table(), &page[end..])).unwrap();
        } else {
            assert_eq!(&page[begin..end], table(), "run this test with DISAGREEMENTS=overwrite");
        }
    }

    #[test]
    fn no_two_classes_have_one_name() {
        let mut names: Vec<_> = classes::CLASSES.iter().map(|c| c.name).collect();
        names.extend(texts::CLASSES.iter().map(|c| c.name));
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
