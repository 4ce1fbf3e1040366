use rdna_rows::build::*;
use rdna_rows::{Instr, Opcode, Wave};

use super::*;
use crate::descriptor::{DescriptorError, KernelDescriptor, KernelSettings};
use crate::link::write_code_object;
use crate::metadata::KernelMetadata;
use crate::model::{Relocation, RelocationTarget};

const PAIR: Sgprs<2> = sgpr!(4..=5);

fn assembler() -> Assembler {
    Assembler::new(Processor::Gfx1100, CodeObjectVersion::V6)
}

fn text(assembler: Assembler) -> Vec<u8> {
    let object = assembler.finish().unwrap();
    assert_eq!(object.sections[0].name, ".text");
    object.sections[0].bytes.clone()
}

fn dwords(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes)).collect()
}

/// Runs branches and the computation of addresses from a byte of the code on, with the pair undefined, until an instruction that
/// is none of these. Returns where it stands and the value of SCC.
fn run(code: &[u32], mut at: i64, mut scc: bool) -> (i64, bool) {
    let mut pair = [0xdead_beef_u32; 2];
    for _ in 0..20 {
        let (instr, len) = Instr::decode(&code[at as usize / 4..], Wave::W32).unwrap();
        let next = at + 4 * len as i64;
        let words = instr.encode();
        let literal = words.get(1).copied();
        let jump = next + 4 * i64::from(words[0] as u16 as i16);
        let half = |pair: &mut [u32; 2], carry: bool| {
            // The destination is in bits 16 to 22 of SOP2.
            let register = &mut pair[(words[0] >> 16 & 0x7f) as usize - 4];
            let sum = u64::from(*register) + u64::from(literal.unwrap()) + u64::from(carry);
            *register = sum as u32;
            sum >> 32 != 0
        };
        at = match instr.opcode() {
            Opcode::S_BRANCH => jump,
            Opcode::S_CBRANCH_SCC0 if !scc => jump,
            Opcode::S_CBRANCH_SCC1 if scc => jump,
            Opcode::S_CBRANCH_SCC0 | Opcode::S_CBRANCH_SCC1 => next,
            Opcode::S_GETPC_B64 => {
                pair = [next as u32, (next >> 32) as u32];
                next
            }
            Opcode::S_ADD_U32 => {
                scc = half(&mut pair, false);
                next
            }
            Opcode::S_ADDC_U32 => {
                scc = half(&mut pair, scc);
                next
            }
            Opcode::S_BITCMP1_B32 => {
                scc = pair[0] & 1 != 0;
                next
            }
            Opcode::S_BITSET0_B32 => {
                pair[0] &= !1;
                next
            }
            Opcode::S_SETPC_B64 => {
                assert_eq!(pair[0] % 4, 0);
                i64::from(pair[0]) | i64::from(pair[1]) << 32
            }
            _ => return (at, scc),
        };
    }
    panic!("the code does not end");
}

/// Code with a branch and its target this number of dwords apart, and the bytes of branch and target.
fn code_with_branch(
    condition: Option<Condition>,
    far: Far,
    dwords_between: i64,
) -> Result<(Vec<u32>, i64, i64), AssembleError> {
    let mut code = assembler();
    let end = s_endpgm(0).instr().unwrap().encode();
    let (target, from) = (code.new_label(), code.new_label());
    let fill = |code: &mut Assembler, count: i64| (0..count).for_each(|_| code.push(&end));
    let branch = |code: &mut Assembler| {
        code.bind(from);
        match condition {
            Some(condition) => code.branch_if(condition, target, far),
            None => code.branch(target, far),
        }
    };
    if dwords_between >= 0 {
        branch(&mut code);
        fill(&mut code, dwords_between);
        code.bind(target);
        fill(&mut code, 1);
    } else {
        code.bind(target);
        fill(&mut code, -dwords_between - 1);
        branch(&mut code);
        fill(&mut code, 1);
    }
    layout::relax(&mut code.streams, &code.labels)?;
    let (_, begin) = layout::place(from, &code.labels, &code.streams).unwrap();
    let (_, end) = layout::place(target, &code.labels, &code.streams).unwrap();
    Ok((dwords(&text(code)), begin as i64, end as i64))
}

