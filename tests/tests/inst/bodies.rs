//! Bodies of rows: every row of RDNA3 and GCN has a body, and bodies are well-formed.

use isa::body::{BinaryOp, Clause, Op, Place, Run, State, Type};
use isa::{Access, Isa, Resource};
use isa_tests::vectors::golden;
use rdna3::{Instr, Opcode, Rdna3, Unit, Wave, flags, roles};

/// Returns what is wrong with operations: values that are none or later, sides of different types.
fn fault(ops: impl Iterator<Item = Op<'static>>) -> Option<String> {
    let mut types: Vec<Option<Type>> = Vec::new();
    for (index, op) in ops.enumerate() {
        let mut unknown = None;
        op.for_each_value(|id| {
            if types.get(usize::from(id)).copied().flatten().is_none() {
                unknown = Some(id);
            }
        });
        if let Some(id) = unknown {
            return Some(format!("{index}: {op:?} reads {id}"));
        }
        if let Op::Binary { op: operator, ty, a, b } = op {
            let is_shift = matches!(operator, BinaryOp::Shl | BinaryOp::Shr);
            let [a, b] = [a, b].map(|id| types[usize::from(id)]);
            if a != Some(ty) || (!is_shift && b != Some(ty)) {
                return Some(format!("{index}: {op:?} of {a:?} and {b:?}"));
            }
        }
        types.push(op.ty());
    }
    None
}

/// Returns the instructions of the golden vectors.
fn instructions() -> impl Iterator<Item = Instr> {
    let lines = golden().unwrap_or_else(|e| panic!("{e}"));
    lines.into_iter().filter_map(|line| Instr::decode(&line.words(), line.mode()).ok().map(|(instr, _)| instr))
}

#[test]
fn every_row_has_a_well_formed_body() {
    macro_rules! check {
        ($($opcode:ty),*) => {$(
            for opcode in <$opcode>::ALL {
                let body = opcode.body().unwrap_or_else(|| panic!("{opcode} has no body"));
                assert_eq!(fault(body), None, "{opcode}");
            }
        )*};
    }
    check!(Opcode, gcn::gcn1_0::Opcode, gcn::gcn1_1::Opcode, gcn::gcn1_2::Opcode, gcn::gcn1_4::Opcode);
}

#[test]
fn clauses_are_well_formed_and_name_roles_of_the_row() {
    let mut addressed = 0;
    for instr in instructions() {
        for component in 0..2 {
            let Some(semantics) = instr.semantics(component) else { continue };
            let roles = semantics.roles().len();
            assert!(matches!(semantics.clauses().next(), Some(Clause::Run(_))), "{instr}");
            for clause in semantics.clauses() {
                addressed += usize::from(matches!(clause, Clause::Address(..)));
                let (role, code) = match clause {
                    Clause::Source(role, code) | Clause::Result(role, code) | Clause::Saturate(role, code) => {
                        (role, Some(code))
                    }
                    Clause::Inactive(role, _) | Clause::Tied(role) => (role, None),
                    Clause::Active(code) | Clause::Address(.., code) => (0, Some(code)),
                    Clause::Run(_) | Clause::Reads(..) => continue,
                };
                assert!(roles == 0 || usize::from(role) < roles, "{instr}: {role} of {:?}", semantics.roles());
                let Some(code) = code else { continue };
                assert!(matches!(code.clone().last(), Some(Op::Return { .. })), "{instr}");
                assert_eq!(fault(code), None, "{instr}");
            }
        }
    }
    assert!(addressed > 100, "{addressed} accesses have an address");
}

#[test]
fn operands_that_are_accessed_have_a_space() {
    let spaces = |line: &str| {
        let instr = Instr::parse(line, Wave::W32).unwrap_or_else(|e| panic!("{line}: {e}"));
        let memory = |e: isa::Effect<Rdna3>| match e.resource {
            Resource::Memory(space) => Some((space.name(), e.access)),
            _ => None,
        };
        instr.effects(Wave::W32).filter_map(memory).collect::<Vec<_>>()
    };
    assert_eq!(spaces("global_load_b32 v1, v[2:3], off"), [("global", Access::Read)]);
    assert_eq!(spaces("ds_add_u32 v1, v2"), [("lds", Access::ReadWrite)]);
    assert_eq!(spaces("ds_add_u32 v1, v2 gds"), [("gds", Access::ReadWrite)]);
    assert_eq!(spaces("flat_store_b32 v[1:2], v3"), [("flat", Access::Write)]);
    assert_eq!(spaces("s_load_b32 s0, s[2:3], 0x0"), [("scalar", Access::Read)]);
    assert_eq!(spaces("v_mov_b32 v0, v1"), []);
}

