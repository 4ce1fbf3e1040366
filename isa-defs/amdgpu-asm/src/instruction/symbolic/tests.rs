//! Symbols in operands, against llvm-mc's bytes: in known cases, and by asking it where it is installed.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use amdgpu_arch::Wave;
use object::{Object as _, ObjectSection as _};

use crate::options::Options;
use crate::target::Target;

/// The bytes of `.text`, or the lines with errors, counted from 0, and what is wrong with each.
fn assemble(source: &str) -> Result<Vec<u8>, Vec<(usize, String)>> {
    let line = |at: usize| source.bytes().take(at).filter(|byte| *byte == b'\n').count();
    let assembly = crate::assemble(source, &Options::new(Target::parse("rdna3").unwrap(), Wave::W32));
    assembly
        .map(|assembly| assembly.text().to_vec())
        .map_err(|errors| errors.iter().map(|error| (line(error.span.start), error.message.clone())).collect())
}

#[track_caller]
fn bytes(source: &str, hex: &str) {
    let bytes = assemble(source).unwrap_or_else(|errors| panic!("{source}: {errors:?}"));
    assert_eq!(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>(), hex, "{source}");
}

#[track_caller]
fn refused(source: &str, message: &str) {
    let errors = assemble(source).expect_err(source);
    assert!(errors.iter().any(|(_, said)| said.contains(message)), "{source}: {errors:?}");
}

#[test]
fn registers_and_modifiers_win_over_symbols() {
    bytes(".set s1, 7\n.set k, 3\ns_add_u32 s0, s1, k\n", "01830080");
    bytes(".set k, 3\n.set glc, 1\nglobal_load_b32 v0, v[2:3], off offset:k+1 glc\n", "044052dc02007c00");
    bytes(".set off, 3\nglobal_load_b32 v0, v[2:3], off\n", "000052dc02007c00");
    bytes(".set done, 1\nexp mrt0 v0, v1, v2, v3 done\n", "0f0800f800010203");
    // Names that begin like a register.
    bytes(".set v, 1\ns_mov_b32 s0, v\n", "810080be");
    bytes(".set v0x, 1\ns_mov_b32 s0, v0x\n", "810080be");
    // Where the operand can only be a number, and within an expression, a register's name is a symbol.
    bytes(".set v0, 5\nds_load_b32 v0, v1 offset:v0\n", "0500d8d801000000");
    bytes(".set v0, 5\ns_mov_b32 s0, 1+v0\n", "860080be");
    for name in ["v256", "s106", "a0", "acc0", "tba", "vccz", "v1.l"] {
        let errors = assemble(&format!(".set {name}, 1\ns_mov_b32 s0, {name}\n"));
        assert!(errors.is_err(), "{name}");
    }
}

#[test]
fn known_values_are_numbers() {
    let known = |line: &str, hex: &str| bytes(&format!(".set k, 3\n{line}\n"), hex);
    known("v_mov_b32 v0, -k", "c302007e");
    known("v_fma_f32 v0, |k|, v1, v2", "000113d683020a04");
    known("v_fma_f32 v0, -|k|, v1, v2", "000113d683020a24");
    known("v_fma_f32 v0, neg(k), v1, v2", "000013d683020a24");
    known("v_fma_f32 v0, abs(k+1), v1, v2", "000113d684020a04");
    known("v_fma_f32 v0, |-k|, v1, v2", "000113d6c3020a04");
    known("v_add_f32 v0, lit(k), v1", "ff02000603000000");
    known("v_mov_b32_dpp v0, v1 row_shl:k row_mask:k bank_mask:k", "fa02007e01030133");
    known("v_mov_b32_dpp v0, v1 quad_perm:[k,k,0,1]", "fa02007e014f00ff");
    known("v_mov_b32_dpp v0, v1 dpp8:[k,k,0,1,2,3,4,5] fi:k", "ea02007e011ba2b1");
    known("ds_load_2addr_b32 v[0:1], v2 offset0:k offset1:k+1", "0304dcd802000000");
    known("image_load v[0:1], v[0:1], s[0:7] dmask:k dim:SQ_RSRC_IMG_2D", "040300f000000000");
    known("s_waitcnt vmcnt(k)", "f70f89bf");
    known("s_sendmsg sendmsg(k)", "0300b6bf");
    known("s_getreg_b32 s0, hwreg(HW_REG_MODE, k, k)", "c11080b8");
    known("s_mov_b64 s[k+1:k+2], 0", "800184be");
    known("s_branch k+1", "0400a0bf");
    known("s_mov_b64 s[0:1], k", "830180be");
    known("s_add_u32 s0, max(1,2), s1", "82010080");
    refused(".set k, 3\nv_fma_f32 v0, |k+1|, v1, v2\n", "expected `|`");
    refused(".set k, 3\nv_dual_mov_b32 v0, k :: v_dual_mov_b32 v1, k\n", "expected");
}

