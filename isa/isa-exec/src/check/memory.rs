//! Memory: which bytes an access may reach, and which of them were written.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

use isa_runtime::body::Space;

use crate::check::finding::{AccessKind, Bytes, Finding, Kind, MemorySpace};
use crate::check::order::SharedAccess;
use crate::check::{Checker, Place};
use crate::wave::Wave;

/// A part of the memory of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The first address.
    pub address: u64,
    /// The size in bytes.
    pub bytes: u64,
    /// Whether a kernel may write it.
    pub is_writable: bool,
    /// Whether its bytes are written before the kernel starts.
    pub is_written: bool,
    /// Whether it is the host's: nothing is known of it, and accesses are not checked.
    pub is_foreign: bool,
}

impl Extent {
    /// Memory with contents that a kernel may write.
    #[must_use]
    pub const fn new(address: u64, bytes: u64) -> Self {
        Extent { address, bytes, is_writable: true, is_written: true, is_foreign: false }
    }

    const fn holds(&self, address: u64) -> bool {
        address.wrapping_sub(self.address) < self.bytes
    }
}

/// The bytes of a scalar load that a compiler may read beyond the last one that it needs: those of an aligned number of this size.
const SCALAR_EXCESS: u64 = 16;

/// The bytes of a page.
const PAGE: u64 = 4096;

/// A bit for each byte of a page.
type Page = [u64; PAGE as usize / 64];

/// A set of bytes.
#[derive(Clone, Debug, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn all(bytes: usize) -> Self {
        Bits(vec![u64::MAX; bytes.div_ceil(64)])
    }

    /// Up to 64 bits from one on.
    fn get(&self, at: u64, count: usize) -> u64 {
        let word = |n: usize| self.0.get(n).copied().unwrap_or(0);
        let (n, shift) = (usize::try_from(at / 64).unwrap_or(usize::MAX), at % 64);
        let high = if shift == 0 { 0 } else { word(n.saturating_add(1)) << (64 - shift) };
        (word(n) >> shift | high) & low(count)
    }

    /// Replaces up to 64 bits from one on.
    fn set(&mut self, at: u64, count: usize, bits: u64) {
        let (n, shift) = (usize::try_from(at / 64).unwrap_or(usize::MAX), at % 64);
        let (mask, bits) = (low(count), bits & low(count));
        if let Some(word) = self.0.get_mut(n) {
            *word = *word & !(mask << shift) | bits << shift;
        }
        if shift + count as u64 > 64
            && let Some(word) = self.0.get_mut(n.saturating_add(1))
        {
            *word = *word & !(mask >> (64 - shift)) | bits >> (64 - shift);
        }
    }
}

/// The lowest bits.
const fn low(count: usize) -> u64 {
    if count >= 64 { u64::MAX } else { (1 << count) - 1 }
}

/// The memory that all work-groups share.
#[derive(Debug)]
pub(super) struct GlobalMemory {
    /// In the order of their addresses.
    extents: Vec<Extent>,
    /// The undefined bytes of pages that differ from what their extent says.
    pages: BTreeMap<u64, Box<Page>>,
    /// The index of the extent that was accessed last.
    last: usize,
}

impl GlobalMemory {
    pub fn new(mut extents: Vec<Extent>) -> Self {
        extents.sort_by_key(|extent| extent.address);
        GlobalMemory { extents, pages: BTreeMap::new(), last: 0 }
    }

    /// The extent that an address is in.
    fn extent(&mut self, address: u64) -> Option<&Extent> {
        if !self.extents.get(self.last).is_some_and(|extent| extent.holds(address)) {
            let after = self.extents.partition_point(|extent| extent.address <= address);
            self.last = after.checked_sub(1)?;
        }
        self.extents.get(self.last).filter(|extent| extent.holds(address))
    }

    /// How many bytes from an address on are in extents.
    fn bytes_from(&mut self, address: u64, most: u64) -> u64 {
        let mut count = 0;
        while count < most {
            let at = address.wrapping_add(count);
            let Some(extent) = self.extent(at) else { break };
            count += extent.bytes - (at - extent.address);
        }
        count.min(most)
    }