#[test]
fn registers_follow_from_bodies() {
    let effects = |line: &str, wave: Wave| {
        let instr = Instr::parse(line, wave).unwrap_or_else(|e| panic!("{line}: {e}"));
        let effects = instr.register_effects(wave);
        [effects.read, effects.written, effects.partial].map(|set| {
            set.iter().filter(|unit| *unit != Unit::MODE).map(|unit| unit.to_string()).collect::<Vec<_>>().join(" ")
        })
    };
    let s = |line| effects(line, Wave::W32);
    assert_eq!(s("s_add_u32 s0, s1, s2"), ["s1 s2", "s0 scc", ""]);
    assert_eq!(s("s_bitset0_b32 s0, s1"), ["s0 s1", "s0", "s0"]);
    assert_eq!(s("v_add_f32 v0, v1, v2"), ["exec_lo v1 v2", "v0", ""]);
    assert_eq!(s("v_add_f16 v0, v1, v2"), ["exec_lo v0 v1 v2", "v0", "v0"]);
    assert_eq!(s("v_fmac_f32 v0, v1, v2"), ["exec_lo v0 v1 v2", "v0", ""]);
    assert_eq!(s("v_cmpx_lt_f32 v1, v2"), ["exec_lo v1 v2", "exec_lo", ""]);
    assert_eq!(s("v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3]"), ["exec_lo v0 v1", "v0", "v0"]);
    assert_eq!(s("v_readlane_b32 s0, v1, s2"), ["s2 v1", "s0", ""]);
    assert_eq!(s("v_swap_b32 v0, v1"), ["exec_lo v0 v1", "v0 v1", ""]);
    assert_eq!(s("s_swappc_b64 s[0:1], s[2:3]"), ["s2 s3 pc", "s0 s1 pc", ""]);
    let dual = "v_dual_fmac_f32 v0, v1, v2 :: v_dual_cndmask_b32 v5, v4, v3";
    assert_eq!(s(dual), ["vcc_lo exec_lo v0 v1 v2 v3 v4", "v0 v5", ""]);
    let mask = effects("v_cmp_eq_u32 vcc, v1, v2", Wave::W64);
    assert_eq!(mask, ["exec_lo exec_hi v1 v2", "vcc_lo vcc_hi", ""]);
}

#[test]
fn facts_of_opcodes_follow_from_bodies() {
    assert!(Opcode::S_ENDPGM.effects().ends() && !Opcode::S_NOP.effects().ends());
    assert!(Opcode::S_BARRIER.effects().is_barrier());
    assert!(Opcode::S_BRANCH.effects().writes(State::Pc) && !Opcode::S_BRANCH.effects().writes_partly(State::Pc));
    assert!(Opcode::S_CBRANCH_SCC0.effects().writes_partly(State::Pc));
    assert!(Opcode::EXPORT.effects().is_external() && !Opcode::V_ADD_F32.effects().is_external());
    // A sample without a level of detail takes it from the quad.
    for opcode in Opcode::ALL.iter().filter(|opcode| opcode.operands().any(|operand| operand.role == roles::SAMP)) {
        let has = |flag| opcode.encodings().any(|encoding| encoding.flags() & flag != 0);
        let has_level = has(flags::LOD) && !has(flags::LOD_CLAMP) || has(flags::LEVEL_ZERO) || has(flags::GRADIENT);
        assert_eq!(opcode.effects().crosses_lanes(), !has_level, "{}", opcode.name());
        assert_eq!(opcode.effects().loads(Place::Texel), *opcode != Opcode::IMAGE_GET_LOD, "{}", opcode.name());
    }
    assert!(Opcode::V_READLANE_B32.effects().crosses_lanes());
    assert!(Opcode::GLOBAL_ATOMIC_ADD_U32.effects().stores(Place::Mem));
    // A float is computed as MODE has it, a comparison of classes is not.
    assert!(Opcode::V_ADD_F32.effects().reads(State::Mode) && !Opcode::V_CMP_CLASS_F32.effects().reads(State::Mode));
    let runs = |opcode: Opcode| {
        let mut all = instructions();
        all.find(|i| i.opcode() == opcode).and_then(|i| i.semantics(0)?.clauses().next())
    };
    assert!(matches!(runs(Opcode::V_ADD_F32), Some(Clause::Run(Run::Lanes))));
    assert!(matches!(runs(Opcode::S_ADD_U32), Some(Clause::Run(Run::Wave))));
    assert_eq!(Rdna3::tables().mnemonics.len(), Opcode::ALL.len());
}
