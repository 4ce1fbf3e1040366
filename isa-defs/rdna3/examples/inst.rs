//! Operand-level instructions: build them with virtual registers, allocate registers by a linear scan, and encode.
//!
//! `cargo run -p rdna3 --example inst`

use rdna3::isa::inst::File;
use rdna3::isa::{Access, EncodeError, Op, Reg};
use rdna3::{Inst, Opcode, Wave, modifiers};

/// The file of vector registers.
const VGPR: File = File(rdna3::files::VGPR);

/// A virtual vector register.
const fn virt(number: u32) -> Op {
    Op::reg(Reg::new_virtual(VGPR, number, 1))
}

/// The scalar registers with the address.
const ADDRESS: Op = Op::reg(Reg::new(File(rdna3::files::SGPR), 4, 2));

/// Four loads, whose sum is stored: nine virtual registers.
fn program() -> Vec<Inst> {
    let mut code = vec![Inst::new(Opcode::V_LSHLREV_B32, [virt(0), Op::int(2), virt(0)])];
    for n in 1..=4 {
        let load = Inst::new(Opcode::GLOBAL_LOAD_B32, [virt(n), virt(0), ADDRESS]);
        code.push(load.with(modifiers::OFFSET, 64 * n));
    }
    code.push(Inst::new(Opcode::S_WAITCNT, [Op::int(0x03f7)]));
    code.push(Inst::new(Opcode::V_ADD_F32, [virt(5), virt(1), virt(2).neg()]));
    code.push(Inst::new(Opcode::V_ADD_F32, [virt(6), virt(3), virt(4).abs()]));
    code.push(Inst::new(Opcode::V_FMAC_F32, [virt(6), virt(5), Op::float(0.1)]));
    code.push(Inst::new(Opcode::GLOBAL_STORE_B32, [virt(0), virt(6), ADDRESS]));
    code.push(Inst::new(Opcode::S_ENDPGM, [Op::int(0)]));
    code
}

/// The registers of an instruction that are still virtual, and whether it reads and writes them.
fn virtual_registers(inst: &Inst) -> impl Iterator<Item = (Reg, Access)> {
    inst.operands().filter_map(|(op, row)| Some((op.as_reg().filter(|reg| reg.is_virtual)?, row.access)))
}

/// Replaces virtual registers by as few physical ones as a linear scan finds.
fn allocate(code: &[Inst]) -> Vec<Inst> {
    let last_use = |number: u32| {
        code.iter().rposition(|inst| virtual_registers(inst).any(|(reg, _)| reg.number == number)).unwrap_or(0)
    };
    // The physical register of each virtual one that lives, and where it is used last. v0 comes with the kernel.
    let mut live = vec![(0, 0, last_use(0))];
    let mut out = Vec::new();
    for (at, inst) in code.iter().enumerate() {
        // A register that is read here for the last time can be written here.
        let mut places = live.clone();
        live.retain(|(.., last)| *last > at);
        for (reg, access) in virtual_registers(inst) {
            if access != Access::Read && places.iter().all(|(number, ..)| *number != reg.number) {
                let physical = (0..).find(|n| live.iter().all(|(_, used, _)| used != n)).unwrap_or(0);
                live.push((reg.number, physical, last_use(reg.number)));
                places.push((reg.number, physical, 0));
            }
        }
        out.push(inst.map_registers(|reg, _| match places.iter().find(|(number, ..)| *number == reg.number) {
            Some((_, physical, _)) if reg.is_virtual => Reg { number: *physical, is_virtual: false, ..reg },
            _ => reg,
        }));
    }
    out
}

fn main() -> Result<(), EncodeError> {
    let code = program();
    // An instruction with virtual registers has no encoding.
    if let Some(error) = code.first().and_then(|inst| inst.encode(Wave::W32).err()) {
        println!("before: {error}");
    }
    for inst in allocate(&code) {
        println!("{}", inst.encode(Wave::W32)?);
    }
    Ok(())
}
