//! The lint against an enumeration of all paths through programs without loops.
//!
//! A possible finding happens on some path. A certain one happens on all paths through some edge between basic blocks. The
//! lint reports nothing else, and it reports all of them but those that an earlier finding of the same block may hide, whose
//! wait may be enough for both. Where paths meet on which work of different queues is pending for one register, the lint
//! follows each edge alone and may miss a certain finding. The programs do not change EXEC.

use std::collections::BTreeSet;

use isa_tests::property;
use proptest::prelude::*;
use proptest::sample::select;
use rdna3::counter::{Counter, Kind, WaitLimits, raises, waits};
use rdna3::isa::Access;
use rdna3::lint::{Finding, Program, Rule};
use rdna3::{File, Instr, Value, Wave};

/// A register: its file and number.
type Register = (File, u8);

/// A use of a register too early: the instruction, the rule and the register.
type Hazard = (usize, Rule, String);

/// A line of a program.
#[derive(Clone, Debug)]
enum Line {
    Instr(String),
    /// A branch over this many lines.
    Branch(&'static str, usize),
}

/// Work that is pending on a path.
#[derive(Clone, Debug)]
struct Work {
    counter: Counter,
    kind: Kind,
    /// The registers that it writes, or reads if it is an export.
    registers: Vec<Register>,
    /// The least value of the counter while it is pending.
    least: u8,
}

/// A program with the facts that a walk needs.
struct Code {
    instrs: Vec<Instr>,
    /// The lines that may follow each line. The line after the last one is the end.
    next: Vec<Vec<usize>>,
    /// The first line of the block of each line.
    block: Vec<usize>,
}

impl Code {
    fn new(lines: &[Line]) -> Self {
        let parse = |text: &str| text.parse::<Instr>().unwrap_or_else(|e| panic!("{text}: {e}"));
        let first = |line: &Line| match line {
            Line::Instr(text) => parse(text),
            Line::Branch(mnemonic, _) => parse(&format!("{mnemonic} 0")),
        };
        let lengths: Vec<usize> = lines.iter().map(|line| first(line).len()).collect();
        let end = lines.len();
        let mut code = Code { instrs: Vec::new(), next: Vec::new(), block: Vec::new() };
        let mut starts = BTreeSet::from([0]);
        for (at, line) in lines.iter().enumerate() {
            match line {
                Line::Instr(_) => {
                    code.instrs.push(first(line));
                    code.next.push(vec![at + 1]);
                }
                Line::Branch(mnemonic, over) => {
                    let target = (at + 1 + over).min(end);
                    let distance: usize = lengths[at + 1..target].iter().sum();
                    code.instrs.push(parse(&format!("{mnemonic} {distance}")));
                    let falls = (*mnemonic != "s_branch").then_some(at + 1);
                    code.next.push([target].into_iter().chain(falls).collect());
                    starts.extend([at + 1, target]);
                }
            }
        }
        code.block = (0..end).map(|at| *starts.range(..=at).next_back().unwrap()).collect();
        code
    }

    /// Returns all paths to the end from the first line, and from lines that nothing leads to: jumps through registers may.
    fn paths(&self) -> Vec<Vec<usize>> {
        let is_root = |at: &usize| *at == 0 || self.next.iter().all(|next| !next.contains(at));
        let mut open: Vec<Vec<usize>> = (0..self.instrs.len()).filter(is_root).map(|at| vec![at]).collect();
        let mut paths = Vec::new();
        while let Some(path) = open.pop() {
            let last = path[path.len() - 1];
            if last == self.instrs.len() {
                paths.push(path);
                continue;
            }
            let follow: BTreeSet<usize> = self.next[last].iter().copied().collect();
            open.extend(follow.into_iter().map(|to| [&path[..], &[to]].concat()));
        }
        paths
    }