    /// Which of some bytes are undefined.
    fn undefined(&mut self, address: u64, bytes: usize) -> u64 {
        if self.pages.is_empty() {
            match self.extent(address) {
                Some(extent) if extent.is_written && extent.bytes - (address - extent.address) >= bytes as u64 => {
                    return 0;
                }
                _ => {}
            }
        }
        (0..bytes).fold(0, |all, n| all | u64::from(self.is_undefined(address.wrapping_add(n as u64))) << n)
    }

    fn is_undefined(&mut self, address: u64) -> bool {
        match self.pages.get(&(address / PAGE)) {
            Some(page) => {
                let at = address % PAGE;
                page.get((at / 64) as usize).is_some_and(|word| word >> (at % 64) & 1 != 0)
            }
            None => self.extent(address).is_some_and(|extent| !extent.is_written),
        }
    }

    /// Sets which of some bytes are undefined.
    fn set_undefined(&mut self, address: u64, bytes: usize, undefined: u64) {
        if undefined == 0 && self.undefined(address, bytes) == 0 {
            return;
        }
        for n in 0..bytes {
            let address = address.wrapping_add(n as u64);
            let number = address / PAGE;
            if !self.pages.contains_key(&number) {
                let page = self.initial(number);
                self.pages.insert(number, page);
            }
            let at = address % PAGE;
            let word = self.pages.get_mut(&number).and_then(|page| page.get_mut((at / 64) as usize));
            if let Some(word) = word {
                *word = *word & !(1 << (at % 64)) | (undefined >> n & 1) << (at % 64);
            }
        }
    }

    /// A page as the extents say.
    fn initial(&mut self, number: u64) -> Box<Page> {
        let mut page = Box::new([0; PAGE as usize / 64]);
        for (n, word) in page.iter_mut().enumerate() {
            for bit in 0..64 {
                let address = number * PAGE + 64 * n as u64 + bit;
                *word |= u64::from(self.extent(address).is_some_and(|extent| !extent.is_written)) << bit;
            }
        }
        page
    }
}

/// The memory of a work-group.
#[derive(Debug, Default)]
pub(super) struct GroupMemory {
    bytes: u64,
    undefined: Bits,
}

impl GroupMemory {
    pub fn new(lds: &[u8]) -> Self {
        GroupMemory { bytes: lds.len() as u64, undefined: Bits::all(lds.len()) }
    }
}

/// The private memory of the lanes of a wave.
#[derive(Debug)]
pub(super) struct WaveMemory {
    /// The bytes of a lane.
    bytes: u64,
    undefined: Bits,
}

impl WaveMemory {
    pub fn new(wave: &Wave) -> Self {
        let (all, bytes) = wave.all_scratch();
        WaveMemory { bytes: bytes as u64, undefined: Bits::all(all.len()) }
    }
}

/// What is wrong with accesses of lanes of an instruction.
#[derive(Clone, Copy, Debug)]
struct Wrong {
    kind: Kind,
    /// The first bytes.
    memory: Bytes,
    access: AccessKind,
    lanes: u64,
    count: u64,
}

/// The access that is executed.
#[derive(Debug)]
pub(super) struct Current {
    /// Whether it is an atomic.
    pub atomic: bool,
    /// Whether an atomic replaces the old value by one that does not depend on it.
    pub swaps: bool,
    /// How many bytes a lane accesses.
    pub bytes: usize,
    /// Whether the components of what is accessed are converted.
    pub is_converted: bool,
    /// For each lane: the bytes that were loaded and are undefined, or those that are stored and are.
    pub undefined: [u64; 64],
    /// The lane and how many of its bytes were accessed.
    cursor: (usize, usize),
    /// Memory that was loaded and is undefined.
    pub origin: Option<Bytes>,
    /// The lanes that stored to memory nothing but undefined bytes.
    pub stored: u64,
    wrong: Vec<Wrong>,
}

impl Default for Current {
    fn default() -> Self {
        Current {
            atomic: false,
            swaps: false,
            bytes: 0,
            is_converted: false,
            undefined: [0; 64],
            cursor: (usize::MAX, 0),
            origin: None,
            stored: 0,
            wrong: Vec::new(),
        }
    }
}

