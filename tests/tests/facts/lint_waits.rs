//! Random programs: with the waits that the lint suggests inserted, it has nothing more to suggest.

use isa_tests::property;
use proptest::prelude::*;
use proptest::sample::select;
use rdna3::counter::Counter;
use rdna3::isa::{self, Options};
use rdna3::lint::{Finding, Program};
use rdna3::{Instr, Rdna3, Wave};

/// A line of a random program.
#[derive(Clone, Debug)]
enum Line {
    Instr(String),
    /// A branch to a line by its index, modulo their number.
    Branch(&'static str, usize),
}

/// The instructions, branch targets resolved.
fn assemble(lines: &[Line]) -> Vec<Instr> {
    // Waits that add an SGPR are decodable and break a rule of the parser.
    let options = Options { lenient: true, ..Options::from(Wave::W32) };
    let parse = |text: &str| isa::parse::<Rdna3>(text, options).unwrap_or_else(|e| panic!("{text}: {e}"));
    let first: Vec<Instr> = lines
        .iter()
        .map(|line| match line {
            Line::Instr(text) => parse(text),
            Line::Branch(mnemonic, _) => parse(&format!("{mnemonic} 0")),
        })
        .collect();
    let mut offsets = vec![0i64];
    for instr in &first {
        offsets.push(offsets[offsets.len() - 1] + instr.len() as i64);
    }
    let branch = |(i, line): (usize, &Line)| match line {
        Line::Instr(_) => first[i],
        Line::Branch(mnemonic, target) => {
            parse(&format!("{mnemonic} {}", (offsets[*target] - offsets[i + 1]) as i16 as u16))
        }
    };
    lines.iter().enumerate().map(branch).collect()
}

/// Inserts the help of each finding where the finding says.
fn insert(lines: &[Line], findings: &[Finding]) -> Vec<Line> {
    let before = |at: usize| findings.iter().filter(|f| f.insert_at < at).count();
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        out.extend(findings.iter().filter(|f| f.insert_at == at).map(|f| Line::Instr(f.help().to_string())));
        out.push(match line {
            // A branch to a line goes to the waits before it.
            Line::Branch(mnemonic, target) => Line::Branch(mnemonic, target + before(*target)),
            line => line.clone(),
        });
    }
    out
}

fn line(length: usize) -> impl Strategy<Value = Line> {
    let (v, s, n) = (0..6u32, 8..14u32, 0..64u32);
    let vector = select(vec![
        "ds_load_b32 v{}, v7",
        "ds_load_u16_d16_hi v{}, v7",
        "ds_add_rtn_u32 v{}, v7, v8 gds",
        "global_load_b32 v{}, v7, s[0:1]",
        "global_load_b32 v{}, v7, s[0:1]",
        "flat_load_b32 v{}, v[8:9]",
        "image_sample v{}, v[8:9], s[0:7], s[4:7] dmask:0x1 dim:SQ_RSRC_IMG_2D",
        "global_store_b32 v7, v{}, s[0:1]",
        "exp mrt0 v{}, v7, v7, v7",
        "exp pos0 v{}, v7, v7, v7",
        "lds_param_load v{}, attr0.x",
        "v_mov_b32 v{}, v9",
        "v_mov_b32 v9, v{}",
        "v_add_f32 v{}, v9, v10",
    ]);
    let scalar = select(vec![
        "s_load_b32 s{}, s[0:1], null",
        "s_sendmsg_rtn_b32 s{}, sendmsg(MSG_RTN_GET_DOORBELL)",
        "s_mov_b32 s{}, 0",
        "s_mov_b32 s7, s{}",
        "v_mov_b32 v9, s{}",
    ]);
    let whole = select(vec![
        "s_load_b64 vcc, s[0:1], null",
        "s_load_b128 s[8:11], s[0:1], null",
        "v_cndmask_b32 v9, v10, v11, vcc_lo",
        "s_and_saveexec_b32 s20, s21",
        "s_or_b32 exec_lo, exec_lo, s20",
        "s_mov_b32 exec_lo, s22",
        "s_sendmsg sendmsg(MSG_INTERRUPT)",
        "s_nop 0",
        "s_clause 0x1",
        "s_swappc_b64 s[30:31], s[2:3]",
    ]);
    let waits = select(vec!["s_waitcnt vmcnt({})", "s_waitcnt lgkmcnt({})", "s_waitcnt_lgkmcnt s5, {}"]);
    let branches = select(vec!["s_cbranch_vccz", "s_cbranch_scc1", "s_cbranch_execnz", "s_branch"]);
    let fill = |text: &str, number: u32| Line::Instr(text.replace("{}", &number.to_string()));
    prop_oneof![
        12 => (vector, v).prop_map(move |(text, v)| fill(text, v)),
        6 => (scalar, s).prop_map(move |(text, s)| fill(text, s)),
        4 => whole.prop_map(|text| Line::Instr(text.into())),
        2 => (waits, n).prop_map(move |(text, n)| fill(text, n % 4)),
        2 => (branches, 0..length).prop_map(|(mnemonic, target)| Line::Branch(mnemonic, target)),
    ]
}

