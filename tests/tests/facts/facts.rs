//! Facts of opcodes for compilers: against LLVM's flags of instructions, and by example.

use ::rdna3::counter::{DelayClass, delay_class};
use ::rdna3::{Opcode, Pipeline, Wave, files};
use isa::body::BinaryOp;
use isa::facts::Operation;
use isa::inst::File;
use isa::{Access, Class, Type};

/// The comparison with LLVM's flags for a set of RDNA. `flags`: a word of each instruction, as wave size, bytes in hex, flags.
macro_rules! flags {
    ($module:ident, $flags:literal) => {
        mod $module {
            use ::$module::{Instr, Opcode, Pipeline, Wave};

            pub const FLAGS: &str = include_str!($flags);

            /// Returns the instruction with these bytes.
            pub fn decoded(hex: &str, wave: Wave) -> Instr {
                let bytes: Vec<u8> =
                    (0..hex.len() / 2).filter_map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).ok()).collect();
                let words: Vec<u32> =
                    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
                match Instr::decode(&words, wave) {
                    Ok((instr, _)) => instr,
                    Err(error) => error.noncanonical().unwrap_or_else(|| panic!("{hex}: {error}")),
                }
            }

            #[test]
            fn flags_agree_with_llvm() {
                let mut wrong = Vec::new();
                for line in FLAGS.lines() {
                    let columns: Vec<&str> = line.split('\t').collect();
                    let [wave, hex, flags] = columns[..] else { panic!("{line}") };
                    let instr = decoded(hex, if wave == "64" { Wave::W64 } else { Wave::W32 });
                    let opcode = instr.opcode();
                    let has = |flag: &str| flags.split(',').any(|f| f == flag);
                    // LLVM orders exports, messages and the like by calling them loads and stores. Waits for one counter inherit both,
                    // and S_RFE_B64, which returns from the trap handler, has no flags.
                    let is_outside = opcode.effects().is_external() && opcode.has_side_effects();
                    let is_wait = matches!(instr, Instr::Sopk(_)) && opcode.pipeline() == Pipeline::Control;
                    if is_outside || is_wait || opcode == Opcode::S_RFE_B64 {
                        continue;
                    }
                    let facts = [
                        ("load", opcode.may_load()),
                        ("store", opcode.may_store()),
                        ("branch", opcode.is_branch()),
                        ("call", opcode.is_call()),
                        ("term", opcode.is_terminator()),
                        // LLVM's barrier: the next instruction does not follow.
                        ("barrier", !opcode.falls_through()),
                        ("ret", opcode.effects().ends()),
                    ];
                    for (flag, ours) in facts {
                        if has(flag) != ours {
                            wrong.push(format!("{opcode}: {flag} is {ours}"));
                        }
                    }
                }
                wrong.sort();
                wrong.dedup();
                assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
            }
        }
    };
}

flags!(rdna3, "../../vectors/rdna3_flags.tsv");
flags!(rdna4, "../../vectors/rdna4_flags.tsv");

/// Mnemonics of LLVM's pseudo-instructions that RDNA3 has too, with their flag `isCommutable`: real instructions lack it.
const COMMUTABLE: &str = include_str!("../../vectors/rdna3_commutable.tsv");

/// Opcodes whose sources can be exchanged and that LLVM does not flag: their bodies are symmetric.
const UNFLAGGED: [&str; 24] = [
    "V_DOT2_BF16_BF16",
    "V_DOT2_F16_F16",
    "V_DOT2_F32_BF16",
    "V_DOT2_F32_F16",
    "V_DOT4_U32_U8",
    "V_DOT8_U32_U4",
    "V_MAX3_F16",
    "V_MAX3_F32",
    "V_MAX3_I16",
    "V_MAX3_U16",
    "V_MAXMIN_F16",
    "V_MAXMIN_F32",
    "V_MAXMIN_I32",
    "V_MAXMIN_U32",
    "V_MIN3_F16",
    "V_MIN3_F32",
    "V_MIN3_I16",
    "V_MIN3_U16",
    "V_MINMAX_F16",
    "V_MINMAX_F32",
    "V_MINMAX_I32",
    "V_MINMAX_U32",
    "V_PK_FMAC_F16",
    "V_XNOR_B32",
];