    /// Returns the hazards of a path.
    fn hazards(&self, path: &[usize]) -> BTreeSet<Hazard> {
        let mut pending: Vec<Work> = Vec::new();
        let mut hazards = BTreeSet::new();
        for &at in &path[..path.len() - 1] {
            let instr = &self.instrs[at];
            wait(&mut pending, &waits(instr));
            let raised: Vec<_> = raises(instr).collect();
            for (register, access) in uses(instr) {
                for work in pending.iter().filter(|work| work.registers.contains(&register)) {
                    let in_order = raised.iter().any(|r| r.kind == work.kind && r.kind.queue().is_some());
                    let rule = match (work.kind, access) {
                        (Kind::Export(_), Access::Read) => continue,
                        (Kind::Export(_), _) => Rule::ExportOverwritten,
                        (_, Access::Write) if in_order => continue,
                        (_, Access::Write) => Rule::WriteTooEarly,
                        _ => Rule::ReadTooEarly,
                    };
                    hazards.insert((at, rule, name(register)));
                }
            }
            for raise in raised {
                pending.retain_mut(|work| {
                    let is_behind = work.kind.queue().is_some() && work.kind.queue() == raise.kind.queue();
                    if is_behind {
                        work.least += raise.least();
                    }
                    work.counter != Counter::Exp || work.least <= Counter::Exp.max()
                });
                let is_export = matches!(raise.kind, Kind::Export(_));
                let registers = uses(instr).into_iter().filter(|(_, access)| (*access == Access::Read) == is_export);
                let registers: Vec<Register> = registers.map(|(register, _)| register).collect();
                // Later work for the same registers is done last, or the write of a result is a hazard.
                let is_replaced = |work: &Work| match work.kind {
                    Kind::Export(_) => is_export && work.kind.queue() == raise.kind.queue(),
                    _ => !is_export,
                };
                for work in pending.iter_mut().filter(|work| is_replaced(work)) {
                    work.registers.retain(|register| !registers.contains(register));
                }
                pending.push(Work { counter: raise.counter, kind: raise.kind, registers, least: raise.least() });
            }
        }
        hazards
    }