/// Long queues, in which counters are full.
fn long() -> impl Strategy<Value = Vec<Line>> {
    let kinds = vec!["ds_load_b32 v{}, v7", "global_load_b32 v{}, v7, s[0:1]", "exp mrt0 v{}, v7, v7, v7"];
    let load = (select(kinds), 0..6u32).prop_map(|(text, v)| Line::Instr(text.replace("{}", &v.to_string())));
    (prop::collection::vec(load, 50..140), prop::collection::vec(line(50), 0..20))
        .prop_map(|(loads, lines)| [loads, lines].concat())
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    let short = (2..40usize).prop_flat_map(|length| prop::collection::vec(line(length), length));
    prop_oneof![4 => short, 1 => long()]
}

/// Whether no wait is missing once those are inserted that the lint suggests.
///
/// This holds for all programs whose analysis stays within its budget. Inserted waits only shorten the lists of pending work,
/// and all steps of the analysis are monotone, so that each finding of the program with waits is one of the program without:
/// about the same instruction and register, and with the same wait or a stronger one. That wait has been inserted before the
/// instruction, or one earlier in its block that is as strong; the work is done, and there is no such finding.
fn check_suggested_waits(lines: &[Line]) -> Result<(), TestCaseError> {
    let program = |lines: &[Line]| Program::new(&assemble(lines), Wave::W32, &[]);
    let (certain, possible) = (program(lines).certain_waits(), program(lines).possible_waits());
    let useless = |f: &Finding| f.wait.is_some_and(|(counter, most)| most >= counter.max());
    prop_assert!(!certain.iter().chain(&possible).any(useless), "a wait for nothing: {certain:?}");
    let left = program(&insert(lines, &certain)).certain_waits();
    prop_assert!(left.is_empty(), "{}\n{:?}", left[0], insert(lines, &certain));
    let left = program(&insert(lines, &possible)).possible_waits();
    prop_assert!(left.is_empty(), "possible: {}\n{:?}", left[0], insert(lines, &possible));
    Ok(())
}

proptest! {
    #![proptest_config(property::config(1_500))]

    #[test]
    fn suggested_waits_are_enough(lines in lines()) {
        check_suggested_waits(&lines)?;
    }
}

/// Returns the lines of a program in which branches name the index of a line.
fn program(text: &str) -> Vec<Line> {
    text.lines()
        .map(|line| match line.trim().split_once(' ') {
            Some(("s_cbranch_vccz", target)) => Line::Branch("s_cbranch_vccz", target.parse().unwrap()),
            _ => Line::Instr(line.trim().into()),
        })
        .collect()
}

/// A scalar load is pending along one edge into loops that raise the same counter until it is full.
#[test]
fn loops_that_fill_counters_hide_no_finding() {
    let text = "ds_load_b32 v0, v7
        ds_load_b32 v0, v7
        global_load_b32 v3, v7, s[0:1]
        global_load_b32 v1, v7, s[0:1]
        global_load_b32 v0, v7, s[0:1]
        ds_load_b32 v2, v7
        ds_load_b32 v2, v7
        ds_load_b32 v2, v7
        s_load_b32 s12, s[0:1], null
        ds_load_b32 v2, v7
        s_cbranch_vccz 19
        s_swappc_b64 s[30:31], s[2:3]
        ds_load_b32 v0, v7
        ds_load_b32 v0, v7
        v_cndmask_b32 v9, v10, v11, vcc_lo
        ds_load_b32 v0, v7
        s_load_b32 s8, s[0:1], null
        s_load_b32 s9, s[0:1], null
        global_store_b32 v7, v1, s[0:1]
        global_load_b32 v1, v7, s[0:1]
        s_load_b32 s10, s[0:1], null
        s_cbranch_vccz 17
        global_store_b32 v7, v1, s[0:1]
        s_cbranch_vccz 12
        ds_load_b32 v0, v7
        ds_load_b32 v0, v7
        ds_load_b32 v0, v7
        s_load_b32 s12, s[0:1], null";
    check_suggested_waits(&program(text)).unwrap();
}

/// Exports of two queues read one register, and paths meet on which different ones are pending.
#[test]
fn exports_of_two_queues_hide_no_finding() {
    let text = "exp mrt0 v2, v7, v7, v7
        s_cbranch_vccz 0
        ds_load_b32 v2, v7
        s_cbranch_vccz 5
        s_and_saveexec_b32 s20, s21
        s_load_b32 s8, s[0:1], null
        s_or_b32 exec_lo, exec_lo, s20
        exp pos0 v2, v7, v7, v7
        s_cbranch_vccz 1
        ds_load_b32 v0, v7";
    check_suggested_waits(&program(text)).unwrap();
}

#[test]
fn every_counter_has_a_largest_wait() {
    for &counter in Counter::of::<rdna3::Rdna3>() {
        let text = counter.wait_for(counter.max()).to_string();
        let instr: Instr = text.parse().unwrap();
        let most = rdna3::counter::waits(&instr).most(counter);
        assert!(most.is_none_or(|most| most == counter.max()), "{text}: {most:?}");
    }
}