#[test]
fn branches_reach_their_targets_at_and_beyond_the_limits() {
    for distance in [0, 1, 100, -2, 32_766, 32_767, 32_768, 32_769, 70_000, -32_767, -32_768, -32_769, -32_770, -70_000]
    {
        let is_near = i16::try_from(distance).is_ok();
        for (far, added) in [(Far::No, 0), (Far::ClobberScc(PAIR), 6), (Far::KeepScc(PAIR), 8)] {
            if far == Far::No && !is_near {
                let error = code_with_branch(None, far, distance).unwrap_err();
                assert!(matches!(error, AssembleError::OutOfRange { dwords, .. } if dwords == distance), "{error}");
                continue;
            }
            let (code, from, to) = code_with_branch(None, far, distance).unwrap();
            let (near, ..) = code_with_branch(None, Far::No, if is_near { distance } else { 0 }).unwrap();
            if is_near {
                assert_eq!(code, near);
            }
            for scc in [false, true] {
                let (at, after) = run(&code, from, scc);
                assert_eq!(at, to, "{distance} {far:?}");
                assert!(after == scc || matches!(far, Far::ClobberScc(_)), "{distance} {far:?}");
                for (condition, is_taken) in [(Condition::Scc1, scc), (Condition::Scc0, !scc)] {
                    let (code, from, to) = code_with_branch(Some(condition), far, distance).unwrap();
                    let (at, after) = run(&code, from, scc);
                    let next = from + 4 * if is_near { 1 } else { 1 + added };
                    assert_eq!(at, if is_taken { to } else { next }, "{distance} {far:?} {condition:?} {scc}");
                    assert!(after == scc || is_taken && matches!(far, Far::ClobberScc(_)));
                }
            }
        }
    }
}

#[test]
fn branches_that_grow_push_others_out_of_range() {
    // Each branch spans the others, so that one that becomes far moves the next beyond its limit.
    let mut code = assembler();
    let labels: Vec<Label> = (0..20).map(|_| code.new_label()).collect();
    let mut from = Vec::new();
    for label in &labels {
        from.push(code.bind_new());
        code.branch(*label, Far::KeepScc(PAIR));
    }
    let end = s_endpgm(0).instr().unwrap().encode();
    for _ in 0..32_767 - 10 {
        code.push(&end);
    }
    for label in &labels {
        code.bind(*label);
        code.push(&end);
    }
    layout::relax(&mut code.streams, &code.labels).unwrap();
    let place = |label| layout::place(label, &code.labels, &code.streams).unwrap().1 as i64;
    let places: Vec<(i64, i64)> = from.iter().zip(&labels).map(|(from, to)| (place(*from), place(*to))).collect();
    let is_far = code.streams[0]
        .fragments
        .iter()
        .filter(|fragment| matches!(fragment.kind, Variable::Branch { is_far: true, .. }));
    assert!(is_far.count() > 10);
    let code = dwords(&text(code));
    for (from, to) in places {
        assert_eq!(run(&code, from, true), (to, true));
    }
}

#[test]
fn data_and_code_are_aligned_and_padded() {
    let mut code = assembler();
    code.push(&[1]);
    code.align(16);
    code.push(&[2]);
    let bytes = text(code);
    assert_eq!(dwords(&bytes)[..5], [1, 0xbf80_0000, 0xbf80_0000, 0xbf80_0000, 2]);
    // The end is a whole cache line, and three more follow.
    assert_eq!(bytes.len(), 4 * 128);
    assert!(dwords(&bytes)[5..].iter().all(|dword| *dword == 0xbf9f_0000));
}

#[test]
fn jump_tables_hold_distances() {
    let mut code = assembler();
    let (first, second) = (code.new_label(), code.new_label());
    code.push(&[0]);
    code.bind(first);
    code.push_distance(second);
    code.push(&[0]);
    code.bind(second);
    code.push_distance(first);
    code.switch_to(SectionKind::ReadOnly);
    code.push(&[7]);
    code.push_distance(second);
    let object = code.finish().unwrap();
    assert_eq!(dwords(&object.sections[0].bytes)[..4], [0, 8, 0, (-8i32) as u32]);
    let target = RelocationTarget::Section(SectionId(0));
    assert_eq!(
        object.sections[1].relocations,
        [Relocation { offset: 4, kind: RelocationKind::Rel32, target, addend: 12 }]
    );
}

#[test]
fn kernels_functions_and_globals_are_linked() {
    let mut code = assembler();
    let end = s_endpgm(0).instr().unwrap().encode();
    let variable = code.declare("variable");
    code.begin_kernel("k");
    let helper = code.declare("helper");
    code.load_address(PAIR, helper);
    code.load_address(sgpr!(6..=7), variable);
    code.load_got_entry(sgpr!(8..=9), variable);
    code.push(&end);
    let settings = KernelSettings { next_free_sgpr: 10, ..KernelSettings::wave32() };
    code.end_kernel(&settings, KernelMetadata::new("k", &settings));
    assert_eq!(code.begin_function("helper", Scope::Hidden), helper);
    code.push(&end);
    code.end_function();
    code.switch_to(SectionKind::Data);
    assert_eq!(code.define_data("variable", Scope::Exported, 8, &[1, 2, 3, 4, 5, 6, 7, 8]), variable);
    code.push_address(helper, 4);
    let object = code.finish().unwrap();
    assert_eq!(object.symbols.iter().map(|symbol| symbol.size).collect::<Vec<_>>(), [8, 64, 4, 64]);
    let file = write_code_object(&object).unwrap();
    assert!(!file.is_empty());

    let descriptor = object.sections.iter().find(|section| section.name == ".rodata").unwrap();
    let bytes = descriptor.bytes.as_slice().try_into().unwrap();
    assert_eq!(KernelDescriptor::from_bytes(bytes), settings.descriptor().unwrap());
    assert_eq!((descriptor.relocations[0].offset, descriptor.relocations[0].addend), (16, 16));
}