impl Current {
    /// An access of `bytes` bytes in each lane.
    pub fn new(atomic: bool, bytes: usize, is_converted: bool) -> Self {
        Current { atomic, bytes, is_converted, ..Current::default() }
    }

    /// The offset of the next bytes of a lane.
    fn advance(&mut self, lane: usize, bytes: usize) -> usize {
        if self.cursor.0 != lane {
            self.cursor = (lane, 0);
        }
        let at = self.cursor.1;
        self.cursor.1 += bytes;
        at
    }

    /// The undefined bytes of a lane.
    fn undefined_of(&self, lane: usize) -> u64 {
        self.undefined.get(lane).copied().unwrap_or(0)
    }
}

/// The space of a report.
const fn space_of(space: Space) -> MemorySpace {
    match space {
        Space::Lds | Space::Gds => MemorySpace::Lds,
        Space::Scratch => MemorySpace::Scratch,
        Space::Scalar => MemorySpace::Scalar,
        Space::Buffer => MemorySpace::Buffer,
        Space::Image => MemorySpace::Image,
        _ => MemorySpace::Global,
    }
}

/// An access of a lane.
#[derive(Clone, Copy)]
struct LaneAccess {
    space: Space,
    address: u64,
    lane: usize,
    bytes: usize,
    kind: AccessKind,
}

impl LaneAccess {
    const fn memory(&self) -> Bytes {
        Bytes { space: space_of(self.space), at: self.address, bytes: self.bytes as u32 }
    }
}

impl Checker {
    /// Checks a load of a lane; `false` if it gives zeros.
    pub(crate) fn reads(&mut self, space: Space, address: u64, lane: usize, bytes: usize) -> bool {
        let at = self.access.advance(lane, bytes);
        let kind = if self.access.atomic { AccessKind::Atomic } else { AccessKind::Read };
        let access = LaneAccess { space, address, lane, bytes, kind };
        if space == Space::Gds {
            return true;
        }
        if !self.may(access) {
            return false;
        }
        self.read(access, at);
        if !self.access.atomic {
            self.share(access, false);
        }
        true
    }

    /// Checks a store of a lane; `false` if it does nothing.
    pub(crate) fn writes(&mut self, space: Space, address: u64, lane: usize, bytes: usize, is_same: bool) -> bool {
        if self.access.atomic && self.access.cursor.0 == lane {
            // The second part of an atomic.
            self.access.cursor = (usize::MAX, 0);
        }
        let at = self.access.advance(lane, bytes);
        let kind = if self.access.atomic { AccessKind::Atomic } else { AccessKind::Write };
        let access = LaneAccess { space, address, lane, bytes, kind };
        if space == Space::Gds {
            return true;
        }
        if !self.may(access) {
            return false;
        }
        self.write(access, at);
        self.share(access, is_same);
        true
    }

    /// Checks an atomic of a lane; `false` if it does nothing and gives zero.
    pub(crate) fn updates(&mut self, space: Space, address: u64, lane: usize, bytes: usize) -> bool {
        let access = LaneAccess { space, address, lane, bytes, kind: AccessKind::Atomic };
        if !self.may(access) {
            return false;
        }
        self.access.cursor = (usize::MAX, 0);
        let at = self.access.advance(lane, bytes);
        self.read(access, at);
        self.write(access, at);
        self.share(access, false);
        true
    }

