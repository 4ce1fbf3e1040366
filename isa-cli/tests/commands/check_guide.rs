//! The examples of docs/guide/check-kernels.md: each has the report that the page shows, and its fix has none.

use std::path::{Path, PathBuf};

use crate::common::{Said, run};
use isa_exec::check::finding::Kind;

const PAGE: &str = "../docs/guide/check-kernels.md";

/// The blocks of a part of the page in a language, with the offsets of their lines.
fn blocks(part: &str, language: &str) -> Vec<(usize, String)> {
    let begin = format!("```{language}\n");
    let found = part.match_indices(&begin).map(|(at, _)| at + begin.len());
    found.map(|at| (at, part[at..].split("```").next().unwrap_or_default().to_owned())).collect()
}

/// Assembles the kernel of the page with a body, and checks it as the page does.
fn check(folder: &Path, body: &str, command: &str) -> Said {
    std::fs::write(folder.join("body.s"), body).expect("a file");
    let path = |name| folder.join(name).to_string_lossy().into_owned();
    let (source, code) = (path("kernel.s"), path("k.co"));
    let said = run(&["asm", "--arch", "gfx1100", &source, "-I", &path(""), "-o", &code, "--emit", "co"], b"");
    assert_eq!(said.status, Some(0), "{body}{}", said.err);
    let words: Vec<&str> = command.split_whitespace().skip(1).collect();
    let words: Vec<&str> = words.iter().map(|word| if *word == "k.co" { &*code } else { word }).collect();
    run(&words, b"")
}

/// With `GUIDE=overwrite` in the environment, the reports of the page are brought up to date.
#[test]
fn each_example_has_its_report_and_a_fix() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = std::fs::read_to_string(&path).expect("the page");
    let is_overwritten = std::env::var_os("GUIDE").is_some_and(|value| value == "overwrite");
    let folder: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-guide");
    std::fs::create_dir_all(&folder).expect("a folder");
    let (intro, _) = page.split_once("\n### ").expect("sections");
    let kernel = blocks(intro, "asm").into_iter().next().expect("the kernel").1;
    std::fs::write(folder.join("kernel.s"), kernel).expect("a file");
    let command = blocks(intro, "sh").into_iter().next().expect("the command").1;

    let mut new = intro.to_owned();
    for (section, kind) in page.split("\n### ").skip(1).zip(Kind::ALL) {
        let (title, _) = section.split_once('\n').expect("a title");
        assert_eq!(title, kind.name());
        let bodies = blocks(section, "asm");
        let [(at, wrong), (_, fixed)] = &*bodies else { panic!("{title}: two bodies") };
        let said = check(&folder, fixed, &command);
        assert_eq!((said.status, &*said.err), (Some(0), "0 findings, 0 notes\n"), "{title}");
        let said = check(&folder, wrong, &command);
        // On a busy machine a run of some seconds says so.
        let lines = said.err.lines().filter(|line| !line.starts_with("note: running for "));
        let report: String = lines.map(|line| format!("{}\n", line.trim_end())).collect();
        let shown = blocks(section, "text").into_iter().next().map(|(_, text)| text).unwrap_or_default();
        let begins = report.starts_with(&format!("{title}: k: work-group "));
        assert!(said.status == Some(1) && begins, "{title}: {:?}\n{report}", said.status);
        if is_overwritten {
            let after_body = at + wrong.len() + "```\n".len();
            let rest = section.find("\nFix:\n").expect("a fix");
            let section = format!("{}\n```text\n{report}```\n{}", &section[..after_body], &section[rest..]);
            new.push_str(&format!("\n### {section}"));
        } else {
            assert_eq!(shown, report, "{title}: run this test with GUIDE=overwrite");
        }
    }
    if is_overwritten {
        std::fs::write(&path, new).expect("the page");
    }
}
