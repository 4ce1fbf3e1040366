//! Memory: which bytes an access may reach, and which of them were written.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use isa_runtime::body::Space;

use crate::access::scalar_alignment;
use crate::check::finding::{AccessKind, Bytes, Finding, Kind, MemorySpace};
use crate::check::order::SharedAccess;
use crate::check::{Checker, Place};
use crate::guard::RowAccess;
use crate::rows::{HALF, LANES};
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

/// A page that has undefined bits.
#[derive(Debug)]
struct Page {
    /// The undefined bits of its bytes.
    undefined: [u8; PAGE as usize],
    /// How many bytes have some.
    count: usize,
}

impl Page {
    fn defined() -> Box<Self> {
        Box::new(Page { undefined: [0; PAGE as usize], count: 0 })
    }
}

/// The most bytes that a lane accesses.
const MAX_BYTES: usize = 64;

/// The undefined bits of the bytes of a lane's access.
type LaneBytes = [u8; MAX_BYTES];

/// The memory that all work-groups share.
#[derive(Debug)]
pub(super) struct GlobalMemory {
    /// In the order of their addresses.
    extents: Vec<Extent>,
    /// The pages that differ from what their extents say. `None`: all bits are defined, and need no memory beside those of a buffer.
    pages: BTreeMap<u64, Option<Box<Page>>>,
    /// For each extent: whether there are such pages.
    has_pages: Vec<bool>,
    /// The index of the extent that was accessed last.
    last: usize,
}

impl GlobalMemory {
    pub fn new(mut extents: Vec<Extent>) -> Self {
        extents.sort_by_key(|extent| extent.address);
        let has_pages = vec![false; extents.len()];
        GlobalMemory { extents, pages: BTreeMap::new(), has_pages, last: 0 }
    }

    /// The extent that an address is in.
    fn extent(&mut self, address: u64) -> Option<&Extent> {
        if !self.extents.get(self.last).is_some_and(|extent| extent.holds(address)) {
            let after = self.extents.partition_point(|extent| extent.address <= address);
            self.last = after.checked_sub(1)?;
        }
        self.extents.get(self.last).filter(|extent| extent.holds(address))
    }

