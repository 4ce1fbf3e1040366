//! Kernel descriptors against those of llvm-mc: every value of every field, and what is refused.

use amdgpu_object::{Directive, Family, KernelDescriptor, KernelSettings, Processor};
use object::{Object as _, ObjectSection as _};

use crate::llvm;

const TRIPLE: &str = "amdgcn-amd-amdhsa";

/// The descriptor that a block of directives makes, or an error.
type Made = Result<[u8; 64], String>;

const FAMILIES: [Family; 2] = [Family::Gfx11, Family::Gfx12];

fn ours(family: Family, wave64: bool, directives: &[(Directive, i64)]) -> Made {
    let settings = if wave64 { KernelSettings::wave64() } else { KernelSettings::wave32() };
    let mut settings = settings.of(family);
    for (directive, value) in directives {
        settings.set(*directive, *value).map_err(|error| error.to_string())?;
    }
    settings.descriptor().map(KernelDescriptor::to_bytes).map_err(|error| error.to_string())
}

fn block(directives: &[(Directive, i64)]) -> String {
    let lines: String = directives.iter().map(|(directive, value)| format!(".amdhsa_{directive} {value}\n")).collect();
    let required = Directive::REQUIRED.iter().filter(|required| directives.iter().all(|(other, _)| other != *required));
    let required: String = required.map(|directive| format!(".amdhsa_{directive} 0\n")).collect();
    format!(".amdhsa_kernel k\n{lines}{required}.end_amdhsa_kernel\n")
}

fn options(family: Family, wave64: bool) -> Vec<&'static str> {
    let processor = match family {
        Family::Gfx11 => "-mcpu=gfx1100",
        Family::Gfx12 => "-mcpu=gfx1200",
    };
    let wave: &[&str] = if wave64 { &["-mattr=+wavefrontsize64"] } else { &[] };
    [&[processor], wave].concat()
}

/// The directives of a family.
fn directives(family: Family) -> impl Iterator<Item = Directive> {
    Directive::ALL.iter().copied().filter(move |directive| directive.only_family().is_none_or(|only| only == family))
}

/// Holds blocks that are valid against LLVM's, all in one program; each kernel has its own name.
fn compare(name: &str, family: Family, wave64: bool, blocks: &[Vec<(Directive, i64)>]) {
    compare_for(name, family, wave64, blocks, &options(family, wave64));
}

fn compare_for(name: &str, family: Family, wave64: bool, blocks: &[Vec<(Directive, i64)>], options: &[&str]) {
    let mut program = String::from(".text\nk:\ns_endpgm\n.section .rodata,\"a\"\n");
    for (nth, directives) in blocks.iter().enumerate() {
        program += &block(directives).replace(".amdhsa_kernel k", &format!(".amdhsa_kernel k{nth}"));
    }
    let Some(made) = llvm::assemble(name, &program, TRIPLE, options) else { return };
    let file = made.unwrap();
    let file = object::File::parse(&*file).unwrap();
    let theirs = file.section_by_name(".rodata").unwrap().data().unwrap();
    let (theirs, rest) = theirs.as_chunks::<64>();
    assert_eq!((theirs.len(), rest.len()), (blocks.len(), 0));
    for (directives, theirs) in blocks.iter().zip(theirs) {
        assert_eq!(ours(family, wave64, directives), Ok(*theirs), "{family:?}: {directives:?}, wave64: {wave64}");
    }
}

/// All values of narrow fields, and those at the ends of wide ones.
fn values(directive: Directive, family: Family) -> Vec<i64> {
    let max = directive.max(family);
    match directive {
        Directive::NextFreeVgpr | Directive::NextFreeSgpr => (0..=256).collect(),
        _ if max <= 255 => (0..=max as i64).collect(),
        _ => [0, 1, 4, 255, 0x8000, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff].into(),
    }
}