/// Beginnings of opcodes that LLVM flags and that have no opcode with exchanged sources, with the reason.
const FLAGGED: [(&str, &str); 12] = [
    ("S_ABSDIFF_I32", "symmetric, which the normal form of the body does not show"),
    ("S_ADDK_I32", "one source; the flag is that of S_ADD_I32"),
    ("S_MULK_I32", "one source; the flag is that of S_MUL_I32"),
    ("S_MAX_", "SCC tells which source is the result"),
    ("S_MIN_", "SCC tells which source is the result"),
    ("V_ASHRREV_I32", "its twin with exchanged sources exists before RDNA1 only"),
    ("V_LSHLREV_B32", "as V_ASHRREV_I32"),
    ("V_LSHRREV_B32", "as V_ASHRREV_I32"),
    ("V_CMP_F_", "reads no source"),
    ("V_CMP_T_", "reads no source"),
    ("V_CMPX_", "V_CMPX_F and V_CMPX_T read no source"),
    ("V_MED3_", "the builtin stands for floats too, where NaN makes a difference"),
];

#[test]
fn debug_output_of_an_opcode_is_its_variant() {
    let shown = format!("{:?} {:8?}| {:?}", Opcode::V_ADD_F32, Opcode::S_NOP, rdna3_5::Opcode::S_ADD_F32);
    assert_eq!(shown, "V_ADD_F32 S_NOP| S_ADD_F32");
    assert_eq!(format!("{:?}", isa_tests::rv32i::Opcode::JAL), "JAL");
    for opcode in Opcode::ALL {
        assert_eq!(format!("{opcode:?}"), opcode.name());
    }
}

#[test]
fn commutability_agrees_with_llvm() {
    let (mut equal, mut unflagged) = (0, Vec::new());
    for line in COMMUTABLE.lines() {
        let (name, flag) = line.split_once('\t').unwrap_or_else(|| panic!("{line}"));
        let Some(opcode) = Opcode::ALL.into_iter().find(|opcode| opcode.name() == name) else { continue };
        match (flag == "1", opcode.commuted().is_some()) {
            (theirs, ours) if theirs == ours => equal += 1,
            (false, _) => unflagged.push(name),
            (true, _) => assert!(FLAGGED.iter().any(|(of, _)| name.starts_with(of)), "LLVM flags {name}"),
        }
    }
    unflagged.sort_unstable();
    assert_eq!(unflagged, UNFLAGGED);
    assert!(equal >= 565, "{equal} opcodes have LLVM's flag");
}

#[test]
fn control_flow_follows_from_bodies() {
    use Opcode::{S_BRANCH, S_CALL_B64, S_CBRANCH_SCC0, S_CBRANCH_SCC1, S_ENDPGM, S_SETPC_B64, S_SWAPPC_B64, S_TRAP};
    assert!(S_BRANCH.is_branch() && !S_BRANCH.is_conditional_branch() && !S_BRANCH.is_indirect_branch());
    assert!(S_CBRANCH_SCC0.is_conditional_branch() && S_CBRANCH_SCC0.falls_through());
    assert_eq!(S_CBRANCH_SCC0.inverse(), Some(S_CBRANCH_SCC1));
    assert!(S_SETPC_B64.is_indirect_branch() && !S_SETPC_B64.is_call() && !S_SETPC_B64.falls_through());
    assert!([S_SWAPPC_B64, S_CALL_B64].iter().all(|call| call.is_call() && !call.is_terminator()));
    assert!(S_ENDPGM.is_terminator() && !S_ENDPGM.is_branch());
    assert!(!S_TRAP.is_branch() && S_TRAP.has_side_effects());
}