    /// Whether waves can exchange something through the memory at an address.
    pub fn is_shared(&mut self, address: u64) -> bool {
        self.extent(address).is_some_and(|extent| extent.is_writable && !extent.is_foreign)
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

    /// The extent that memory between two addresses is in, if all bytes of the extent are defined.
    fn is_defined(&self, start: u64, end: u64) -> Option<&Extent> {
        let is_last = self.extents.get(self.last).is_some_and(|extent| extent.holds(start));
        let after = || self.extents.partition_point(|extent| extent.address <= start);
        let index = if is_last { self.last } else { after().checked_sub(1)? };
        let extent = self.extents.get(index)?;
        let is_inside = extent.holds(start) && end > start && end - extent.address <= extent.bytes;
        (is_inside && extent.is_written && self.has_pages.get(index) == Some(&false)).then_some(extent)
    }

    /// Copies the undefined bits of some bytes; whether there are any.
    fn load(&mut self, address: u64, to: &mut [u8]) -> bool {
        if self.is_defined(address, address.wrapping_add(to.len() as u64)).is_some() {
            return false;
        }
        let mut any = false;
        for (at, range) in chunks(address, to.len()) {
            let Some(to) = to.get_mut(range) else { continue };
            let page = self.pages.get(&(at / PAGE)).map(Option::as_deref);
            match page {
                Some(None) => to.fill(0),
                Some(Some(page)) => _ = copy_part(&page.undefined, at % PAGE, to),
                None => to.iter_mut().zip(addresses(at)).for_each(|(to, at)| *to = self.initial(at)),
            }
            any |= to.iter().any(|bits| *bits != 0);
        }
        any
    }

    /// The undefined bits of a byte before the kernel starts.
    fn initial(&mut self, address: u64) -> u8 {
        if self.extent(address).is_some_and(|extent| !extent.is_written) { 0xFF } else { 0 }
    }

    /// Replaces the undefined bits of some bytes.
    fn store(&mut self, address: u64, undefined: &[u8]) {
        let is_defined = undefined.iter().all(|bits| *bits == 0);
        let mut before = [0; MAX_BYTES];
        if is_defined && !self.load(address, before.get_mut(..undefined.len()).unwrap_or_default()) {
            return;
        }
        for (at, range) in chunks(address, undefined.len()) {
            let Some(new) = undefined.get(range) else { continue };
            for address in addresses(at).take(new.len()) {
                if self.extent(address).is_some()
                    && let Some(has_pages) = self.has_pages.get_mut(self.last)
                {
                    *has_pages = true;
                }
            }
            let number = at / PAGE;
            let mut page = match self.pages.remove(&number) {
                Some(page) => page.unwrap_or_else(Page::defined),
                None => self.initial_page(number),
            };
            let count = |bytes: Option<&[u8]>| bytes.unwrap_or_default().iter().filter(|bits| **bits != 0).count();
            let before = count(part(&page.undefined, at % PAGE, new.len() as u64));
            replace_part(&mut page.undefined, at % PAGE, new);
            page.count = page.count + count(Some(new)) - before;
            self.pages.insert(number, (page.count != 0).then_some(page));
        }
    }

    /// A page before the kernel starts.
    fn initial_page(&mut self, number: u64) -> Box<Page> {
        let mut page = Page::defined();
        for (to, address) in page.undefined.iter_mut().zip(addresses(number * PAGE)) {
            *to = self.initial(address);
        }
        page.count = page.undefined.iter().filter(|bits| **bits != 0).count();
        page
    }
}

/// The addresses of a page from one on.
fn addresses(first: u64) -> impl Iterator<Item = u64> {
    (0..PAGE).map(move |n| first.wrapping_add(n))
}

/// The parts of some bytes that are in one page each: the address of each, and its range among the bytes.
fn chunks(address: u64, len: usize) -> impl Iterator<Item = (u64, Range<usize>)> {
    let mut start = 0;
    core::iter::from_fn(move || {
        let at = address.wrapping_add(start as u64);
        let count = (len - start).min((PAGE - at % PAGE) as usize);
        let range = start..start + count;
        start += count;
        (count != 0).then_some((at, range))
    })
}

/// A part of some bytes.
fn part(bytes: &[u8], start: u64, count: u64) -> Option<&[u8]> {
    let start = usize::try_from(start).ok()?;
    bytes.get(start..start.checked_add(usize::try_from(count).ok()?)?)
}

/// Copies a part of some bytes; zeros if it is not there.
fn copy_part(bytes: &[u8], start: u64, to: &mut [u8]) -> bool {
    match part(bytes, start, to.len() as u64) {
        Some(found) => to.copy_from_slice(found),
        None => to.fill(0),
    }
    to.iter().any(|bits| *bits != 0)
}

/// Replaces a part of some bytes, if it is there.
fn replace_part(bytes: &mut [u8], start: u64, new: &[u8]) {
    let start = usize::try_from(start).unwrap_or(usize::MAX);
    if let Some(to) = bytes.get_mut(start..start.saturating_add(new.len())) {
        to.copy_from_slice(new);
    }
}

/// The memory of a work-group.
#[derive(Debug, Default)]
pub(super) struct GroupMemory {
    /// The undefined bits of its bytes.
    undefined: Vec<u8>,
}

impl GroupMemory {
    pub fn new(bytes: usize) -> Self {
        GroupMemory { undefined: vec![0xFF; bytes] }
    }
}

/// The private memory of the lanes of a wave.
#[derive(Debug)]
pub(super) struct WaveMemory {
    /// The bytes of a lane.
    bytes: u64,
    /// The undefined bits of the bytes of all lanes.
    undefined: Vec<u8>,
}

impl WaveMemory {
    pub fn new(wave: &Wave) -> Self {
        let (all, bytes) = wave.all_scratch();
        WaveMemory { bytes: bytes as u64, undefined: vec![0xFF; all.len()] }
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
pub(super) struct CurrentAccess {
    /// Whether it is an atomic.
    pub atomic: bool,
    /// Whether an atomic replaces the old value by one that does not depend on it.
    pub swaps: bool,
    /// How many bytes a lane accesses.
    pub bytes: usize,
    /// Whether the components of what is accessed are converted.
    pub is_converted: bool,
    /// The undefined bits of the bytes that lanes load or store.
    undefined: Box<[LaneBytes; 64]>,
    /// The lanes that have undefined bits.
    pub lanes: u64,
    /// The lane and how many of its bytes were accessed.
    cursor: (usize, usize),
    /// Memory that was loaded and is undefined.
    pub origin: Option<Bytes>,
    /// The lanes that stored to memory nothing but undefined bytes.
    pub stored: u64,
    wrong: Vec<Wrong>,
}

impl Default for CurrentAccess {
    fn default() -> Self {
        CurrentAccess {
            atomic: false,
            swaps: false,
            bytes: 0,
            is_converted: false,
            undefined: Box::new([[0; MAX_BYTES]; 64]),
            lanes: 0,
            cursor: (usize::MAX, 0),
            origin: None,
            stored: 0,
            wrong: Vec::new(),
        }
    }
}

impl CurrentAccess {
    /// Begins an access of `bytes` bytes in each lane.
    pub fn begin(&mut self, atomic: bool, bytes: usize, is_converted: bool) {
        for (lane, bytes) in self.undefined.iter_mut().enumerate() {
            if self.lanes >> lane & 1 != 0 {
                *bytes = [0; MAX_BYTES];
            }
        }
        (self.atomic, self.bytes, self.is_converted) = (atomic, bytes.min(MAX_BYTES), is_converted);
        (self.swaps, self.lanes, self.cursor, self.origin, self.stored) = (false, 0, (usize::MAX, 0), None, 0);
        self.wrong.clear();
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

    /// The undefined bits of the bytes of a lane.
    pub fn of_lane(&self, lane: usize) -> &LaneBytes {
        self.undefined.get(lane).unwrap_or(&[0; MAX_BYTES])
    }

    /// Replaces the undefined bits of bytes of a lane.
    pub fn set(&mut self, lane: usize, at: usize, undefined: &[u8]) {
        let of_lane = self.undefined.get_mut(lane);
        if let Some(to) = of_lane.and_then(|bytes| bytes.get_mut(at..at.saturating_add(undefined.len()))) {
            to.copy_from_slice(undefined);
            self.lanes |= 1u64.checked_shl(lane as u32).unwrap_or(0);
        }
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

/// What a check makes of an access of a lane.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// It is executed, and the check follows which bytes are defined, and the order of accesses.
    Followed,
    /// It is a finding and has no effect: loads give zeros.
    Dropped,
    /// It is executed as in a run without checks.
    Unchecked,
}

impl Verdict {
    fn has_effect(self) -> bool {
        self != Self::Dropped
    }
}

impl Checker {
    /// Whether an access of lanes reaches memory that it may access, and loads nothing undefined.
    pub(super) fn reaches_defined(&self, access: &RowAccess) -> bool {
        if access.mask == 0 {
            return true;
        }
        let is_store = access.is_store();
        // Whether lanes store the same to one address is seen when they store one after the other.
        if is_store && access.block.is_none() && lanes_overlap(access) {
            return false;
        }
        let is_defined = |undefined: &[u8]| is_store || undefined.iter().fold(0, |all, bits| all | bits) == 0;
        match access.space {
            Space::Lds => {
                let undefined = &self.current.memory.undefined;
                let (first, end) = access.extent();
                let whole = || part(undefined, first, end.saturating_sub(first));
                let each =
                    || access.lanes().all(|(_, at)| part(undefined, at, access.bytes as u64).is_some_and(is_defined));
                if access.block.is_some() { whole().is_some_and(is_defined) } else { whole().is_some() && each() }
            }
            Space::Scratch => {
                let Some(state) = self.current.waves.get(self.wave) else { return false };
                let WaveMemory { bytes, undefined } = &state.memory;
                access.lanes().all(|(lane, address)| {
                    let start = bytes * (LANES * access.half + lane) as u64 + address;
                    address.saturating_add(access.bytes as u64) <= *bytes
                        && part(undefined, start, access.bytes as u64).is_some_and(is_defined)
                })
            }
            Space::Gds => false,
            _ => {
                let (first, end) = access.extent();
                self.memory
                    .is_defined(first, end)
                    .is_some_and(|extent| !extent.is_foreign && (extent.is_writable || !is_store))
            }
        }
    }

    /// Follows an access of lanes that reaches defined memory, and stores defined values.
    pub(super) fn access_rows(&mut self, access: &RowAccess) {
        let bytes = access.bytes;
        let defined = [0; MAX_BYTES];
        let defined = defined.get(..bytes).unwrap_or_default();
        match access.space {
            _ if !access.is_store() => {}
            Space::Lds => {
                for (_, address) in access.lanes() {
                    replace_part(&mut self.current.memory.undefined, address, defined);
                }
            }
            Space::Scratch => {
                if let Some(state) = self.current.waves.get_mut(self.wave) {
                    for (lane, address) in access.lanes() {
                        let start = state.memory.bytes * (LANES * access.half + lane) as u64;
                        replace_part(&mut state.memory.undefined, start + address, defined);
                    }
                }
            }
            _ => {}
        }
        self.share_rows(access);
    }

    /// Tells the order of accesses about those of lanes.
    fn share_rows(&mut self, access: &RowAccess) {
        let space = space_of(access.space);
        if space == MemorySpace::Scratch || !self.kinds.contains(Kind::Race) {
            return;
        }
        let kind = if access.is_store() { AccessKind::Write } else { AccessKind::Read };
        let (bytes, first) = (access.bytes as u32, (LANES * access.half) as u32);
        let repeats = !access.is_store() && access.repeats();
        for (lane, lanes, at) in access.runs() {
            let is_same = access.same.is_some_and(|same| same >> lane & 1 != 0);
            let is_again = repeats && lane >= HALF;
            let (lane, lanes) = (first + lane as u32, lanes as u32);
            let access = SharedAccess { space, at, bytes, lane, lanes, kind, is_same };
            if is_again { self.order_again(access) } else { self.order_access(access) }
        }
    }

    /// Checks a load of a lane; `false` if it gives zeros.
    pub(super) fn check_load(&mut self, space: Space, address: u64, lane: usize, bytes: usize) -> bool {
        let kind = if self.access.atomic { AccessKind::Atomic } else { AccessKind::Read };
        self.check_lane(LaneAccess { space, address, lane, bytes, kind }, |checker, access, at| {
            checker.read(access, at);
            // The store of an atomic tells the order about both parts.
            if kind == AccessKind::Read {
                checker.share(access, false);
            }
        })
    }

    /// Checks a store of a lane; `false` if it does nothing.
    pub(super) fn check_store(&mut self, space: Space, address: u64, lane: usize, bytes: usize, is_same: bool) -> bool {
        if self.access.atomic && self.access.cursor.0 == lane {
            // The second part of an atomic.
            self.access.cursor = (usize::MAX, 0);
        }
        let kind = if self.access.atomic { AccessKind::Atomic } else { AccessKind::Write };
        self.check_lane(LaneAccess { space, address, lane, bytes, kind }, |checker, access, at| {
            checker.write(access, at);
            checker.share(access, is_same);
        })
    }

    /// Checks the address of an access, and calls `follow` with the offset of its bytes among those of the lane. Returns whether the
    /// access has an effect. Accesses to the global data share are not checked.
    fn check_lane(&mut self, access: LaneAccess, follow: impl FnOnce(&mut Self, LaneAccess, usize)) -> bool {
        let at = self.access.advance(access.lane, access.bytes);
        if access.space == Space::Gds {
            return true;
        }
        let verdict = self.verdict(access);
        if verdict == Verdict::Followed {
            follow(self, access, at);
        }
        verdict.has_effect()
    }

    /// Checks an atomic of a lane; `false` if it does nothing and gives zero.
    pub(super) fn check_update(&mut self, space: Space, address: u64, lane: usize, bytes: usize) -> bool {
        let access = LaneAccess { space, address, lane, bytes, kind: AccessKind::Atomic };
        let verdict = self.verdict(access);
        if verdict != Verdict::Followed {
            return verdict.has_effect();
        }
        self.access.cursor = (usize::MAX, 0);
        let at = self.access.advance(lane, bytes);
        self.read(access, at);
        self.write(access, at);
        self.share(access, false);
        true
    }

    /// Checks the address of an access.
    fn verdict(&mut self, access: LaneAccess) -> Verdict {
        let LaneAccess { space, address, bytes, kind, .. } = access;
        let size = bytes as u64;
        let is_read = kind == AccessKind::Read;
        let end = match space {
            Space::Lds => Some(self.current.memory.undefined.len() as u64),
            Space::Scratch => Some(self.state().map_or(0, |state| state.memory.bytes)),
            _ => None,
        };
        let inside = match end {
            Some(end) => end.saturating_sub(address).min(size),
            None => self.memory.bytes_from(address, size),
        };
        let is_excess = |checker: &mut Self| {
            end.is_none()
                && (is_read && checker.is_excess(access, inside)
                    || kind != AccessKind::Write && checker.is_part_of_dword(access))
        };
        if inside < size && !is_excess(self) {
            let memory = Bytes { at: address.wrapping_add(inside), ..access.memory() };
            return self.refuse(Kind::OutOfBounds, memory, access);
        }
        if end.is_none() {
            let Some(extent) = self.memory.extent(address) else { return Verdict::Followed };
            if extent.is_foreign {
                return Verdict::Followed;
            }
            if !is_read && !extent.is_writable {
                return self.refuse(Kind::ReadOnlyWrite, access.memory(), access);
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
        Verdict::Followed
    }

    /// Whether an access is that of an aligned dword of which a part is mapped: compilers make atomics of 8 and 16 bits of such ones.
    fn is_part_of_dword(&mut self, LaneAccess { address, bytes, .. }: LaneAccess) -> bool {
        bytes == 4
            && address.is_multiple_of(4)
            && addresses(address).take(4).any(|address| self.memory.extent(address).is_some())
    }

    /// Drops an access to memory that the kernel may not access, so that the run goes on after the finding. A run that does not look for
    /// the kind executes the access, which is a fault then as without a check.
    fn refuse(&mut self, kind: Kind, memory: Bytes, access: LaneAccess) -> Verdict {
        if !self.kinds.contains(kind) {
            return Verdict::Unchecked;
        }
        self.note(kind, memory, access);
        Verdict::Dropped
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

    /// Follows which bits of a load are undefined.
    fn read(&mut self, access: LaneAccess, at: usize) {
        let LaneAccess { space, address, lane, bytes, .. } = access;
        let mut undefined = [0; MAX_BYTES];
        let undefined = undefined.get_mut(..bytes).unwrap_or_default();
        let any = match space {
            Space::Lds => copy_part(&self.current.memory.undefined, address, undefined),
            Space::Scratch => self.state().is_some_and(|state| {
                let start = state.memory.bytes * lane as u64;
                copy_part(&state.memory.undefined, start + address, undefined)
            }),
            _ => self.memory.load(address, undefined),
        };
        if any {
            let first = undefined.iter().position(|bits| *bits != 0).unwrap_or(0);
            self.access.origin.get_or_insert(Bytes { at: address + first as u64, ..access.memory() });
            self.access.set(lane, at, undefined);
        }
    }

    /// Follows which bits of a store are undefined.
    fn write(&mut self, access: LaneAccess, at: usize) {
        let LaneAccess { space, address, lane, bytes, .. } = access;
        let of_lane = *self.access.of_lane(lane);
        let mut undefined = [0; MAX_BYTES];
        let undefined = undefined.get_mut(..bytes).unwrap_or_default();
        if !(self.access.atomic && self.access.swaps) {
            undefined.iter_mut().zip(of_lane.iter().skip(at)).for_each(|(to, bits)| *to = *bits);
        }
        match space {
            Space::Lds => replace_part(&mut self.current.memory.undefined, address, undefined),
            Space::Scratch => {
                if let Some(state) = self.state() {
                    let start = state.memory.bytes * lane as u64;
                    replace_part(&mut state.memory.undefined, start + address, undefined);
                }
            }
            _ => {
                let all = of_lane.get(..self.access.bytes).unwrap_or_default();
                // Compilers load, change and store the units of bit fields.
                let is_whole = undefined.iter().any(|bits| *bits != 0) && all.iter().all(|bits| *bits == 0xFF);
                if is_whole {
                    // One report is enough.
                    self.access.stored |= 1u64.checked_shl(lane as u32).unwrap_or(0);
                    undefined.fill(0);
                }
                self.memory.store(address, undefined);
            }
        }
    }

    /// Tells the order of accesses about one to memory that waves share.
    fn share(&mut self, access: LaneAccess, is_same: bool) {
        let Bytes { space, at, bytes } = access.memory();
        if space != MemorySpace::Scratch {
            let lane = access.lane as u32;
            self.order_access(SharedAccess { space, at, bytes, lane, lanes: 1, kind: access.kind, is_same });
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

    /// Remembers that a lane's access through a buffer resource is dropped because of its alignment.
    pub(super) fn dropped(&mut self, address: u64, lane: usize, bytes: usize) {
        let kind = if self.access.atomic { AccessKind::Atomic } else { AccessKind::Read };
        let access = LaneAccess { space: Space::Buffer, address, lane, bytes, kind };
        self.note(Kind::Misaligned, access.memory(), access);
    }

    /// Checks the address of a scalar load, whose low bits the hardware drops.
    pub(super) fn check_scalar_address(&mut self, address: u64, bytes: u32) {
        if !address.is_multiple_of(scalar_alignment(bytes as usize)) {
            let memory = Bytes { space: MemorySpace::Scalar, at: address, bytes };
            let wrong = Wrong { kind: Kind::Misaligned, memory, access: AccessKind::Read, lanes: 1, count: 1 };
            self.access.wrong.push(wrong);
        }
    }
}

/// Whether lanes access the same bytes.
fn lanes_overlap(access: &RowAccess) -> bool {
    let end = |address: u64| address.saturating_add(access.bytes as u64);
    let mut last = 0;
    let is_ascending = access.lanes().all(|(_, address)| {
        let is_after = address >= last;
        last = end(address);
        is_after
    });
    let overlaps = |lane: usize, address: u64| {
        access
            .lanes()
            .take_while(|(other, _)| *other < lane)
            .any(|(_, other)| other < end(address) && address < end(other))
    };
    !is_ascending && access.lanes().any(|(lane, address)| overlaps(lane, address))
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
    fn memory_is_defined_as_its_extents_say_until_it_is_written() {
        let unwritten = Extent { is_written: false, ..Extent::new(0x1ff0, 0x20) };
        let mut memory = GlobalMemory::new(vec![Extent::new(0x8000, 16), unwritten]);
        let undefined = |memory: &mut GlobalMemory, address| {
            let mut bytes = [0; 8];
            memory.load(address, &mut bytes);
            bytes
        };
        assert_eq!(undefined(&mut memory, 0x8000), [0; 8]);
        assert_eq!(undefined(&mut memory, 0x1ffc), [0xFF; 8]);
        memory.store(0x1ffe, &[0; 4]);
        assert_eq!(undefined(&mut memory, 0x1ffc), [0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF]);
        memory.store(0x8004, &[0, 0x0F, 0xFF, 0]);
        assert_eq!(undefined(&mut memory, 0x8000), [0, 0, 0, 0, 0, 0x0F, 0xFF, 0]);
        assert_eq!((memory.bytes_from(0x200c, 8), memory.bytes_from(0x2010, 8)), (4, 0));
    }

    #[test]
    fn pages_whose_bits_are_all_defined_take_no_memory() {
        let unwritten = Extent { is_written: false, ..Extent::new(2 * PAGE - 4, PAGE + 4) };
        let mut memory = GlobalMemory::new(vec![unwritten]);
        let pages = |memory: &GlobalMemory| memory.pages.values().map(Option::is_some).collect::<Vec<_>>();
        for n in (0..=PAGE / 2).rev() {
            memory.store(2 * PAGE - 2 + 2 * n, &[0; 2]);
        }
        assert_eq!(pages(&memory), [true, false]);
        memory.store(2 * PAGE - 4, &[0; 4]);
        assert_eq!(pages(&memory), [false, false]);
        memory.store(3 * PAGE - 1, &[1]);
        assert_eq!(pages(&memory), [false, true]);
        let mut bytes = [0xFF; 2];
        assert!(memory.load(3 * PAGE - 2, &mut bytes));
        assert_eq!(bytes, [0, 1]);
        assert!(!memory.load(2 * PAGE - 4, &mut [0; 8]));
    }
}