#[test]
fn later_values_are_literals_and_distances() {
    bytes("s_mov_b32 s0, l\nl:\n", "ff0080be04000000");
    bytes("a: s_nop 0\nb: s_mov_b32 s0, b-a\n", "000080bfff0080be04000000");
    bytes("s_add_u32 s0, s0, (b-a)&4294967295\na: s_nop 0\nb:\n", "00ff008004000000000080bf");
    bytes("v_mov_b32 v0, -(b-a)\na: s_nop 0\nb:\n", "ff02007efcffffff000080bf");
    bytes("l: s_branch l\ns_call_b64 s[0:1], l\n", "ffffa0bffeff00ba");
    let later = |line: &str, message: &str| refused(&format!("{line}\nl:\n"), message);
    later("s_branch l+4", "without operators");
    later("s_add_u32 s0, l, l", "one literal");
    later("s_add_u32 s0, lit(0), l", "one literal");
    for line in [
        "s_mov_b64 s[0:1], l",
        "v_add_f16 v0, l, v1",
        "s_movk_i32 s0, l",
        "s_nop l",
        "s_waitcnt vmcnt(l)",
        "v_fma_f32 v0, l, v1, v2",
        "v_fma_f32 v0, |l|, v1, v2",
        "v_fma_f32 v0, lit(l), v1, v2",
        "v_fmaak_f32 v0, v1, v2, l",
        "s_setreg_imm32_b32 0, l",
        "s_load_b32 s0, s[2:3], l",
        "ds_load_b32 v0, v1 offset:l",
        "v_mov_b32_dpp v0, v1 row_shl:l",
    ] {
        later(line, "neither an operand nor a number that is defined before this line");
        refused(&format!("l: {line}\n"), "depends on addresses");
    }
    refused("s_branch vcc_lo\nvcc_lo:\n", "a register's name is not a label");
    refused("s_mov_b32 s0, k\n.set k, 3\n", "not known before this line");
    refused("s_branch k\n.set k, 3\n", "before the branch");
}

#[test]
fn names_that_nothing_defines_are_refused() {
    refused("s_mov_b32 s0, vcc_l\n", "`vcc_l` is neither an operand nor defined");
    refused("v_add_f32 v0, v256, v1\n.set v256, 1\n", "no such register");
    refused("s_sendmsg sendmsg(MSG_INTERUPT)\n", "`MSG_INTERUPT` is neither");
    refused("s_branch nowhere\n", "`nowhere`");
    refused("s_branch 1b\n", "no label `1` precedes this");
    refused("s_branch 1f\n", "no label `1` follows this");
    refused(".set k, 0\ns_mov_b32 s0, 4/k\n", "division by zero");
    refused(".set k, 0\ns_mov_b32 s0, k@nothing\n", "expected a relocation specifier");
    bytes("s_mov_b32 s0, extern@rel32@lo+4\n", "ff0080be00000000");
}