    /// Returns the edges between blocks that a path takes, and its entry.
    fn edges(&self, path: &[usize]) -> BTreeSet<(Option<usize>, usize)> {
        let is_start = |at: usize| self.block.get(at).is_some_and(|start| *start == at);
        let taken = path.windows(2).filter(|pair| is_start(pair[1])).map(|pair| (Some(pair[0]), pair[1]));
        taken.chain([(None, path[0])]).collect()
    }
}

/// Removes the work that a wait proves to be done.
fn wait(pending: &mut Vec<Work>, waits: &WaitLimits) {
    pending.retain(|work| waits.most(work.counter).is_none_or(|most| most >= work.least));
}

/// Returns the registers that an instruction names. The programs use no others.
fn uses(instr: &Instr) -> Vec<(Register, Access)> {
    let mut uses = Vec::new();
    for operand in instr.operands(Wave::W32) {
        if let Value::Registers(r) = operand.value
            && matches!(r.file, File::Sgpr | File::Vgpr)
        {
            uses.extend((0..r.count).map(|i| ((r.file, r.first + i), operand.access)));
        }
    }
    uses
}

fn name((file, number): Register) -> String {
    format!("{}{number}", if file == File::Vgpr { 'v' } else { 's' })
}

/// Returns the registers of a finding as hazards.
fn hazards_of(finding: &Finding) -> Vec<Hazard> {
    let text = finding.registers.expect("a finding about a wait has registers").to_string();
    let (file, numbers) = text.split_at(1);
    let range = match numbers.trim_matches(['[', ']']).split_once(':') {
        Some((first, last)) => first.parse::<u8>().unwrap()..=last.parse().unwrap(),
        None => numbers.parse().unwrap()..=numbers.parse().unwrap(),
    };
    range.map(|number| (finding.at, finding.rule, format!("{file}{number}"))).collect()
}

/// Compares the findings of the lint with the hazards of all paths. With `is_complete` no certain finding may be missing.
fn check(lines: &[Line], is_complete: bool) -> Result<(), TestCaseError> {
    let code = Code::new(lines);
    let paths = code.paths();
    let walks: Vec<_> = paths.iter().map(|path| (code.edges(path), code.hazards(path))).collect();
    let on_some_path: BTreeSet<Hazard> = walks.iter().flat_map(|(_, hazards)| hazards.iter().cloned()).collect();
    // The hazards that all paths through an edge have.
    let edges: BTreeSet<_> = walks.iter().flat_map(|(edges, _)| edges.iter().copied()).collect();
    let mut on_all_paths: BTreeSet<Hazard> = BTreeSet::new();
    for edge in edges {
        let through = walks.iter().filter(|(edges, _)| edges.contains(&edge)).map(|(_, hazards)| hazards.clone());
        on_all_paths.extend(through.reduce(|all, hazards| &all & &hazards).unwrap_or_default());
    }
    let program = Program::new(&code.instrs, Wave::W32, &[]);
    for (what, findings, expected) in
        [("possible", program.possible_waits(), on_some_path), ("certain", program.certain_waits(), on_all_paths)]
    {
        let found: BTreeSet<Hazard> = findings.iter().flat_map(hazards_of).collect();
        if let Some(wrong) = found.difference(&expected).next() {
            prop_assert!(false, "no {what} finding: {wrong:?}");
        }
        let must_find = is_complete || what == "possible";
        for missing in expected.difference(&found).filter(|_| must_find) {
            let block = code.block[missing.0];
            let is_hidden = found.iter().any(|f| f.0 < missing.0 && code.block.get(f.0) == Some(&block));
            prop_assert!(is_hidden, "a {what} finding is missing: {missing:?}");
        }
    }
    Ok(())
}

/// Instructions in which each register is written or exported by work of one queue.
const ONE_QUEUE: &[&str] = &[
    "ds_load_b32 v{}, v9",
    "ds_load_b64 v[{}:3], v9",
    "global_load_b32 v1{}, v9, s[0:1]",
    "global_store_b32 v9, v1{}, s[0:1]",
    "exp mrt0 v{}, v9, v9, v9",
    "s_load_b32 s2{}, s[0:1], null",
    "s_load_b64 s[20:21], s[0:1], null",
    "v_mov_b32 v{}, v9",
    "v_mov_b32 v1{}, v9",
    "v_mov_b32 v9, v{}",
    "v_mov_b32 v9, v1{}",
    "s_mov_b32 s2{}, 0",
    "v_mov_b32 v9, s2{}",
    "s_waitcnt vmcnt({})",
    "s_waitcnt lgkmcnt({})",
    "s_waitcnt expcnt({})",
    "s_waitcnt vmcnt({}) lgkmcnt({})",
];

/// Instructions of other queues that use the same registers.
const OTHER_QUEUES: &[&str] = &[
    "ds_add_rtn_u32 v{}, v9, v8 gds",
    "global_load_b32 v{}, v9, s[0:1]",
    "image_sample v1{}, v[8:9], s[0:7], s[4:7] dmask:0x1 dim:SQ_RSRC_IMG_2D",
    "exp pos0 v{}, v9, v9, v9",
    "lds_param_load v{}, attr0.x",
    "s_sendmsg_rtn_b32 s2{}, sendmsg(MSG_RTN_GET_DOORBELL)",
];

fn line(instrs: Vec<&'static str>) -> impl Strategy<Value = Line> {
    let branches = select(vec!["s_cbranch_scc0", "s_cbranch_scc1", "s_branch"]);
    let fill = |(text, n): (&str, u32)| {
        let n = if text.contains(":3]") { 2 } else { n };
        Line::Instr(text.replace("{}", &n.to_string()))
    };
    prop_oneof![
        4 => (select(instrs), 0..4u32).prop_map(fill),
        1 => (branches, 0..6usize).prop_map(|(mnemonic, over)| Line::Branch(mnemonic, over)),
    ]
}

/// Programs with few enough branches to walk all paths.
fn lines(instrs: &[&'static str]) -> impl Strategy<Value = Vec<Line>> {
    let is_branch = |line: &&Line| matches!(line, Line::Branch(..));
    let few = move |lines: &Vec<Line>| lines.iter().filter(is_branch).count() <= 8;
    prop::collection::vec(line(instrs.to_vec()), 2..30).prop_filter("too many paths", few)
}

proptest! {
    #![proptest_config(property::config(3_000))]

    #[test]
    fn findings_are_those_of_all_paths(lines in lines(ONE_QUEUE)) {
        check(&lines, true)?;
    }

    #[test]
    fn findings_about_several_queues_happen(lines in lines(&[ONE_QUEUE, OTHER_QUEUES].concat())) {
        check(&lines, false)?;
    }
}
