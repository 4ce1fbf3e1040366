//! `rdna3::address` against the second implementation in `isa_tests::guide`, on random instructions and states.
//!
//! `PROPERTY_CASES` asks for more inputs: see [`isa_tests::property`].

use std::sync::LazyLock;

use isa_tests::guide::{self, MODES, Outcome, Why};
use isa_tests::property;
use rdna3::address::flat::{Apertures, FlatState, Landing};
use rdna3::address::gds::GdsState;
use rdna3::address::image::{AddressPart, Along, Axis, DataPart, Held, address_layout, data_layout};
use rdna3::address::lds::LdsState;
use rdna3::address::scalar::{ScalarBase, ScalarState};
use rdna3::address::{AlignmentMode, Fault, Lane, NO_ACCESS, Spans, buffer, flat, gds, lds, scalar};
use rdna3::descriptor::buffer::BufferResource;
use rdna3::{Half, Instr, Wave};

/// The random numbers that make one input. Smaller numbers make simpler inputs.
struct Draws<'a> {
    numbers: &'a [u32; DRAWS],
    at: usize,
}

/// More than any input needs.
const DRAWS: usize = 40;

impl Draws<'_> {
    fn word(&mut self) -> u32 {
        self.at += 1;
        self.numbers[self.at - 1]
    }

    fn below(&mut self, n: u32) -> u32 {
        self.word() % n
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u32) as usize]
    }

    /// A number near the edge of a size or of a range, or any number.
    fn edge(&mut self) -> u32 {
        let n = self.word();
        match self.below(12) {
            0..5 => n % 73,
            5..7 => n % 5000,
            7 => 0x400 - 20 + n % 41,
            8 => 0x1_0000 - 20 + n % 41,
            9 => (1 << 31) - 20 + n % 41,
            10 => u32::MAX - n % 80,
            _ => n,
        }
    }

    /// A 64-bit address: small, near an end of an aperture or of 48 or 64 bits, or any.
    fn pointer(&mut self) -> u64 {
        let Apertures { shared, private } = Apertures::default();
        let low = u64::from(self.edge());
        let near = |to: u64| to.wrapping_add_signed(i64::from(low as u32 as i32));
        match self.below(12) {
            0..4 => low,
            4 => near(shared.0),
            5 => near(private.0),
            6 => near(shared.1),
            7 => near(private.1),
            8 => near(1 << 47),
            9 => near(3 << 47),
            10 => near(0),
            _ => u64::from(self.word()) << 32 | low,
        }
    }
}

/// Whether the guide gives an address for an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Case {
    /// The words are not an instruction.
    Undecoded,
    /// There are bytes or registers.
    Accessed,
    /// There are none.
    Refused,
}

/// The number of inputs of all comparisons together.
const CASES: usize = 100_000;

