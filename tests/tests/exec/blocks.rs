//! Loads and stores of blocks of registers in RDNA4 (its guide §11.5): bit n of M0 moves register n, at 4 n bytes after the address.

use isa_exec::fault::FaultKind;
use isa_exec::memory::{Memory, Regions};
use isa_exec::wave::Wave;

use crate::machine::{rdna4_program, run};

const BASE: u64 = 0x1_0000;

/// Two lanes, whose addresses are 0x100 bytes apart; registers from v8 on are 1000 times the lane plus the register's number.
fn access(line: &str, mask: u32, memory: &Regions) -> Result<Wave, FaultKind> {
    let wave = run(&rdna4_program(line), memory, |wave| {
        wave.set_mask(126, 3);
        wave.set_sgpr(125, mask);
        wave.set_sgpr(4, BASE as u32);
        wave.set_sgpr(5, 0);
        for lane in 0..2 {
            wave.set_vgpr(0, lane, (BASE as u32) + 0x100 * lane as u32);
            wave.set_vgpr(1, lane, 0);
            wave.set_vgpr(2, lane, 0x100 * lane as u32);
            for register in 8..40 {
                wave.set_vgpr(register, lane, 1000 * lane as u32 + u32::from(register));
            }
        }
    });
    wave.map_err(|fault| fault.kind)
}

fn memory(bytes: u64) -> Regions {
    let mut memory = Regions::new();
    memory.map(BASE, bytes).expect("a region");
    memory
}

fn dword(memory: &Regions, at: u64) -> u32 {
    let mut bytes = [0; 4];
    memory.read(BASE + at, &mut bytes).expect("mapped memory");
    u32::from_le_bytes(bytes)
}

#[test]
fn stores_write_the_registers_of_the_mask() {
    for mask in [0, 1, 0x8000_0001, 0xF0F0_1234, u32::MAX] {
        for line in
            ["global_store_block v[0:1], v[8:39], off offset:16", "global_store_block v2, v[8:39], s[4:5] offset:16"]
        {
            let memory = memory(0x400);
            access(line, mask, &memory).unwrap();
            for lane in 0..2 {
                for n in 0..32 {
                    let expected = if mask >> n & 1 == 1 { 1000 * lane + 8 + n } else { 0 };
                    let found = dword(&memory, u64::from(0x100 * lane + 16 + 4 * n));
                    assert_eq!(found, expected, "`{line}` with mask {mask:#x}, lane {lane}, element {n}");
                }
            }
        }
    }
}

#[test]
fn loads_keep_the_registers_outside_of_the_mask() {
    let memory = memory(0x400);
    for at in 0..0x100u32 {
        memory.write(BASE + 4 * u64::from(at), &(0xAA00_0000 + at).to_le_bytes()).expect("mapped memory");
    }
    for mask in [0, 1, 0x8000_0001, 0xF0F0_1234, u32::MAX] {
        for line in
            ["global_load_block v[8:39], v[0:1], off offset:16", "global_load_block v[8:39], v2, s[4:5] offset:16"]
        {
            let wave = access(line, mask, &memory).unwrap();
            for lane in 0..2u32 {
                for n in 0..32 {
                    let loaded = 0xAA00_0000 + 0x40 * lane + 4 + n;
                    let expected = if mask >> n & 1 == 1 { loaded } else { 1000 * lane + 8 + n };
                    let found = wave.vgpr(8 + n as u16, lane as usize);
                    assert_eq!(found, expected, "`{line}` with mask {mask:#x}, lane {lane}, register {n}");
                }
            }
        }
    }
}

#[test]
fn only_memory_of_the_mask_is_accessed() {
    // Lane 1 begins at 0x100: two dwords of it are mapped.
    let memory = memory(0x108);
    for (line, store) in
        [("global_load_block v[8:39], v[0:1], off", false), ("global_store_block v[0:1], v[8:39], off", true)]
    {
        assert!(access(line, 3, &memory).is_ok(), "{line}");
        let fault = access(line, 7, &memory).map(|_| ()).unwrap_err();
        assert_eq!(fault, FaultKind::Unmapped { address: BASE + 0x108, store }, "{line}");
    }
}

#[test]
fn scratch_has_the_same_blocks() {
    let memory = memory(0x10);
    let lines = ["scratch_store_block off, v[8:39], s6", "scratch_load_block v[48:79], off, s6 offset:4"];
    let mut bytes = Vec::new();
    for line in lines {
        let instr = rdna4::Instr::parse(line, rdna4::Wave::W32).unwrap();
        bytes.extend(instr.encode().iter().flat_map(|word| word.to_le_bytes()));
    }
    let program = isa_exec::program::Program::new::<rdna4::exec::Rdna4Machine>(bytes, 0x1000, rdna4::Wave::W32, 256);
    let wave = run(&program, &memory, |wave| {
        wave.set_mask(126, 1);
        wave.set_sgpr(125, 0xFF);
        wave.set_sgpr(6, 32);
        for register in 0..32 {
            wave.set_vgpr(8 + register, 0, 100 + u32::from(register));
            wave.set_vgpr(48 + register, 0, 7);
        }
    });
    let wave = wave.map_err(|fault| fault.kind).unwrap();
    let found: Vec<u32> = (48..58).map(|register| wave.vgpr(register, 0)).collect();
    // Seven of the stored registers, then memory that was not written.
    assert_eq!(found, [101, 102, 103, 104, 105, 106, 107, 0, 7, 7]);
}

/// Scalar loads of bytes have any base, those of two bytes an even one (RDNA4's guide §8.1.1). LLVM emits the former for bytes that
/// are not aligned.
#[test]
fn scalar_loads_of_bytes_begin_at_any_byte() {
    let memory = memory(8);
    memory.write(BASE, &[1, 2, 3, 0x84, 5, 6, 7, 8]).expect("mapped memory");
    let load = |line: &str, base: u64| {
        let set = |wave: &mut Wave| {
            wave.set_sgpr(4, (BASE + base) as u32);
            wave.set_sgpr(5, 0);
            wave.set_sgpr(6, 1);
        };
        run(&rdna4_program(line), &memory, set).map(|wave| wave.sgpr(0)).map_err(|fault| fault.kind)
    };
    assert_eq!(load("s_load_u8 s0, s[4:5], 0x0", 1), Ok(2));
    assert_eq!(load("s_load_i8 s0, s[4:5], s6 offset:0x1", 1), Ok(0xFFFF_FF84));
    assert_eq!(load("s_load_u16 s0, s[4:5], 0x2", 2), Ok(0x605));
    // The lowest bit of each part does not count.
    assert_eq!(load("s_load_u16 s0, s[4:5], s6 offset:0x1", 3), Ok(0x8403));
    assert_eq!(load("s_load_b32 s0, s[4:5], s6 offset:0x1", 7), Ok(0x0807_0605));
}
