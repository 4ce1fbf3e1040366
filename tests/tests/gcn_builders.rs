//! Typed builders of GCN against golden words.

use std::collections::BTreeSet;

use gcn::{Generation, Rule};
use isa_tests::each_gcn_set;
use isa_tests::sets::opcodes;

/// Why there is no instruction; the same type in every generation.
type BuildError = gcn::gcn1_4::build::BuildError;

/// The results of the calls.
#[derive(Default)]
struct Tally {
    calls: usize,
    /// The generation and the guide's name of what was built.
    built: BTreeSet<(&'static str, &'static str)>,
    wrong: Vec<String>,
}

impl Tally {
    fn case<I: Generation>(&mut self, text: &str, words: &[u32], built: Result<I::Instr, BuildError>) {
        self.calls += 1;
        match built {
            Ok(instr) if I::parts(&instr).1.iter().eq(words.iter().chain(&[0; 3]).take(3)) => {
                let [opcode, _] = opcodes::<I>(&instr);
                let name = opcode.and_then(|at| I::tables().mnemonics.get(usize::from(at)));
                self.built.extend(I::generation().zip(name.copied()));
            }
            Ok(instr) => self.wrong.push(format!("{text}\n  built {instr:?}")),
            Err(error) => self.wrong.push(format!("{text}\n  {error}")),
        }
    }

    /// A row of which there is no golden line: the parser tells the words.
    #[cfg(feature = "all-builders")]
    fn parsed<I: Generation>(&mut self, text: &str, built: Result<I::Instr, BuildError>) {
        let wanted =
            isa::parse::<I>(text, isa::Options::from(gcn::Wave::W64)).unwrap_or_else(|e| panic!("{text}: {e}"));
        self.case::<I>(text, &I::parts(&wanted).1, built);
    }
}

// A call for each list of operand types in each generation. `cargo xtask builders --check` generates and tests the calls for every
// mnemonic.
#[cfg(not(feature = "all-builders"))]
include!("../vectors/gcn_builders.rs");
#[cfg(feature = "all-builders")]
include!("../../target/builders/gcn_builders.rs");

/// Rows of which no golden line is legal: those that LLVM lacks, and stores whose golden lines have registers that the
/// guide forbids.
#[cfg(feature = "all-builders")]
fn others(t: &mut Tally) {
    {
        use gcn::gcn1_0::{Gcn1_0, build::*};
        let built = buffer_atomic_rsub(v(1), v(0), sgpr!(4..=7), 0).offen().build();
        t.parsed::<Gcn1_0>("buffer_atomic_rsub v1, v0, s[4:7], 0 offen", built);
        let built = buffer_atomic_rsub_x2_glc(vgpr!(1..=2), v(0), sgpr!(4..=7), M0).idxen().build();
        t.parsed::<Gcn1_0>("buffer_atomic_rsub_x2 v[1:2], v0, s[4:7], m0 idxen glc", built);
    }
    {
        use gcn::gcn1_2::{Gcn1_2, build::*};
        t.parsed::<Gcn1_2>(
            "s_store_dwordx4 s[4:7], s[2:3], m0",
            s_store_dwordx4(sgpr!(4..=7), sgpr!(2..=3), M0).build(),
        );
        let built = s_buffer_store_dwordx4(sgpr!(4..=7), sgpr!(8..=11), 16).glc().build();
        t.parsed::<Gcn1_2>("s_buffer_store_dwordx4 s[4:7], s[8:11], 0x10 glc", built);
        t.parsed::<Gcn1_2>("s_dcache_discard s[2:3], 0x10", s_dcache_discard(sgpr!(2..=3), 16).build());
        t.parsed::<Gcn1_2>("s_dcache_discard_x2 s[2:3], m0", s_dcache_discard_x2(sgpr!(2..=3), M0).build());
    }
}

#[test]
fn builders_give_the_golden_words() {
    let mut tally = Tally::default();
    let parts = [&gcn1_0::PARTS[..], &gcn1_1::PARTS, &gcn1_2::PARTS, &gcn1_4::PARTS];
    for part in parts.into_iter().flatten() {
        part(&mut tally);
    }
    #[cfg(feature = "all-builders")]
    others(&mut tally);
    let some: Vec<&String> = tally.wrong.iter().take(60).collect();
    assert!(some.is_empty(), "{} of {} differ:\n{some:#?}", tally.wrong.len(), tally.calls);
    let generations: BTreeSet<&str> = tally.built.iter().map(|(generation, _)| *generation).collect();
    assert_eq!(generations.len(), 4, "{generations:?}");
    if cfg!(feature = "all-builders") {
        assert!(tally.calls > 1000, "{} calls", tally.calls);
        every_mnemonic_was_built(&tally, &generations);
    }
}

