//! `isa info`: the facts of instructions that depend on the set.

use amdgpu_arch::sets::Rdna4;
use gcn::{gcn1_0, gcn1_1, gcn1_2, gcn1_4};
use isa::{Isa, Type};
use rdna3::counter::{self, Counter};
use rdna3::{Generation, Instruction, Pipeline, Rdna3, Wave};
use rdna3_5::Rdna3_5;
use serde_json::{Map, Value, json};

/// The facts of instructions that depend on the set.
pub trait Described: Isa {
    /// Returns the number of 32-bit registers of a type; the second number is that in wave64, if the set has both wave sizes.
    fn dwords(ty: Type) -> [u8; 2] {
        [ty.dwords(); 2]
    }

    /// Returns what executes the instruction, if that is known.
    fn pipeline(_opcode: Self::Opcode) -> Option<Pipeline> {
        None
    }

    /// Adds the counters that an instruction increments and waits for. `samples` are instructions of all its encodings.
    fn add_waits(_samples: &[Self::Instr], _out: &mut Map<String, Value>) {}

    /// Adds the groups in which the hardware executes an instruction.
    fn add_groups(_samples: &[Self::Instr], _out: &mut Map<String, Value>) {}
}

impl Described for gcn1_0::Gcn1_0 {}
impl Described for gcn1_1::Gcn1_1 {}
impl Described for gcn1_2::Gcn1_2 {}
impl Described for gcn1_4::Gcn1_4 {}

/// Implements [`Described`] for generations of RDNA.
macro_rules! rdna {
    ($($set:ty),*) => {
        $(impl Described for $set {
            fn dwords(ty: Type) -> [u8; 2] {
                [Wave::W32, Wave::W64].map(|wave| rdna3::operands::dwords_in(ty, wave))
            }

            fn pipeline(opcode: Self::Opcode) -> Option<Pipeline> {
                Some(<Self as Generation>::pipeline(opcode))
            }

            fn add_waits(samples: &[Self::Instr], out: &mut Map<String, Value>) {
                add_waits::<Self>(samples, out);
            }

            fn add_groups(samples: &[Self::Instr], out: &mut Map<String, Value>) {
                add_groups(samples, out);
            }
        })*
    };
}

rdna!(Rdna3, Rdna3_5, Rdna4);

fn add_waits<G: Generation>(samples: &[G::Instr], out: &mut Map<String, Value>) {
    let raised: Vec<Value> = samples.iter().flat_map(counter::raises).fold(Vec::new(), |mut all, r| {
        let one = json!({"counter": r.counter.name_in::<G>(), "by": r.by, "work": format!("{:?}", r.kind)});
        if !all.contains(&one) {
            all.push(one);
        }
        all
    });
    if !raised.is_empty() {
        out.insert("raises".into(), raised.into());
    }
    // S_WAITCNT waits for the counters in its constant: with zero in it, for all of them.
    let waits: Vec<&str> = Counter::of::<G>()
        .iter()
        .filter(|c| samples.iter().any(|i| counter::waits(i).most(**c).is_some()))
        .map(|c| c.name_in::<G>())
        .collect();
    if !waits.is_empty() {
        out.insert("waits".into(), json!(waits));
    }
}

fn add_groups(samples: &[impl Instruction], out: &mut Map<String, Value>) {
    let first = samples.first();
    if let Some(class) = first.and_then(counter::delay_class) {
        out.insert("delay class".into(), json!(format!("{class:?}")));
    }
    if let Some(class) = first.and_then(|i| counter::clause_types(i).next()) {
        out.insert("clause type".into(), json!(format!("{class:?}")));
    }
}