/// Names that mean something in operands, and some that do not.
const NAMES: &[&str] = &[
    "s1",
    "v0",
    "v1",
    "v256",
    "s106",
    "v",
    "s",
    "m0",
    "exec_lo",
    "vcc",
    "vcc_lo",
    "null",
    "scc",
    "glc",
    "slc",
    "dlc",
    "gds",
    "offset",
    "offset0",
    "dmask",
    "done",
    "off",
    "lit",
    "neg",
    "abs",
    "sext",
    "dim",
    "row_shl",
    "clamp",
    "mul",
    "vmcnt",
    "hwreg",
    "sendmsg",
    "MSG_INTERRUPT",
    "HW_REG_MODE",
    "VALU_DEP_1",
    "QUAD_PERM",
    "a0",
    "acc1",
    "ttmp3",
    "ttmp",
    "tba",
    "pc",
    "src_scc",
    "shared_base",
    "lds_direct",
    "max",
    "or",
    "mrt0",
    "attr0",
    "SQ_RSRC_IMG_2D",
    "idxen",
    "offen",
    "tfe",
    "lwe",
    "r128",
    "k",
    "_x",
    "a.b",
    "v_mov_b32",
    "instid0",
    "format",
    "BUF_FMT_32_FLOAT",
    "quad_perm",
    "swizzle",
    "op_sel",
    "wait_vdst",
    "nv",
    "v1x",
    "exec_low",
    "noglc",
    "lit64",
];

/// Lines with a name in the place of `$`.
const LINES: &[&str] = &[
    "s_mov_b32 s0, $",
    "s_mov_b32 s0, $+1",
    "s_mov_b32 s0, -$",
    "s_mov_b32 s0, ($)",
    "s_mov_b32 s0, 1+$",
    "s_add_u32 s0, s1, $",
    "s_add_u32 s0, $, s1",
    "s_add_u32 $, s0, s1",
    "s_mov_b64 s[0:1], $",
    "s_mov_b64 vcc, exec",
    "s_mov_b32 s[$], 0",
    "s_movk_i32 s0, $",
    "s_nop $",
    "s_branch $",
    "s_cbranch_vccz $+1",
    "s_call_b64 s[0:1], $",
    "s_waitcnt $",
    "s_waitcnt vmcnt($)",
    "s_waitcnt vmcnt(0) lgkmcnt(1)",
    "s_sendmsg $",
    "s_sendmsg sendmsg($)",
    "s_sendmsg sendmsg(MSG_INTERRUPT)",
    "s_getreg_b32 s0, hwreg($)",
    "s_getreg_b32 s0, hwreg(HW_REG_MODE, 1, $)",
    "s_getreg_b32 s0, $",
    "s_delay_alu $",
    "s_delay_alu instid0(VALU_DEP_1)",
    "s_load_b32 s0, s[2:3], $",
    "s_load_b32 s0, s[2:3], 0x4 glc",
    "s_load_b32 s0, s[2:3], s1 offset:$",
    "s_load_b32 s0, s[2:3], m0",
    "v_mov_b32 v0, $",
    "v_add_f32 v0, $, v1",
    "v_add_f32 v0, -$, v1",
    "v_add_f32 v0, v1, $",
    "v_add_f16 v0, $, v1",
    "v_add_f64 v[0:1], $, v[2:3]",
    "v_fma_f32 v0, $, v1, v2",
    "v_fma_f32 v0, |$|, v1, v2",
    "v_fma_f32 v0, -|v1|, v1, $",
    "v_fma_f32 v0, neg($), v1, v2 clamp mul:2",
    "v_fma_f32 v0, lit($), v1, v2",
    "v_mul_f32 v0, v1, v2 mul:$",
    "v_add3_u32 v0, v1, $, v2",
    "v_cmp_eq_u32 vcc_lo, $, v1",
    "v_cndmask_b32 v0, v1, v2, vcc_lo",
    "v_fmaak_f32 v0, v1, v2, $",
    "v_fmamk_f32 v0, v1, $, v2",
    "v_pk_add_f16 v0, $, v1",
    "v_pk_add_f16 v0, v1, v2 op_sel:[1,$]",
    "v_dual_mov_b32 v0, 1 :: v_dual_mov_b32 v1, $",
    "v_mov_b32_dpp v0, v1 row_shl:$",
    "v_mov_b32_dpp v0, v1 quad_perm:[$,0,1,2] row_mask:$ bank_mask:0x1 bound_ctrl:1",
    "v_mov_b32_dpp v0, v1 dpp8:[0,1,2,3,4,5,6,$]",
    "v_readlane_b32 s0, v1, $",
    "ds_load_b32 v0, v1 offset:$",
    "ds_load_b32 v0, v1 offset:$ gds",
    "ds_load_b32 v0, v1 offset:4*$+1 gds",
    "ds_load_2addr_b32 v[0:1], v2 offset0:$ offset1:1",
    "ds_swizzle_b32 v0, v1 offset:$",
    "ds_swizzle_b32 v0, v1 offset:swizzle(BROADCAST,4,$)",
    "global_load_b32 v0, v[2:3], off offset:$ glc slc",
    "global_load_b32 v0, v[2:3], off",
    "global_load_b32 v0, v[2:3], $",
    "global_load_b32 v0, v2, s[2:3] glc",
    "flat_load_b32 v0, v[2:3] offset:$",
    "scratch_load_b32 v0, off, s1 offset:$",
    "buffer_load_b32 v0, off, s[4:7], $",
    "buffer_load_b32 v0, v1, s[4:7], s1 offen offset:$",
    "buffer_load_b32 v0, v1, s[4:7], 0 idxen glc slc",
    "tbuffer_load_format_x v0, off, s[0:3], s1 format:$",
    "image_load v[0:1], v[0:1], s[0:7] dmask:$ dim:SQ_RSRC_IMG_2D",
    "image_load v0, v[0:1], s[0:7] dmask:0x1 dim:$",
    "image_load v0, v[0:1], s[0:7] dmask:0x1 dim:SQ_RSRC_IMG_2D glc r128",
    "exp mrt0 v0, v1, v2, v3 done",
    "exp $ v0, v1, v2, v3",
    "v_interp_p10_f32 v0, v1, v2, v3 wait_exp:$",
    "lds_param_load v0, attr0.x wait_vdst:$",
    "s_setreg_imm32_b32 hwreg(HW_REG_MODE), $",
    "s_version UC_VERSION_GFX11",
];