/// Compares `share` percent of all inputs. At least a tenth of them must have an address, and a hundredth must not.
///
/// # Panics
/// With the simplest input found for which `compare` returns a difference.
fn compare_all(share: usize, compare: impl Fn(&mut Draws<'_>) -> Result<Case, String>) {
    let cases = property::count(CASES / 100 * share);
    let run = |numbers: &[u32; DRAWS]| compare(&mut Draws { numbers, at: 0 });
    let mut sample = property::sample();
    let (mut accessed, mut refused, mut decoded) = (0, 0, 0);
    while decoded < cases {
        let mut numbers = [0; DRAWS].map(|_| sample.word());
        match run(&numbers) {
            Ok(Case::Undecoded) => continue,
            Ok(Case::Accessed) => accessed += 1,
            Ok(Case::Refused) => refused += 1,
            Err(mut difference) => {
                while let Some(simpler) = simplified(numbers).find_map(|n| Some((n, run(&n).err()?))) {
                    (numbers, difference) = simpler;
                }
                panic!("case {decoded}, simplified:\n{difference}");
            }
        }
        decoded += 1;
    }
    assert!(accessed * 10 >= cases && refused * 100 >= cases, "{accessed} with an address, {refused} without");
}

/// Inputs with one smaller number.
fn simplified(numbers: [u32; DRAWS]) -> impl Iterator<Item = [u32; DRAWS]> {
    let smaller = |n: u32| [0, n / 2, n & (n >> 1), n.saturating_sub(1)].into_iter().filter(move |m| *m < n);
    (0..DRAWS).flat_map(move |i| {
        smaller(numbers[i]).map(move |n| {
            let mut simpler = numbers;
            simpler[i] = n;
            simpler
        })
    })
}

/// One instruction of each opcode: the name in the guide and the dwords.
#[derive(Clone, Copy)]
struct Template {
    format: &'static str,
    name: &'static str,
    words: [u32; 3],
}

fn templates(formats: &[&str]) -> Vec<Template> {
    static ALL: LazyLock<Vec<Template>> = LazyLock::new(|| {
        let mut all: Vec<Template> = Vec::new();
        for line in isa_tests::vectors::golden().unwrap() {
            let Ok((instr, _)) = Instr::decode(&line.words(), Wave::W32) else { continue };
            let name = instr.opcode().name();
            if all.iter().all(|t| t.name != name || t.format != instr.format()) {
                let mut words = [0; 3];
                for (to, word) in words.iter_mut().zip(line.words()) {
                    *to = word;
                }
                all.push(Template { format: instr.format(), name, words });
            }
        }
        all
    });
    ALL.iter().filter(|t| formats.contains(&t.format)).copied().collect()
}

/// Sets bits `high` to `low` of the dwords, which are in one of them.
fn set(words: &mut [u32; 3], high: u32, low: u32, value: u32) {
    let mask = (u64::MAX >> (63 - high + low) << (low % 32)) as u32;
    let word = &mut words[(low / 32) as usize];
    *word = *word & !mask | value << (low % 32) & mask;
}

fn decoded(words: &[u32; 3]) -> Option<Instr> {
    Instr::decode(words, Wave::W32).ok().map(|(instr, _)| instr)
}

fn alignment(mode: guide::Mode) -> AlignmentMode {
    match mode {
        guide::Mode::Dword => AlignmentMode::Dword,
        guide::Mode::DwordStrict => AlignmentMode::DwordStrict,
        guide::Mode::Strict => AlignmentMode::Strict,
        guide::Mode::Unaligned => AlignmentMode::Unaligned,
    }
}

fn why(fault: Fault) -> Why {
    match fault {
        Fault::OutOfRange => Why::Range,
        Fault::Misaligned { .. } => Why::Alignment,
        Fault::Unbound => Why::Unbound,
        Fault::WrongResource => Why::WrongResource,
        f if f == NO_ACCESS => Why::NoAccess,
        _ => Why::Rule,
    }
}

/// Whether an outcome is one that the guide allows: the same bytes, and of several reasons any.
fn agrees(found: &Result<Spans, Fault>, expected: &Outcome) -> bool {
    let is_among = |fault: Fault, reasons: &Vec<Why>| reasons.contains(&why(fault));
    match (found, expected) {
        (Err(fault), Err(reasons)) => is_among(*fault, reasons),
        (Err(fault), Ok(parts)) => parts.iter().all(|p| p.as_ref().is_err_and(|reasons| is_among(*fault, reasons))),
        (Ok(spans), Err(reasons)) => {
            !spans.as_slice().is_empty() && spans.iter().all(|p| p.is_err_and(|f| is_among(f, reasons)))
        }
        (Ok(spans), Ok(parts)) => {
            spans.as_slice().len() == parts.len()
                && spans.iter().zip(parts).all(|(found, part)| match (found, part) {
                    (Ok(address), Ok(bytes)) => (address.byte, address.bytes) == *bytes,
                    (Err(fault), Err(reasons)) => is_among(fault, reasons),
                    _ => false,
                })
        }
    }
}

fn compared(
    instr: &Instr,
    state: &dyn std::fmt::Debug,
    found: &Result<Spans, Fault>,
    expected: &Outcome,
) -> Result<Case, String> {
    if !agrees(found, expected) {
        return Err(format!("{instr}\n{state:x?}\nfound:    {found:x?}\nexpected: {expected:x?}"));
    }
    let accessed = expected.as_ref().is_ok_and(|parts| parts.iter().any(Result::is_ok));
    Ok(if accessed { Case::Accessed } else { Case::Refused })
}

/// Chapter 8.
#[test]
fn scalar_loads() {
    let rows = templates(&["SMEM"]);
    compare_all(10, |draw| {
        let row = draw.of(&rows);
        let mut words = row.words;
        set(&mut words, 52, 32, draw.edge());
        set(&mut words, 63, 57, draw.of(&[124, 5, 5]));
        let Some(instr) = decoded(&words) else { return Ok(Case::Undecoded) };
        let register = draw.edge();
        let (low, high, records) = (draw.edge(), draw.edge(), draw.edge());
        let swizzle = draw.of(&[0, 0, 1, 3]) << 30;
        let stride = draw.of(&[0, 0, 1, 4, 16, 20, 0x3fff]);
        let resource = [low, high & 0xffff | stride << 16 | swizzle, records, draw.word()];
        let pointer = u64::from(high) << 32 | u64::from(low);
        // Usually draws the base that the instruction needs.
        let suits = draw.below(16) > 0;
        let (ours, theirs) = if row.name.starts_with("S_BUFFER") == suits {
            (ScalarBase::Buffer(BufferResource::from_words(resource)), guide::scalar::Base::Buffer(resource))
        } else {
            (ScalarBase::Pointer(pointer), guide::scalar::Base::Pointer(pointer))
        };
        let state = ScalarState { base: ours, soffset: register };
        let found = scalar::address(&instr, &state);
        compared(&instr, &state, &found, &guide::scalar::access(row.name, &words, theirs, register))
    });
}

/// Chapter 9.
#[test]
fn buffers() {
    let rows = templates(&["MUBUF", "MTBUF"]);
    compare_all(25, |draw| {
        let row = draw.of(&rows);
        let mut words = row.words;
        set(&mut words, 11, 0, draw.edge());
        set(&mut words, 55, 54, draw.word());
        set(&mut words, 63, 56, draw.of(&[124, 5, 5, 5, 107, 125, 128, 129, 192, 193, 208, 240, 248]));
        if row.format == "MTBUF" {
            set(&mut words, 25, 19, draw.below(64));
        }
        let Some(instr) = decoded(&words) else { return Ok(Case::Undecoded) };
        let (soffset, lane, vaddr, mode) =
            (draw.edge(), draw.below(64) as u8, [draw.edge(), draw.edge()], draw.of(&MODES));
        let stride = draw.of(&[0, 1, 4, 16, 20, 32, 64, 0x3ff0, 0x3fff]);
        let swizzle = draw.of(&[0, 0, 0, 1, 1, 3, 3, 2]);
        let kind = draw.of(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3]);
        let aligned = if draw.flag() { !15 } else { !0 };
        let resource = [
            draw.edge() & aligned,
            draw.edge() & 0xffff | stride << 16 | swizzle << 30,
            draw.edge(),
            draw.below(64) << 12 | draw.below(4) << 21 | draw.below(2) << 23 | draw.below(4) << 28 | kind << 30,
        ];
        let state = buffer::BufferState {
            resource: BufferResource::from_words(resource),
            soffset,
            lane: Lane { id: lane, vaddr },
            alignment: alignment(mode),
        };
        let theirs = guide::buffer::State { resource, soffset, lane, vaddr, mode };
        let found = buffer::address(&instr, &state);
        compared(&instr, &state, &found, &guide::buffer::access(row.name, &words, &theirs))
    });
}