#[test]
fn every_value_of_every_field() {
    for (family, wave64) in FAMILIES.into_iter().flat_map(|family| [(family, false), (family, true)]) {
        let mut blocks = Vec::new();
        for directive in directives(family) {
            for value in values(directive, family) {
                if directive == Directive::SharedVgprCount && !wave64 && value != 0 {
                    continue;
                }
                blocks.push(vec![(directive, value)]);
            }
        }
        if !wave64 {
            blocks.extend((257..=512).map(|count| vec![(Directive::NextFreeVgpr, count)]));
        }
        assert!(blocks.len() > 700);
        compare(&format!("descriptors_{family:?}_{wave64}"), family, wave64, &blocks);
    }
}

#[test]
fn fields_together() {
    for (family, wave64) in FAMILIES.into_iter().flat_map(|family| [(family, false), (family, true)]) {
        let mut blocks = Vec::new();
        // A generator of full period modulo 2^64; its high bits choose.
        let mut state = 1u64;
        for _ in 0..2_000 {
            let mut chosen = Vec::new();
            for directive in directives(family) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let values = values(directive, family);
                if state >> 63 != 0 {
                    chosen.push((directive, values[(state >> 33) as usize % values.len()]));
                }
            }
            blocks.push(chosen);
        }
        blocks.retain(|directives| ours(family, wave64, directives).is_ok());
        assert!(blocks.len() > 300, "{}", blocks.len());
        // Other blocks for each processor; LLVM 22 does not know gfx1154.
        let is_known = |processor: &&Processor| processor.family() == family && **processor != Processor::Gfx1154;
        let known = || Processor::ALL.iter().filter(is_known);
        let share = blocks.len().div_ceil(known().count());
        for (processor, blocks) in known().zip(blocks.chunks(share)) {
            let mut options = options(family, wave64);
            let processor = format!("-mcpu={processor}");
            options[0] = &processor;
            compare_for(&format!("descriptors_{}_{wave64}", &processor[6..]), family, wave64, blocks, &options);
        }
    }
}

#[test]
fn refused_values() {
    let explicit = |size32| (Directive::WavefrontSize32, size32);
    let mut refused: Vec<Vec<(Directive, i64)>> = vec![
        vec![(Directive::NextFreeVgpr, 513)],
        vec![(Directive::NextFreeVgpr, 257), explicit(0)],
        vec![(Directive::NextFreeVgpr, 1 << 32)],
        vec![(Directive::SharedVgprCount, 1), explicit(1)],
        vec![(Directive::SharedVgprCount, 15), (Directive::NextFreeVgpr, 137), explicit(0)],
        vec![(Directive::UserSgprCount, 3), (Directive::UserSgprQueuePtr, 1), (Directive::UserSgprDispatchPtr, 1)],
    ];
    refused.extend(directives(Family::Gfx11).map(|directive| vec![(directive, -1)]));
    let narrow = directives(Family::Gfx11).filter(|directive| *directive != Directive::NextFreeSgpr);
    refused.extend(narrow.map(|directive| vec![(directive, directive.max(Family::Gfx11) as i64 + 1)]));
    let mut program = String::from(".text\nk:\ns_endpgm\n");
    let mut lines = Vec::new();
    for directives in &refused {
        assert!(ours(Family::Gfx11, false, directives).is_err(), "{directives:?}");
        let begin = program.lines().count() + 1;
        program += &block(directives);
        lines.push(begin..=program.lines().count());
    }
    let Some(errors) = llvm::refused_lines("descriptors_refused", &program, TRIPLE, &options(Family::Gfx11, false))
    else {
        return;
    };
    for (directives, lines) in refused.iter().zip(lines) {
        assert!(errors.iter().any(|line| lines.contains(line)), "{directives:?}");
    }
}

#[test]
fn names_are_those_of_llvm() {
    for name in Directive::names() {
        let program = format!(".amdhsa_kernel k\n.amdhsa_{name} 0\n.end_amdhsa_kernel\n");
        let Some(made) = llvm::assemble("descriptor_names", &program, TRIPLE, &options(Family::Gfx11, false)) else {
            return;
        };
        // The block lacks directives that are required, so that there is a message in any case.
        let message = made.unwrap_err();
        assert!(!message.contains("unknown .amdhsa_kernel directive"), "{name}: {message}");
        let refused = ["not supported", "requires gfx"].iter().any(|words| message.contains(words));
        assert_eq!(refused, Directive::parse(name, Family::Gfx11).is_err(), "{name}: {message}");
    }
}