#[test]
fn mistakes_are_errors() {
    let error = |f: fn(&mut Assembler)| {
        let mut code = assembler();
        f(&mut code);
        code.finish().unwrap_err()
    };
    let label = Label(0);
    assert_eq!(
        error(|code| {
            let label = code.new_label();
            code.branch(label, Far::No)
        }),
        AssembleError::Unbound { label }
    );
    assert_eq!(error(|code| code.bind(Label(3))), AssembleError::Unbound { label: Label(3) });
    assert_eq!(
        error(|code| {
            let label = code.bind_new();
            code.bind(label)
        }),
        AssembleError::BoundTwice { label }
    );
    assert_eq!(
        error(|code| {
            let label = code.bind_new();
            code.switch_to(SectionKind::Data);
            code.branch(label, Far::No)
        }),
        AssembleError::OtherSection { label }
    );
    assert_eq!(
        error(|code| {
            code.push_bytes(&[0]);
            let label = code.bind_new();
            code.push_bytes(&[0; 2]);
            code.branch(label, Far::No)
        }),
        AssembleError::Misaligned { label }
    );
    assert_eq!(error(|code| code.align(3)), AssembleError::Alignment { align: 3 });
    assert_eq!(
        error(|code| {
            code.push(&[0]);
            code.align(1 << 63)
        }),
        AssembleError::TooLarge
    );
    assert_eq!(
        error(|code| code.push_with_fixup(&[0], RelocationKind::Abs32, SymbolId(9), 0)),
        AssembleError::NoSymbol { index: 9 }
    );
    assert_eq!(error(|code| code.end_function()), AssembleError::NotBegun);
    assert_eq!(
        error(|code| {
            code.begin_kernel("k");
        }),
        AssembleError::Unfinished { name: "k".into() }
    );
    assert_eq!(
        error(|code| {
            code.begin_kernel("k");
            code.begin_function("f", Scope::Local);
        }),
        AssembleError::Nested { name: "f".into() }
    );
    assert_eq!(
        error(|code| {
            code.define_data("d", Scope::Local, 1, &[]);
            code.define_data("d", Scope::Local, 1, &[]);
        }),
        AssembleError::DefinedTwice { name: "d".into() }
    );
    let bad = error(|code| {
        code.begin_kernel("k");
        let settings = KernelSettings { next_free_vgpr: 600, ..KernelSettings::wave32() };
        code.end_kernel(&settings, KernelMetadata::new("k", &settings));
    });
    assert!(matches!(bad, AssembleError::Descriptor { error: DescriptorError::OutOfRange { .. }, .. }), "{bad}");
}

#[test]
fn literals_take_relocations_of_their_size() {
    for kind in RelocationKind::ALL {
        let mut code = assembler();
        let symbol = code.declare("x");
        code.push_with_fixup(&[0xbe80_00ff, 0], kind, symbol, 0);
        let error = (kind.field_size() != 4).then_some(AssembleError::Literal { kind });
        assert_eq!(code.finish().err(), error, "{kind:?}");
    }
    let mut code = assembler();
    let symbol = code.declare("x");
    code.push_with_fixup(&[], RelocationKind::Abs32, symbol, 0);
    assert_eq!(code.finish(), Err(AssembleError::Literal { kind: RelocationKind::Abs32 }));
}

#[test]
fn functions_end_where_they_begin() {
    let mut code = assembler();
    code.push(&[jump::nop(); 70]);
    code.begin_function("f", Scope::Exported);
    code.switch_to(SectionKind::Data);
    code.end_function();
    assert_eq!(code.finish(), Err(AssembleError::EndsElsewhere { name: "f".into() }));
}

#[test]
fn metadata_names_its_kernel() {
    let mut code = assembler();
    code.begin_kernel("a");
    let settings = KernelSettings::wave32();
    code.end_kernel(&settings, KernelMetadata::new("b", &settings));
    let error = code.finish().unwrap_err();
    assert_eq!(error.to_string(), "the metadata of kernel `a` names the symbol `b.kd`, not `a.kd`");
}