/// Chapter 11.
#[test]
fn flat_global_scratch() {
    let rows = templates(&["FLAT", "GLOBAL", "SCRATCH"]);
    compare_all(20, |draw| {
        let row = draw.of(&rows);
        let mut words = row.words;
        set(&mut words, 12, 0, draw.edge());
        if row.format != "FLAT" {
            set(&mut words, 54, 48, draw.of(&[124, 4, 6]));
        }
        if row.format == "SCRATCH" {
            set(&mut words, 55, 55, draw.below(2));
        }
        let Some(instr) = decoded(&words) else { return Ok(Case::Undecoded) };
        let (vaddr, saddr, scratch_base) = (draw.pointer(), draw.pointer(), draw.pointer());
        let (wave, lanes) = draw.of(&[(Wave::W32, 32), (Wave::W64, 64)]);
        let (lane, lds_size, mode) = (draw.below(lanes) as u8, draw.edge(), draw.of(&MODES));
        let apertures = Apertures::default();
        let state =
            FlatState { vaddr, saddr, lane, wave, scratch_base, apertures, lds_size, alignment: alignment(mode) };
        let theirs = guide::flat::State {
            vaddr,
            saddr,
            lane,
            wave: u64::from(lanes),
            scratch_base,
            shared: apertures.shared,
            private: apertures.private,
            lds_size,
            mode,
        };
        let found = flat::address(&instr, &state);
        let expected = guide::flat::access(row.name, &words, &theirs);
        let agrees = match (&found, &expected) {
            (Ok(Landing::Global(a)), Ok(guide::flat::Landing::Global(byte, bytes)))
            | (Ok(Landing::Lds(a)), Ok(guide::flat::Landing::Lds(byte, bytes))) => (a.byte, a.bytes) == (*byte, *bytes),
            (Ok(Landing::Scratch(spans)), Ok(guide::flat::Landing::Scratch(bytes))) => {
                spans.bytes().eq(bytes.iter().copied())
            }
            (Err(fault), Err(reasons)) => reasons.contains(&why(*fault)),
            _ => false,
        };
        if !agrees {
            return Err(format!("{instr}\n{state:x?}\nfound:    {found:x?}\nexpected: {expected:x?}"));
        }
        Ok(if expected.is_ok() { Case::Accessed } else { Case::Refused })
    });
}