/// The bytes of `.text` as llvm-mc has them, or the lines with errors, counted from 0; `None` without it.
fn llvm(source: &str) -> Option<Result<Vec<u8>, BTreeSet<usize>>> {
    let program = std::env::var("LLVM_MC").unwrap_or_else(|_| "llvm-mc-22".into());
    let mut child = Command::new(program)
        .args(["-triple=amdgcn-amd-amdhsa", "-mcpu=gfx1100", "-filetype=obj"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    let writer = {
        let source = source.to_string();
        std::thread::spawn(move || input.write_all(source.as_bytes()))
    };
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    if output.status.success() {
        let file = object::File::parse(&*output.stdout).expect("an object file");
        let text = file.section_by_name(".text").expect("a .text section");
        return Some(Ok(text.data().expect("its bytes").to_vec()));
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors = said.lines().filter(|line| line.contains(": error: "));
    let lines = errors.filter_map(|line| line.strip_prefix("<stdin>:")?.split(':').next()?.parse::<usize>().ok());
    let lines: BTreeSet<usize> = lines.map(|line| line - 1).collect();
    assert!(!lines.is_empty(), "llvm-mc gives no line: {said}");
    Some(Err(lines))
}

/// An assembler: returns the bytes of `.text` or the lines with errors; `None` if it is not installed.
type Assembler = fn(&str) -> Option<Result<Vec<u8>, BTreeSet<usize>>>;

fn ours(source: &str) -> Option<Result<Vec<u8>, BTreeSet<usize>>> {
    Some(assemble(source).map_err(|errors| errors.into_iter().map(|(line, _)| line).collect()))
}

/// Lines and the definitions around them.
struct Case {
    before: String,
    lines: Vec<String>,
    after: String,
}

impl Case {
    fn source(&self, left_out: impl Fn(usize) -> bool) -> String {
        let lines = self.lines.iter().enumerate().map(|(at, line)| if left_out(at) { "" } else { line });
        format!("{}{}\n{}", self.before, lines.collect::<Vec<_>>().join("\n"), self.after)
    }

    /// The lines that an assembler refuses. Some errors are found only in a program that has no others.
    fn refused(&self, assemble: Assembler) -> Option<BTreeSet<usize>> {
        let first = self.before.lines().count();
        let mut refused = BTreeSet::new();
        while let Err(more) = assemble(&self.source(|at| refused.contains(&at)))? {
            let more: BTreeSet<usize> = more.into_iter().map(|line| line - first).collect();
            assert!(more.iter().any(|at| *at < self.lines.len() && !refused.contains(at)), "{}", self.before);
            refused.extend(more);
        }
        Some(refused)
    }

    /// The bytes of some lines and the definitions.
    fn bytes(&self, assemble: Assembler, lines: &[usize]) -> Option<Vec<u8>> {
        assemble(&self.source(|at| !lines.contains(&at)))?.ok()
    }
}

/// Definitions of a name, with `$` in place of the name, and whether they precede the lines.
const DEFINITIONS: [(&str, bool); 5] =
    [(".set $, 3\n", true), ("$: s_nop 0\n", true), (".set $, 3\n", false), ("$: s_nop 0\n", false), ("", true)];

#[test]
fn every_name_in_every_operand_is_what_llvm_takes_it_for() {
    if isa_tests::needs::llvm_mc("symbols in operands against LLVM").is_none() {
        return;
    }
    let (mut accepted, mut differences) = (0, Vec::new());
    for (definition, first) in DEFINITIONS {
        let defined = |name: &str| definition.replace('$', name);
        // Relocations to symbols that nothing defines, and to numbers that are defined later, are refused.
        let crashes = !first && definition.starts_with('.');
        let strict = definition.is_empty() || crashes;
        for names in NAMES.chunks(16) {
            let definitions: String = names.iter().map(|name| defined(name)).collect();
            let (before, after) = if first { (definitions, String::new()) } else { (String::new(), definitions) };
            // llvm-mc crashes on branches to numbers that are defined later.
            let lines = LINES.iter().filter(|line| !crashes || !(line.contains("branch") || line.contains("call")));
            let lines = names.iter().flat_map(|name| lines.clone().map(|line| line.replace('$', name)));
            let case = Case { before, lines: lines.collect(), after };
            let theirs = case.refused(llvm).expect("llvm-mc answers");
            let our = case.refused(ours).unwrap_or_default();
            let difference = |what: &str, at: usize| format!("{what}, with `{definition}`: {}", case.lines[at]);
            differences.extend(theirs.difference(&our).map(|at| difference("accepted, but LLVM refuses it", *at)));
            if !strict {
                // These are registers, which our rules keep from where LLVM encodes another.
                let registers = |at: &&usize| !["scc", "lds_direct"].iter().any(|name| case.lines[**at].contains(name));
                differences.extend(
                    our.difference(&theirs).filter(registers).map(|at| difference("refused, but LLVM takes it", *at)),
                );
            }
            let both = (0..case.lines.len()).filter(|at| !our.contains(at) && !theirs.contains(at));
            let both: Vec<usize> = both.collect();
            accepted += both.len();
            let same = |lines: &[usize]| case.bytes(ours, lines) == case.bytes(llvm, lines);
            if !same(&both) {
                differences.extend(both.iter().filter(|at| !same(&[**at])).map(|at| difference("other bytes", *at)));
            }
        }
    }
    assert!(differences.is_empty(), "{}: {differences:#?}", differences.len());
    assert!(accepted > 10_000, "{accepted}");
}