#[test]
fn effects_that_forbid_motion_follow_from_bodies() {
    use Opcode as O;
    let acting = [O::S_BARRIER, O::S_NOP, O::S_WAITCNT, O::EXPORT, O::S_SENDMSG, O::S_SENDMSG_RTN_B32, O::S_SETREG_B32];
    assert_eq!(acting.map(O::has_side_effects), [true; 7]);
    assert_eq!([O::V_ADD_F32, O::S_ADD_U32, O::GLOBAL_LOAD_B32, O::IMAGE_SAMPLE].map(O::has_side_effects), [false; 4]);
    let convergent = [O::V_READLANE_B32, O::V_READFIRSTLANE_B32, O::DS_BPERMUTE_B32, O::S_BARRIER];
    assert_eq!(convergent.map(O::is_convergent), [true; 4]);
    assert!(!O::V_ADD_F32.is_convergent());
    let pure = [O::S_MOV_B32, O::V_MOV_B32, O::V_ADD_F32, O::V_BFE_U32];
    assert_eq!(pure.map(O::is_rematerializable), [true; 4]);
    let others = [
        O::V_FMAC_F32,
        O::S_ADD_U32,
        O::S_CSELECT_B32,
        O::GLOBAL_LOAD_B32,
        O::V_READLANE_B32,
        O::S_GETPC_B64,
        O::S_GETREG_B32,
    ];
    assert_eq!(others.map(O::is_rematerializable), [false; 7]);
}

#[test]
fn related_opcodes() {
    use Opcode as O;
    assert_eq!(O::V_SUB_F32.commuted(), Some(O::V_SUBREV_F32));
    assert_eq!(O::V_SUB_CO_CI_U32.commuted(), Some(O::V_SUBREV_CO_CI_U32));
    assert!(O::V_ADD_F32.is_commutative() && O::V_FMA_F32.is_commutative() && O::V_FMAC_F32.is_commutative());
    assert_eq!(O::V_LSHLREV_B32.commuted(), None);
    assert_eq!(O::S_CMP_LT_I32.commuted(), Some(O::S_CMP_GT_I32));
    assert_eq!(O::V_CMP_LT_F32.commuted(), Some(O::V_CMP_GT_F32));
    // With NaN neither `<` nor `>=` holds.
    assert_eq!(O::V_CMP_LT_F32.inverse(), Some(O::V_CMP_NLT_F32));
    assert_eq!(O::V_CMP_LG_F32.inverse(), Some(O::V_CMP_NLG_F32));
    assert_eq!(O::V_CMP_O_F64.inverse(), Some(O::V_CMP_U_F64));
    assert_eq!(O::V_CMP_LT_I32.inverse(), Some(O::V_CMP_GE_I32));
    assert_eq!(O::V_CMPX_EQ_U64.inverse(), Some(O::V_CMPX_NE_U64));
    assert_eq!(O::S_BITCMP0_B32.inverse(), Some(O::S_BITCMP1_B32));
    assert_eq!(O::V_ADD_F32.inverse(), None);
    assert_eq!(O::V_FMA_F32.two_address(), Some(O::V_FMAC_F32));
    assert_eq!(O::V_FMAC_F16.three_address(), Some(O::V_FMA_F16));
    assert_eq!(O::V_DOT2_F32_F16.two_address(), Some(O::V_DOT2ACC_F32_F16));
    assert_eq!(O::V_PK_FMA_F16.two_address(), Some(O::V_PK_FMAC_F16));
    assert_eq!(
        (O::V_FMA_F32.with_literal(2), O::V_FMA_F32.with_literal(3)),
        (Some(O::V_FMAMK_F32), Some(O::V_FMAAK_F32))
    );
    assert_eq!(O::V_FMAAK_F16.without_literal(), Some(O::V_FMA_F16));
    assert_eq!(O::V_FMA_MIX_F32.with_literal(2), None);
    assert_eq!(O::S_SETREG_B32.with_literal(1), Some(O::S_SETREG_IMM32_B32));
    assert_eq!(O::S_CMP_LG_U32.with_constant(1), Some(O::S_CMPK_LG_U32));
    assert_eq!(O::S_CMPK_GT_I32.without_constant(), Some(O::S_CMP_GT_I32));
    let short_forms = [(O::S_ADD_I32, 2), (O::S_MUL_I32, 2), (O::S_MOV_B32, 1), (O::S_CMOV_B32, 1)];
    let shortened = short_forms.map(|(opcode, source)| opcode.with_constant(source));
    assert_eq!(shortened, [O::S_ADDK_I32, O::S_MULK_I32, O::S_MOVK_I32, O::S_CMOVK_I32].map(Some));
    assert_eq!(O::S_MOVK_I32.without_constant(), Some(O::S_MOV_B32));
    assert_eq!(O::S_ADDK_I32.without_constant(), Some(O::S_ADD_I32));
    assert_eq!((O::V_MOV_B32.with_constant(1), O::S_ADD_U32.with_constant(2)), (None, None));
}