/// Chapter 12.
#[test]
fn data_share() {
    let rows = templates(&["DS"]);
    compare_all(20, |draw| {
        let row = draw.of(&rows);
        let mut words = row.words;
        let gds = draw.below(3) == 0;
        set(&mut words, 15, 0, draw.edge());
        set(&mut words, 17, 17, u32::from(gds));
        let Some(instr) = decoded(&words) else { return Ok(Case::Undecoded) };
        let (addr, lane, base, size) = (draw.edge(), draw.below(64) as u8, draw.edge(), draw.edge());
        let m0 = draw.edge() & 0xffff | draw.edge() << 16;
        let mode = draw.of(&MODES);
        let theirs = guide::lds::State { addr, m0, lane, base, size, mode };
        let ours = GdsState { addr, m0, alignment: alignment(mode) };
        let in_gds = compared(
            &instr,
            &ours,
            &gds::address(&instr, &ours),
            &guide::lds::access(row.name, &words, true, &theirs),
        )?;
        let ours = LdsState { addr, m0, lane, base, size, alignment: alignment(mode) };
        let in_lds = compared(
            &instr,
            &ours,
            &lds::address(&instr, &ours),
            &guide::lds::access(row.name, &words, false, &theirs),
        )?;
        Ok(if gds { in_gds } else { in_lds })
    });
}

/// §12.2.1 and §12.5.2.
#[test]
fn parameters_and_permutations() {
    let mut sample = property::sample();
    for _ in 0..property::count(2_000) {
        let numbers = [0; DRAWS].map(|_| sample.word());
        let mut draw = Draws { numbers: &numbers, at: 0 };
        let m0 = draw.edge() & 0xffff | draw.word() << 16 & 0x7fff_ffff;
        let (attribute, channel, parameter, quad) = (draw.below(33), draw.below(4), draw.below(3), draw.below(16));
        let found = lds::ParamM0::from_bits(m0).location(attribute as u8, channel as u8, parameter as u8, quad as u8);
        let expected = guide::lds::parameter(m0, attribute, 4 * parameter + channel, quad);
        assert_eq!((found.byte, found.bytes), (expected, 4), "{m0:#x} {attribute} {channel} {parameter} {quad}");
        let (index, offset, lane) = (draw.edge(), draw.edge() as u16, draw.below(64) as u8);
        let permuted = guide::lds::permuted_lane(index, u32::from(offset), lane);
        assert_eq!(lds::permuted_lane(index, offset, lane, Wave::W64), permuted, "{index:#x} {offset} {lane}");
        if lane < 32 {
            assert_eq!(lds::permuted_lane(index, offset, lane, Wave::W32), permuted, "{index:#x} {offset} {lane}");
        }
    }
}

