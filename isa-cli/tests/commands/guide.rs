//! Runs each `isa` command line that README.md, this package's README.md and the guide for tools show, on files of the names they use.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::bundles;
use crate::common::{assemble, kernel_program, run};
use isa_tests::elf::{DYN, ENDPGM, Elf};

const PAGES: [(&str, &str); 3] = [
    ("README.md", include_str!("../../../README.md")),
    ("isa-cli/README.md", include_str!("../../README.md")),
    ("getting-started-tools.md", include_str!("../../../docs/guide/getting-started-tools.md")),
];

/// Returns the lines of shell blocks that run `isa`, with continued lines joined.
fn examples(page: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut is_shell = false;
    for line in page.replace("\\\n", " ").lines() {
        match line.trim() {
            "```sh" => is_shell = true,
            "```" => is_shell = false,
            line if is_shell && (line.starts_with("isa ") || line.contains("| isa ")) => lines.push(line.to_owned()),
            _ => {}
        }
    }
    lines
}

fn all_examples() -> Vec<String> {
    PAGES.iter().flat_map(|(_, page)| examples(page)).collect()
}

/// Makes the files that the examples name, in a folder.
fn make_files(folder: &Path) {
    std::fs::create_dir_all(folder).expect("a folder");
    let args = "
      - { .name: x, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: y, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global }
      - { .name: a, .offset: 16, .size: 4, .value_kind: by_value }
      - { .name: n, .offset: 20, .size: 4, .value_kind: by_value }
";
    // Long enough for the range of addresses in the guide.
    let kernel = kernel_program("saxpy", &"  s_nop 0\n".repeat(512), 24, 0, args.trim_start_matches('\n'));
    let function = "
.type _ZN2ns5scaleIfEEvPT_,@function
_ZN2ns5scaleIfEEvPT_:
  s_setpc_b64 s[30:31]
.Lend:
.size _ZN2ns5scaleIfEEvPT_, .Lend-_ZN2ns5scaleIfEEvPT_
";
    let program = kernel.replacen(".rodata", &format!("{function}.rodata"), 1);
    let at = |name: &str| folder.join(name);
    for name in ["kernel", "a", "b"] {
        assemble(&program, &at(&format!("{name}.co")));
    }
    let code = std::fs::read(at("kernel.co")).expect("the code object");
    let host = "host-x86_64-unknown-linux-gnu-";
    let bundle = bundles::bundle(&[(host, b""), ("hipv4-amdgcn-amd-amdhsa--gfx1100", &code)], 4096);
    let mut library = Elf::new(DYN).code(".text", 0x1000, vec![0xc3]).data(".hip_fatbin", 0x2000, bundle);
    // x86-64
    library.machine = 62;
    for name in ["libkernels.so", "libbitsandbytes_rocm72.so"] {
        std::fs::write(at(name), library.bytes()).expect("a file");
    }
    std::fs::write(at("code.bin"), ENDPGM).expect("a file");
    std::fs::write(at("x.bin"), [0; 16384]).expect("a file");
    std::fs::write(at("cases.jsonl"), "{\"name\":\"mov\",\"code_hex\":\"8702007e\",\"init\":{}}\n").expect("a file");
}

#[test]
fn the_examples_of_the_pages_run() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
    make_files(&folder);
    let programs = Path::new(env!("CARGO_BIN_EXE_isa")).parent().expect("a folder").to_owned();
    let path = std::env::join_paths(
        std::iter::once(programs).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .expect("no separator in the path");
    let lines = all_examples();
    for line in &lines {
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(&folder)
            .env("PATH", &path)
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && err.is_empty(), "{line}\n{:?}\n{err}", output.status.code());
        let writes_file = line.contains(" -o ") || line.contains(" --dump ");
        assert!(writes_file || !out.trim().is_empty(), "{line}\nprints nothing");
        assert!(!out.contains("error"), "{line}\n{out}");
    }
    // The files that the examples write are there.
    for name in ["kernel.co", "y.bin"] {
        assert!(folder.join(name).metadata().is_ok_and(|file| file.len() > 0), "{name}");
    }
}

#[test]
fn each_command_and_option_has_an_example() {
    let lines = all_examples();
    // The words of the examples of a subcommand, without comments.
    let words = |command: &str| -> Vec<&str> {
        let of_command = lines.iter().filter_map(|line| line.split_once(&format!("isa {command} ")));
        of_command.flat_map(|(_, rest)| rest.split(" #").next().unwrap_or_default().split_whitespace()).collect()
    };
    let help = run(&["--help"], b"").out;
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next()).expect("commands");
    let commands: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"dis") && commands.contains(&"man"), "{commands:?}");
    for command in commands {
        // `man` has an example in a comment; `help` prints what `--help` does.
        let is_shown = lines.iter().any(|line| line.contains(&format!("isa {command} ")));
        assert!(is_shown || command == "help", "{command}");
    }
    let options = [
        ("dis", "--symbol --start --stop --demangle --json --live --blocks --arrows --raw --hex --wave --mcpu --arch"),
        ("list", "--format --grep --arch"),
        ("explain", "--json"),
        ("lint", "--json"),
        ("info", "--json --kernel --arch"),
    ];
    for (command, options) in options {
        let words = words(command);
        for option in options.split(' ') {
            assert!(words.contains(&option), "isa {command} {option}");
        }
    }
    // Several files in one run.
    assert!(words("dis").windows(2).any(|pair| pair.iter().all(|word| word.ends_with(".co"))));
}