#[test]
fn operations_follow_from_bodies() {
    use BinaryOp as B;
    use Opcode as O;
    let ty = |class, bits| Type::new(class, bits, 1);
    let (f32, u32, b32) = (ty(Class::Float, 32), ty(Class::Unsigned, 32), ty(Class::Bits, 32));
    for (opcode, operator, ty, sources) in [
        (O::V_ADD_F32, B::Add, f32, [1, 2]),
        (O::V_SUBREV_F32, B::Sub, f32, [2, 1]),
        (O::V_ADD_NC_U32, B::Add, u32, [1, 2]),
        (O::V_MUL_LO_U32, B::Mul, u32, [1, 2]),
        // The first source is the distance.
        (O::V_LSHLREV_B32, B::Shl, b32, [2, 1]),
        (O::S_LSHR_B32, B::Shr, b32, [1, 2]),
        // SCC is written, too.
        (O::S_AND_B32, B::And, b32, [1, 2]),
        (O::V_CMP_LE_F64, B::Le, ty(Class::Float, 64), [1, 2]),
        (O::V_CMP_NE_U32, B::Ne, u32, [1, 2]),
    ] {
        assert_eq!(opcode.operation(), Some(Operation { operator, ty, result: 0, sources }), "{opcode}");
    }
    // Three sources, a second result, no operator, memory, no operand for the result.
    let others = [O::V_FMA_F32, O::V_ADD_CO_U32, O::V_MOV_B32, O::DS_ADD_U32, O::V_CMPX_LT_F32, O::V_CMP_NLT_F32];
    assert_eq!(others.map(O::operation), [None; 6]);
    let found = |operator, ty| {
        let is_wanted = |operation: &Operation| (operation.operator, operation.ty) == (operator, ty);
        let vector = O::ALL.iter().filter(|opcode| opcode.pipeline() == Pipeline::Valu);
        vector.copied().find(|opcode| opcode.operation().filter(is_wanted).is_some())
    };
    assert_eq!(found(B::Sub, f32), Some(O::V_SUB_F32));
    assert_eq!(found(B::Shr, ty(Class::Signed, 32)), Some(O::V_ASHRREV_I32));
    assert_eq!(found(B::Rem, u32), None);
}