    /// Checks the address of an access; `false` if it has no effect.
    fn may(&mut self, access: LaneAccess) -> bool {
        let LaneAccess { space, address, bytes, kind, .. } = access;
        let size = bytes as u64;
        let is_read = kind == AccessKind::Read;
        let end = match space {
            Space::Lds => Some(self.current.memory.bytes),
            Space::Scratch => Some(self.state().map_or(0, |state| state.memory.bytes)),
            _ => None,
        };
        let inside = match end {
            Some(end) => end.saturating_sub(address).min(size),
            None => self.memory.bytes_from(address, size),
        };
        if inside < size && !(end.is_none() && is_read && self.is_excess(access, inside)) {
            let memory = Bytes { at: address.wrapping_add(inside), ..access.memory() };
            self.note(Kind::OutOfBounds, memory, access);
            return false;
        }
        if end.is_none() {
            let Some(extent) = self.memory.extent(address) else { return true };
            if extent.is_foreign {
                return true;
            }
            if !is_read && !extent.is_writable {
                self.note(Kind::ReadOnlyWrite, access.memory(), access);
                return false;
            }
        }
        let alignment = match (kind, self.access.is_converted) {
            (AccessKind::Atomic, _) => self.access.bytes.max(1) as u64,
            (_, true) => size.clamp(1, 4),
            _ => 1,
        };
        if alignment.is_power_of_two() && !address.is_multiple_of(alignment) {
            self.note(Kind::Misaligned, access.memory(), access);
        }
        true
    }

    /// Whether a load that begins inside and reads beyond is one that compilers make on purpose.
    fn is_excess(&self, access: LaneAccess, inside: u64) -> bool {
        let LaneAccess { space, address, bytes, .. } = access;
        let end = address.wrapping_add(inside);
        let last = |line: u64| end.next_multiple_of(line) >= address.wrapping_add(bytes as u64);
        inside > 0
            && match space {
                Space::Scalar => last(SCALAR_EXCESS),
                _ => address.is_multiple_of(4) && bytes.is_multiple_of(4) && last(4),
            }
    }

    /// Remembers what is wrong with the access of a lane.
    fn note(&mut self, kind: Kind, memory: Bytes, LaneAccess { lane, kind: access, .. }: LaneAccess) {
        let bit = 1u64.checked_shl(lane as u32).unwrap_or(0);
        match self.access.wrong.iter_mut().find(|wrong| wrong.kind == kind) {
            Some(wrong) => {
                wrong.count += u64::from(wrong.lanes & bit == 0);
                wrong.lanes |= bit;
            }
            None => self.access.wrong.push(Wrong { kind, memory, access, lanes: bit, count: 1 }),
        }
    }

    /// Follows which bytes of a load are undefined.
    fn read(&mut self, access: LaneAccess, at: usize) {
        let LaneAccess { space, address, lane, bytes, .. } = access;
        let undefined = match space {
            Space::Lds => self.current.memory.undefined.get(address, bytes),
            Space::Scratch => match self.state() {
                Some(state) => state.memory.undefined.get(state.memory.bytes * lane as u64 + address, bytes),
                None => 0,
            },
            _ => self.memory.undefined(address, bytes),
        };
        if undefined != 0 {
            let first = Bytes { at: address + u64::from(undefined.trailing_zeros()), ..access.memory() };
            self.access.origin.get_or_insert(first);
        }
        if let Some(to) = self.access.undefined.get_mut(lane) {
            *to = *to & !(low(bytes) << at.min(63)) | undefined << at.min(63);
        }
    }

    /// Follows which bytes of a store are undefined.
    fn write(&mut self, access: LaneAccess, at: usize) {
        let LaneAccess { space, address, lane, bytes, .. } = access;
        let of_lane = self.access.undefined_of(lane);
        let mut undefined = of_lane.checked_shr(at as u32).unwrap_or(0) & low(bytes);
        if self.access.atomic && self.access.swaps {
            undefined = 0;
        }
        match space {
            Space::Lds => self.current.memory.undefined.set(address, bytes, undefined),
            Space::Scratch => {
                if let Some(state) = self.state() {
                    let start = state.memory.bytes * lane as u64;
                    state.memory.undefined.set(start + address, bytes, undefined);
                }
            }
            _ => {
                // One report is enough.
                let is_whole = undefined != 0 && of_lane & low(self.access.bytes) == low(self.access.bytes);
                if is_whole {
                    self.access.stored |= 1u64.checked_shl(lane as u32).unwrap_or(0);
                }
                self.memory.set_undefined(address, bytes, if is_whole { 0 } else { undefined });
            }
        }
    }