fn address_part(part: AddressPart) -> String {
    let axis = |a: Axis| format!("{a:?}").to_lowercase();
    match part {
        AddressPart::Derivative(a, Along::H) => format!("d{}/dh", axis(a)),
        AddressPart::Derivative(a, Along::V) => format!("d{}/dv", axis(a)),
        AddressPart::RayOrigin(a) => format!("origin.{}", axis(a)),
        AddressPart::RayDir(a) => format!("dir.{}", axis(a)),
        AddressPart::RayInvDir(a) => format!("inv.{}", axis(a)),
        AddressPart::NodePointer => "node".to_string(),
        AddressPart::NodePointerHigh => "nodehigh".to_string(),
        AddressPart::RayExtent => "extent".to_string(),
        AddressPart::FragmentId => "fragid".to_string(),
        other => format!("{other:?}").to_lowercase(),
    }
}

fn held<P>(parts: impl Iterator<Item = Held<P>>, name: impl Fn(P) -> String) -> Vec<guide::image::Held> {
    parts.map(|h| (h.register, h.half.map(|half| half == Half::High), name(h.part))).collect()
}

/// Chapter 10. Registers are below v230, so that none is past the file. Instructions that `check` refuses (an atomic on
/// three components, more addresses than the instruction has) may lack a layout.
#[test]
fn image_layouts() {
    let rows = templates(&["MIMG"]);
    compare_all(10, |draw| {
        let row = draw.of(&rows);
        let mut words = row.words;
        let nsa = draw.flag();
        set(&mut words, 0, 0, u32::from(nsa));
        set(&mut words, 16, 16, draw.word());
        if !row.name.starts_with("IMAGE_BVH") {
            set(&mut words, 4, 2, draw.word());
            set(&mut words, 7, 7, 1);
            // Gathers and atomics take few masks.
            let dmask = draw.word();
            set(&mut words, 11, 8, if draw.flag() { draw.of(&[0, 1, 2, 3, 4, 8, 15]) } else { dmask });
            set(&mut words, 54, 53, draw.word());
            set(&mut words, 17, 17, draw.word());
        }
        set(&mut words, 47, 40, draw.below(230));
        set(&mut words, 39, 32, draw.below(230));
        words[2] = if nsa { (0..4).map(|i| draw.below(230) << (8 * i)).sum() } else { 0 };
        let Some(instr) = decoded(&words) else { return Ok(Case::Undecoded) };
        let legal = instr.check(Wave::W32).is_ok();
        let expected = guide::image::address(row.name, &words);
        let found = address_layout(&instr).map(|layout| held(layout.iter(), address_part));
        if found != expected && (legal || found.is_some()) {
            return Err(format!("{instr}\nfound:    {found:?}\nexpected: {expected:?}"));
        }
        let data = guide::image::data(row.name, &words);
        let part = |part: DataPart| format!("{part:?}").to_lowercase();
        let found = data_layout(&instr).map(|layout| held(layout.iter(), part));
        if found.as_ref() != Some(&data) && (legal || found.is_some()) {
            return Err(format!("{instr}\nfound:    {found:?}\nexpected: {data:?}"));
        }
        Ok(if legal && expected.is_some() { Case::Accessed } else { Case::Refused })
    });
}