#[test]
fn encodings_and_operands_of_opcodes() {
    let encodings = |opcode: Opcode| -> Vec<String> {
        let dwords = |e: &isa::facts::Encoding<::rdna3::Rdna3>| e.suffix_dwords().collect::<Vec<_>>().join("+");
        opcode.encodings().map(|e| format!("{}{} {} {}", e.format(), e.suffix(), e.number(), dwords(&e))).collect()
    };
    assert_eq!(
        encodings(Opcode::V_ADD_F32),
        ["VOP2_e32 3 DPP16+DPP8+LITERAL", "VOP3_e64 259 DPP16_VOP3+DPP8+LITERAL", "VOPD 4 LITERAL", "VOPD 4 LITERAL"]
    );
    assert_eq!(encodings(Opcode::V_FMAMK_F32)[0], "VOP2_e32 44 LITERAL");
    assert_eq!(Opcode::V_ADD_F32.dual_components(), [true, true]);
    assert_eq!(Opcode::V_AND_B32.dual_components(), [false, true]);
    assert_eq!(Opcode::V_ADD_F64.dual_components(), [false, false]);
    let add = Opcode::V_ADD_F32.encodings().next().expect("an encoding");
    assert_eq!(add.field("s1").map(|f| (f.name, f.suffix_dword)), Some(("VSRC1", 0)));
    assert_eq!(add.field("dpp_ctrl").map(|f| f.name), Some("DPP_CTRL"));
    assert_eq!(add.field("s2").map(|f| f.name), None);

    let operands: Vec<_> = Opcode::V_ADD_CO_CI_U32.operands().map(|o| (o.role, o.access, o.ty.to_string())).collect();
    let u32 = || "u32".to_string();
    let mask = || "mask".to_string();
    assert_eq!(
        operands,
        [
            ("d", Access::Write, u32()),
            ("sd", Access::Write, mask()),
            ("s0", Access::Read, u32()),
            ("s1", Access::Read, u32()),
            ("s2", Access::Read, mask())
        ]
    );
    let class = Opcode::V_ADD_F32.register_class(1, Wave::W32).expect("a class");
    let files: Vec<File> = class.files.iter().map(|range| range.file).collect();
    assert!(files.contains(&File(files::VGPR)) && files.contains(&File(files::SGPR)) && class.takes_constants);
    // Scalar registers are aligned to their number, vector registers are not.
    let alignment = |opcode: Opcode, operand: usize, file: u8| {
        let class = opcode.register_class(operand, Wave::W32).expect("a class");
        class.files.iter().find(|range| range.file == File(file)).map(|range| range.align)
    };
    assert_eq!(alignment(Opcode::S_LOAD_B32, 0, files::SGPR), Some(1));
    assert_eq!(alignment(Opcode::S_LOAD_B64, 0, files::SGPR), Some(2));
    assert_eq!(alignment(Opcode::S_LOAD_B256, 0, files::SGPR), Some(4));
    assert_eq!(alignment(Opcode::S_ADD_U32, 0, files::SGPR), Some(1));
    assert_eq!(alignment(Opcode::S_AND_B64, 1, files::SGPR), Some(2));
    assert_eq!(alignment(Opcode::BUFFER_LOAD_B32, 2, files::SGPR), Some(4));
    assert_eq!(alignment(Opcode::V_ADD_F64, 1, files::SGPR), Some(2));
    assert_eq!(alignment(Opcode::V_ADD_F64, 1, files::VGPR), Some(1));
    assert!(Opcode::V_ADD_F32.register_class(3, Wave::W32).is_none());
}

#[test]
fn pipelines() {
    use Opcode as O;
    use Pipeline::*;
    for (opcode, pipeline) in [
        (O::S_ADD_U32, Salu),
        (O::S_SETREG_B32, Salu),
        (O::V_ADD_F32, Valu),
        (O::V_RCP_F32, Transcendental),
        (O::V_WMMA_F32_16X16X16_F16, Wmma),
        (O::V_DUAL_DOT2ACC_F32_BF16, Valu),
        (O::GLOBAL_LOAD_B32, VmemLoad),
        (O::FLAT_STORE_B32, VmemStore),
        (O::BUFFER_ATOMIC_ADD_U32, VmemAtomic),
        (O::IMAGE_SAMPLE, VmemSample),
        (O::IMAGE_LOAD, VmemLoad),
        (O::IMAGE_BVH_INTERSECT_RAY, VmemSample),
        (O::BUFFER_GL0_INV, VmemLoad),
        (O::S_LOAD_B32, Smem),
        (O::DS_LOAD_B32, Lds),
        (O::LDS_DIRECT_LOAD, Lds),
        (O::EXPORT, Export),
        (O::S_BRANCH, Branch),
        (O::S_SETPC_B64, Branch),
        (O::S_CALL_B64, Branch),
        (O::S_SENDMSG, Message),
        (O::S_SENDMSG_RTN_B32, Message),
        (O::S_WAITCNT, Control),
        (O::S_WAITCNT_VSCNT, Control),
        (O::S_BARRIER, Control),
        (O::S_ENDPGM, Control),
    ] {
        assert_eq!(opcode.pipeline(), pipeline, "{opcode}");
    }
}

#[test]
fn classes_of_delays_follow_from_pipelines() {
    for line in rdna3::FLAGS.lines() {
        let mut columns = line.split('\t');
        let (Some(wave), Some(hex)) = (columns.next(), columns.next()) else { panic!("{line}") };
        let instr = rdna3::decoded(hex, if wave == "64" { Wave::W64 } else { Wave::W32 });
        let of_pipeline = DelayClass::of(instr.opcode().pipeline());
        // Branches in scalar formats wait like other scalar instructions.
        if instr.opcode().pipeline() != Pipeline::Branch {
            assert_eq!(delay_class(&instr), of_pipeline, "{instr}");
        }
    }
}