    /// Tells the order of accesses about one to memory that waves share.
    fn share(&mut self, access: LaneAccess, is_same: bool) {
        let Bytes { space, at, bytes } = access.memory();
        if space != MemorySpace::Scratch {
            self.order_access(SharedAccess { space, at, bytes, lane: access.lane as u32, kind: access.kind, is_same });
        }
    }

    /// Reports what was wrong with the access of an instruction.
    pub(super) fn report_wrong(&mut self) {
        for wrong in core::mem::take(&mut self.access.wrong) {
            let Wrong { kind, memory, access, lanes, count } = wrong;
            let place: Place = self.place(lanes);
            let help = help(kind, memory, access);
            let finding =
                Finding { count, memory: Some(memory), access: Some(access), ..Finding::new(kind, place, help) };
            self.report(finding);
        }
    }

    /// Checks the address of a scalar load, whose low bits the hardware drops.
    pub(super) fn check_scalar_address(&mut self, address: u64, bytes: u32) {
        if !address.is_multiple_of(4) {
            let memory = Bytes { space: MemorySpace::Scalar, at: address, bytes };
            let wrong = Wrong { kind: Kind::Misaligned, memory, access: AccessKind::Read, lanes: 1, count: 1 };
            self.access.wrong.push(wrong);
        }
    }
}

/// What to do about a wrong access.
fn help(kind: Kind, memory: Bytes, access: AccessKind) -> Cow<'static, str> {
    let Bytes { space, bytes, .. } = memory;
    match (kind, space) {
        (Kind::OutOfBounds, MemorySpace::Lds) => {
            "keep the offset below the size of the work-group's LDS, or give it more with `--lds` (guide §3.3.4)".into()
        }
        (Kind::OutOfBounds, MemorySpace::Scratch) => {
            "keep the offset within the work-item's scratch memory, or give it more with `--stack`".into()
        }
        (Kind::OutOfBounds, MemorySpace::Buffer) => {
            "NUM_RECORDS of the resource covers more than the allocation: correct the resource (guide §9.1.8)".into()
        }
        (Kind::OutOfBounds, _) => "compare the index with the size of the buffer, or mask the lanes with EXEC".into(),
        (Kind::Misaligned, MemorySpace::Scalar) => {
            "the hardware drops the low two bits of the address: align it to 4 bytes (guide §8.1)".into()
        }
        (Kind::Misaligned, _) if access == AccessKind::Atomic => {
            format!("align the address to the {bytes} bytes of the atomic: others end in MEMVIOL (guide §3.3.3)").into()
        }
        (Kind::Misaligned, _) => "align the element to its size, up to 4 bytes (guide §3.3.3)".into(),
        (Kind::ReadOnlyWrite, _) => {
            "the kernel's arguments, the dispatch packet and code are not written: store to a buffer".into()
        }
        _ => Cow::Borrowed(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_cross_words() {
        let mut bits = Bits::all(130);
        bits.set(60, 8, 0b1010_0101);
        assert_eq!(bits.get(60, 8), 0b1010_0101);
        assert_eq!(bits.get(59, 10), 0b11_0100_1011);
        bits.set(128, 2, 0);
        assert_eq!((bits.get(127, 3), bits.get(64, 64)), (1, u64::MAX << 4 | 0b1010));
    }

    #[test]
    fn memory_is_defined_as_its_extents_say_until_it_is_written() {
        let unwritten = Extent { is_written: false, ..Extent::new(0x1ff0, 0x20) };
        let mut memory = GlobalMemory::new(vec![Extent::new(0x8000, 16), unwritten]);
        assert_eq!(memory.undefined(0x8000, 16), 0);
        assert_eq!(memory.undefined(0x1ffc, 8), 0xFF);
        memory.set_undefined(0x1ffe, 4, 0);
        assert_eq!(memory.undefined(0x1ffc, 8), 0b1100_0011);
        memory.set_undefined(0x8004, 4, 0b0110);
        assert_eq!(memory.undefined(0x8000, 16), 0b0110_0000);
        assert_eq!((memory.bytes_from(0x200c, 8), memory.bytes_from(0x2010, 8)), (4, 0));
    }
}