fn every_mnemonic_was_built(tally: &Tally, generations: &BTreeSet<&str>) {
    let mut without = Vec::new();
    each_gcn_set!(S => {
        use isa::Isa;
        // RDNA3 is tested by itself.
        if let Some(generation) = S::generation().filter(|generation| generations.contains(generation)) {
            without.extend(S::tables().mnemonics.iter().map(|name| (generation, *name)).filter(|of| !tally.built.contains(of)));
        }
    });
    assert!(without.is_empty(), "no call of {without:?}");
}

/// Returns the error of a builder, for mistakes that types cannot express.
fn error<I: std::fmt::Debug>(built: Result<I, BuildError>) -> String {
    match built {
        Ok(instr) => panic!("built {instr:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_name_the_rule_and_the_operand() {
    use gcn::gcn1_2::build::s_store_dword;
    use gcn::gcn1_4::build::*;

    // Registers that another generation has.
    let far = buffer_load_dword(v(0), OFF, sgpr!(4..=7), sgpr!(102));
    assert!(error(far.build()).starts_with("soffset: no such register"));
    assert!(error(buffer_load_dword(v(0), OFF, sgpr!(4..=7), TBA_LO).build()).starts_with("soffset: "));
    let old = gcn::gcn1_0::build::buffer_load_dword(v(0), OFF, sgpr!(4..=7), TBA_LO).build();
    assert_eq!(old.map(|i| i.to_string()), Ok("buffer_load_dword v0, off, s[4:7], tba_lo".into()));
    // Constants that do not fit, widths that modifiers decide.
    let constant = error(buffer_load_dword(v(0), OFF, sgpr!(4..=7), 65).build());
    assert_eq!(constant, "soffset: expected a scalar register or an inline constant");
    let offset = error(buffer_load_dword(v(0), OFF, sgpr!(4..=7), 0).offset(4096).build());
    assert_eq!(offset, "the offset is a number from 0 to 4095");
    assert!(error(buffer_load_dword(v(0), OFF, sgpr!(4..=7), 0).offen().build()).starts_with("addr: "));
    assert!(error(buffer_load_dwordx2(vgpr!(0..=1), OFF, sgpr!(4..=7), 0).tfe().build()).starts_with("d: "));
    assert!(buffer_load_dwordx2(vgpr!(0..=2), OFF, sgpr!(4..=7), 0).tfe().build().is_ok());
    // Only a register has a constant beside it.
    assert!(s_load_dword(sgpr!(0), sgpr!(2..=3), sgpr!(5)).offset(-4).nv().build().is_ok());
    assert!(s_load_dword(sgpr!(0), sgpr!(2..=3), 16).offset(4).build().is_err());
    let base = error(s_load_dword(sgpr!(0), sgpr!(2..=3), 0x10_0000).build());
    assert_eq!(base, "offset: the offset has 21 bits: it lies between -1048576 and 1048575");
    // Rules between operands, those that only the guide has too.
    let rule = |built: Result<gcn::gcn1_2::Instr, BuildError>| match built {
        Err(BuildError::Illegal(violation)) => Some(violation.rule),
        _ => None,
    };
    let store = |offset| s_store_dword(sgpr!(1), sgpr!(2..=3), offset).build();
    assert_eq!(rule(store(sgpr!(4))), Some(Rule::StoreOffset));
    assert!(s_store_dword(sgpr!(1), sgpr!(2..=3), M0).build().is_ok());
    let status = gcn::gcn1_2::build::buffer_store_dword(vgpr!(0..=1), OFF, sgpr!(4..=7), 0).tfe().build();
    assert_eq!(rule(status), Some(Rule::StatusOfStore));
}

#[test]
fn a_builder_is_its_line() {
    use gcn::gcn1_1::{Instr, build::*};

    let load = buffer_load_dword(v(1), vgpr!(2..=3), sgpr!(4..=7), SCC).addr64().slc();
    assert_eq!(load.to_string(), "buffer_load_dword v1, v[2:3], s[4:7], src_scc addr64 slc");
    assert_eq!(Instr::try_from(load), load.build());
    assert_eq!(error(load.slc().build()), "a modifier is given twice");
    let to_lds = buffer_load_dword_lds(v(2), sgpr!(4..=7), 0).offen().build();
    assert_eq!(to_lds.map(|i| i.to_string()), Ok("buffer_load_dword v2, s[4:7], 0 offen lds".into()));
}