/// MUBUF of GCN.
#[test]
fn gcn_buffers() {
    use amdgpu_memory::buffer::Access;
    use amdgpu_memory::gcn::buffer::{BufferAccess, buffer_address};
    use amdgpu_memory::gcn::{BufferResource, Generation};
    compare_all(10, |draw| {
        let kind = draw.of(&[0, 0, 0, 0, 0, 0, 0, 1, 3]);
        let stride = draw.of(&[0, 0, 1, 4, 16, 20, 32, 64, 0x3fff]);
        let resource = [
            draw.edge(),
            draw.edge() & 0xffff | stride << 16 | draw.below(4) << 30,
            draw.edge(),
            draw.word() & 0x3fff_ffff | kind << 30,
        ];
        let access = guide::gcn::Buffer {
            offset: draw.edge() & 0xfff,
            offen: draw.flag(),
            idxen: draw.flag(),
            addr64: draw.below(6) == 1,
            bytes: draw.of(&[1, 2, 4, 8, 12, 16]),
            lane: draw.below(64),
            vaddr: [draw.edge(), draw.edge()],
            soffset: draw.edge(),
        };
        let generation = draw.of(&[Generation::Gcn1_0, Generation::Gcn1_1, Generation::Gcn1_2, Generation::Gcn1_4]);
        let has_addr64 = matches!(generation, Generation::Gcn1_0 | Generation::Gcn1_1);
        let fields = Access { offset: access.offset, offen: access.offen, idxen: access.idxen };
        let ours = BufferAccess { fields, addr64: access.addr64, bytes: access.bytes };
        let lane = Lane { id: access.lane as u8, vaddr: access.vaddr };
        let found = buffer_address(BufferResource::from_words(resource), ours, lane, access.soffset, generation);
        let expected = guide::gcn::buffer(resource, &access, has_addr64);
        let agree = match (&found, &expected) {
            (Ok(a), Ok(bytes)) => (a.byte, a.bytes) == *bytes,
            (Err(fault), Err(reasons)) => reasons.contains(&why(*fault)),
            _ => false,
        };
        if !agree {
            return Err(format!(
                "{resource:x?} {access:x?} {generation:?}\nfound:    {found:x?}\nexpected: {expected:x?}"
            ));
        }
        Ok(if expected.is_ok() { Case::Accessed } else { Case::Refused })
    });
}

/// SMEM of GCN.
#[test]
fn gcn_scalars() {
    use amdgpu_memory::gcn::scalar::{ScalarAccess, ScalarBase, ScalarRegisters, scalar_address};
    use amdgpu_memory::gcn::{BufferResource, Generation};
    compare_all(5, |draw| {
        let (generation, newest) = draw.of(&[(Generation::Gcn1_4, true), (Generation::Gcn1_2, false)]);
        let (imm, soe) = (draw.flag(), draw.flag());
        // 21 bits with a sign, or 20 without.
        let offset = draw.edge();
        let offset = if newest { (offset << 11) as i32 >> 11 } else { (offset & 0xf_ffff) as i32 };
        let registers = [draw.edge(), draw.edge()];
        let dwords = draw.of(&[1, 2, 4, 8, 16]);
        let resource = [draw.edge(), draw.edge() & 0xffff | draw.of(&[0, 1, 4, 20]) << 16, draw.edge(), draw.word()];
        let pointer = u64::from(resource[1]) << 32 | u64::from(resource[0]);
        let (ours, theirs) = match draw.below(3) {
            0 => (ScalarBase::Pointer(pointer), guide::gcn::Base::Pointer(pointer)),
            1 => (ScalarBase::Scratch(pointer), guide::gcn::Base::Scratch(pointer)),
            _ => (ScalarBase::Buffer(BufferResource::from_words(resource)), guide::gcn::Base::Buffer(resource)),
        };
        let access = ScalarAccess { imm, soe, offset, dwords };
        let [first, second] = registers;
        let found = scalar_address(ours, access, ScalarRegisters { offset: first, soffset: second }, generation);
        let expected = guide::gcn::scalar(theirs, imm, soe, offset, registers, u64::from(dwords), newest);
        if !agrees(&found, &expected) {
            return Err(format!(
                "{theirs:x?} {access:x?} {registers:x?} {generation:?}\nfound:    {found:x?}\nexpected: {expected:x?}"
            ));
        }
        let accessed = expected.as_ref().is_ok_and(|parts| parts.iter().any(Result::is_ok));
        Ok(if accessed { Case::Accessed } else { Case::Refused })
    });
}

#[test]
fn every_opcode_of_memory_takes_part() {
    let guide = [
        ("SMEM", 12),
        ("MUBUF", 73),
        ("MTBUF", 16),
        ("FLAT", 52),
        ("GLOBAL", 55),
        ("SCRATCH", 22),
        ("DS", 120),
        ("MIMG", 84),
    ];
    for (format, least) in guide {
        let rows = templates(&[format]).len();
        assert!(rows >= least, "{format}: {rows}");
    }
}
