//! Builtin functions that depend on the lane or on other lanes.
//!
//! Exchanges take values from other lanes of the same 32. Their controls are constants in most instructions: lowering computes
//! the source of each lane once.

use core::cmp::Ordering;

use isa_runtime::body::Builtin;

use crate::operation::dwords;
use crate::rows::{BITS, File, LANES, Row, Wide};
use crate::step::{Commit, Cross, Sources, Writers};
use crate::units::{Task, Unit};
use crate::wave::{Wave, pack};

/// The source of a lane that has none.
const NONE: u32 = u32::MAX;

/// A row with a value for each lane. The closures of this module are part of loops that are compiled for the units of the host.
macro_rules! row {
    ($lane:ident => $value:expr) => {
        Wide::from_fn(
            #[inline(always)]
            |$lane| $value,
        )
    };
}

impl Sources {
    /// The sources of an exchange whose arguments after the first are `arg(number, lane)`; `None` for other functions. `lowest` gives
    /// bit 0 of each lane.
    #[inline(always)]
    fn new(builtin: Builtin, arg: impl Fn(usize, usize) -> u32, lowest: impl Fn(&Wide) -> u32) -> Option<Sources> {
        let (from, flag) = match builtin {
            Builtin::Quad => (row!(lane => lane as u32 & !3 | arg(1, lane) & 3), None),
            Builtin::Permlane16 => (row!(lane => lane as u32 & 16 | nibble(arg(1, lane), lane)), Some(2)),
            Builtin::Permlanex16 => (row!(lane => !lane as u32 & 16 | nibble(arg(1, lane), lane)), Some(2)),
            Builtin::Dpp16 => (row!(lane => dpp16(arg(1, lane), lane)), Some(3)),
            Builtin::Dpp16Writes => (row!(lane => dpp16(arg(0, lane), lane)), Some(4)),
            Builtin::Dpp8 => (row!(lane => lane as u32 & !7 | arg(1, lane) >> (3 * (lane & 7)) & 7), Some(2)),
            Builtin::Swizzle => (row!(lane => swizzle(arg(1, lane), lane)), None),
            Builtin::Bpermute => (row!(lane => arg(1, lane) >> 2 & 31), None),
            _ => return None,
        };
        let reads_inactive = match flag {
            Some(flag) => lowest(&row!(lane => arg(flag, lane))),
            None if builtin == Builtin::Quad => u32::MAX,
            None => 0,
        };
        let valid = match builtin {
            Builtin::Dpp16 | Builtin::Dpp16Writes => lowest(&row!(lane => u32::from(from.0[lane] != NONE))),
            _ => u32::MAX,
        };
        Some(Sources { from, valid, reads_inactive })
    }

    /// The sources of an exchange whose arguments after the first are constants.
    pub(crate) fn of_constants(builtin: Builtin, args: &[Option<u128>]) -> Option<Sources> {
        let used = match builtin {
            Builtin::Dpp16Writes => args,
            // The last argument of PERMLANE is a value.
            Builtin::Permlane16 | Builtin::Permlanex16 => args.get(1..3)?,
            _ => args.get(1..)?,
        };
        if used.iter().any(Option::is_none) {
            return None;
        }
        let arg = |n: usize| args.get(n).copied().flatten().unwrap_or(0);
        let of_lane = |n, lane| {
            if is_selector(builtin, n) && lane & 8 != 0 { (arg(n) >> 32) as u32 } else { arg(n) as u32 }
        };
        Sources::new(builtin, of_lane, pack)
    }

    /// The lanes that take a value.
    #[inline(always)]
    fn taking<U: Unit>(&self, unit: U, exec: u32) -> u32 {
        if exec == u32::MAX || self.reads_inactive == u32::MAX {
            return self.valid;
        }
        let is_active = row!(lane => exec >> (self.from.0[lane] & 31));
        (unit.lowest(&is_active) | self.reads_inactive) & self.valid
    }
}

/// Whether an argument is a selector of PERMLANE, which has a dword for each eight lanes of a row.
const fn is_selector(builtin: Builtin, n: usize) -> bool {
    n == 1 && matches!(builtin, Builtin::Permlane16 | Builtin::Permlanex16)
}

impl Writers {
    /// The lanes that DPP leaves enabled, if its arguments are constants: control, row mask, bank mask, BOUND_CTRL, FI.
    pub(crate) fn of_constants(args: &[Option<u128>]) -> Option<Writers> {
        let sources = Sources::of_constants(Builtin::Dpp16Writes, args)?;
        let arg = |n: usize| args.get(n).copied().flatten().unwrap_or(0) as u32;
        let lanes = [0, 2].map(|row| selected(&Wide([arg(1) >> row; LANES]), &Wide([arg(2); LANES])));
        Some(if arg(3) & 1 != 0 {
            Writers { lanes, sources: None }
        } else if arg(4) & 1 != 0 {
            Writers { lanes: lanes.map(|mask| mask & sources.valid), sources: None }
        } else {
            Writers { lanes, sources: Some(sources) }
        })
    }

    /// Whether all lanes are enabled.
    pub(crate) fn are_all(&self) -> bool {
        self.lanes == [u32::MAX; 2] && self.sources.is_none()
    }

    /// The active lanes that are enabled, of the first or the second 32.
    #[inline(always)]
    pub(crate) fn of<U: Unit>(&self, unit: U, half: usize, exec: u64) -> u32 {
        let exec = (exec >> (LANES * half)) as u32;
        if exec == 0 {
            return 0;
        }
        let taking = self.sources.as_ref().map_or(u32::MAX, |sources| sources.taking(unit, exec));
        exec & taking & self.lanes.get(half).copied().unwrap_or(0)
    }
}

/// The lanes that the masks of DPP select: a bit of `rows` for each row of 16 of the 32 lanes, a bit of `banks` for each bank.
#[inline(always)]
fn selected(rows: &Wide, banks: &Wide) -> u32 {
    pack(&row!(lane => rows.0[lane] >> (lane / 16) & banks.0[lane] >> (lane % 16 / 4)))
}

/// A function that depends on the lane, to be computed for all lanes.
struct Exchange<'a> {
    cross: &'a Cross,
    wave: &'a mut Wave,
}

impl Task for Exchange<'_> {
    type Output = ();

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) {
        let exec = self.wave.exec();
        for half in 0..self.wave.wide.len() {
            self.cross.run_half(unit, self.wave, half, (exec >> (LANES * half)) as u32);
        }
    }
}

impl Cross {
    /// Computes the function for all lanes.
    #[inline(always)]
    pub(crate) fn run<U: Unit>(&self, unit: U, wave: &mut Wave) {
        let Some(sources) = &self.sources else { return self.run_apart(wave) };
        let exec = wave.exec();
        for half in 0..wave.wide.len() {
            self.exchange(unit, wave, sources, half, (exec >> (LANES * half)) as u32);
        }
    }

    /// Computes the function for all lanes, for the vector units of the host.
    pub(crate) fn run_for(&self, wave: &mut Wave) {
        wave.env.units.run_task(Exchange { cross: self, wave });
    }

    /// Computes the function whose sources are not constants.
    #[inline(never)]
    fn run_apart(&self, wave: &mut Wave) {
        self.run_for(wave);
    }

    /// Whether the function can write the registers of a commit itself: one register, and not the source of lanes that take their
    /// value later.
    pub(crate) fn can_commit(&self, commit: &Commit) -> bool {
        let takes_later = matches!(
            self.builtin,
            Builtin::Lane | Builtin::PermuteWave | Builtin::BpermuteWave | Builtin::TransposeB16 | Builtin::TransposeB8
        );
        self.dst == commit.src && dwords(self.ty) == 1 && commit.count == 1 && !takes_later
    }

    /// The first row of an argument.
    #[inline(always)]
    fn row(&self, n: usize) -> u16 {
        self.args.get(n).map_or(0, |arg| arg.row)
    }

    /// Writes a row of the result.
    #[inline(always)]
    fn store(&self, wave: &mut Wave, half: usize, n: u16, row: Wide) {
        let mask = if self.commits { wave.writing[half & 1] } else { u32::MAX };
        if let Some(file) = wave.wide.get_mut(half) {
            file.set_lanes(self.dst.saturating_add(n), mask, row);
        }
    }

    /// Computes the function for 32 lanes.
    #[inline(always)]
    fn run_half<U: Unit>(&self, unit: U, wave: &mut Wave, half: usize, exec: u32) {
        let Some(file) = wave.wide.get(half) else { return };
        let result = match self.builtin {
            Builtin::LaneId => row!(lane => (LANES * half + lane) as u32),
            Builtin::FirstLane => Wide([wave.first_lane() as u32; LANES]),
            Builtin::MbcntLo | Builtin::MbcntHi => {
                let row = file.row(self.row(0));
                match half.cmp(&usize::from(self.builtin == Builtin::MbcntHi)) {
                    Ordering::Less => Wide::ZERO,
                    // Lanes before the own one.
                    Ordering::Equal => row!(lane => (row.0[lane] & (BITS.0[lane] - 1)).count_ones()),
                    Ordering::Greater => row!(lane => row.0[lane].count_ones()),
                }
            }
            Builtin::Lane => return self.any_lane(wave, half),
            Builtin::PermuteWave | Builtin::BpermuteWave => return self.across_wave(wave, half),
            Builtin::TransposeB16 => return self.transpose::<16>(wave, half),
            Builtin::TransposeB8 => return self.transpose::<8>(wave, half),
            Builtin::Permute => {
                let sources = senders(file.row(self.row(1)), exec);
                return self.exchange(unit, wave, &sources, half, exec);
            }
            Builtin::Dpp16Writes => {
                let Some(sources) = self.sources_of_rows(unit, file, Builtin::Dpp16Writes) else { return };
                let rows = row!(lane => file.row(self.row(1)).0[lane] >> (2 * half));
                let taking = sources.taking(unit, exec) | pack(file.row(self.row(3)));
                Wide::of_bits(selected(&rows, file.row(self.row(2))) & taking)
            }
            // Each has an arm, so that the compiler makes code for it alone, which needs a quarter fewer host instructions.
            Builtin::Permlane16 => return self.exchange_rows(unit, wave, Builtin::Permlane16, half, exec),
            Builtin::Permlanex16 => return self.exchange_rows(unit, wave, Builtin::Permlanex16, half, exec),
            builtin => return self.exchange_rows(unit, wave, builtin, half, exec),
        };
        self.store(wave, half, 0, result);
    }

    /// Copies values between lanes, whose sources are not constants. `builtin` is that of the function.
    #[inline(always)]
    fn exchange_rows<U: Unit>(&self, unit: U, wave: &mut Wave, builtin: Builtin, half: usize, exec: u32) {
        let sources = wave.wide.get(half).and_then(
            #[inline(always)]
            |file| self.sources_of_rows(unit, file, builtin),
        );
        if let Some(sources) = sources {
            self.exchange(unit, wave, &sources, half, exec);
        }
    }

    /// The sources of an exchange whose arguments are in rows.
    #[inline(always)]
    fn sources_of_rows<U: Unit>(&self, unit: U, file: &File<Wide>, builtin: Builtin) -> Option<Sources> {
        let mut rows = [0, 1, 2, 3, 4].map(
            #[inline(always)]
            |n| file.row(self.row(n)),
        );
        let high = if is_selector(builtin, 1) { file.row(self.row(1).saturating_add(1)) } else { rows[1] };
        let selector = row!(lane => if lane & 8 != 0 { high.0[lane] } else { rows[1].0[lane] });
        rows[1] = &selector;
        Sources::new(
            builtin,
            #[inline(always)]
            |n, lane| rows[n].0[lane],
            #[inline(always)]
            |row| unit.lowest(row),
        )
    }

    /// Copies values between lanes.
    #[inline(always)]
    fn exchange<U: Unit>(&self, unit: U, wave: &mut Wave, sources: &Sources, half: usize, exec: u32) {
        let taking = sources.taking(unit, exec);
        for n in 0..dwords(self.ty) {
            let Some(file) = wave.wide.get(half) else { return };
            let mut values = unit.shuffle(file.row(self.row(0).saturating_add(n)), &sources.from);
            if taking != u32::MAX {
                values = Wide::blend(taking, &values, &self.others(unit, file, n));
            }
            self.store(wave, half, n, values);
        }
    }

    /// The values of lanes that take none: zero, or for PERMLANE the own ones unless its flags have bit 1.
    #[inline(always)]
    fn others<U: Unit>(&self, unit: U, file: &File<Wide>, n: u16) -> Wide {
        if !is_selector(self.builtin, 1) {
            return Wide::ZERO;
        }
        let flags = file.row(self.row(2));
        let zeros = unit.lowest(&row!(lane => flags.0[lane] >> 1));
        Wide::blend(zeros, &Wide::ZERO, file.row(self.row(3).saturating_add(n)))
    }

    /// Takes values from any active lanes of the wave, or sends them, by the byte addresses in a row.
    #[inline(never)]
    fn across_wave(&self, wave: &mut Wave, half: usize) {
        let (exec, lanes) = (wave.exec(), wave.lanes());
        let other = |wave: &Wave, lane| (wave.vgpr(self.row(1), lane) >> 2) as usize % lanes;
        let mut sources = [None; LANES];
        if self.builtin == Builtin::BpermuteWave {
            for (n, source) in sources.iter_mut().enumerate() {
                let other = other(wave, LANES * half + n);
                *source = Some(other).filter(|other| exec >> other & 1 != 0);
            }
        } else {
            for lane in (0..lanes).filter(|lane| exec >> lane & 1 != 0) {
                let to = other(wave, lane);
                if to / LANES == half {
                    sources[to % LANES] = Some(lane);
                }
            }
        }
        for n in 0..dwords(self.ty) {
            let row = self.row(0).saturating_add(n);
            self.store(wave, half, n, row!(lane => sources[lane].map_or(0, |source| wave.vgpr(row, source))));
        }
    }

    /// Transposes matrices of `BITS` bits in the values of lanes 0 to 31. Lanes 32 to 63 get the second half of the elements.
    #[inline(never)]
    fn transpose<const BITS: usize>(&self, wave: &mut Wave, half: usize) {
        let per_dword = 32 / BITS;
        let element = |lane: usize, n: usize| {
            let (source, at) = (transposed(BITS, lane, n), lane % 8);
            let dword = wave.vgpr(self.row(0).saturating_add((at / per_dword) as u16), source);
            dword >> (BITS * (at % per_dword)) & ((1 << BITS) - 1)
        };
        let count = usize::from(dwords(self.ty));
        let mut rows = [Wide::ZERO; 4];
        for (n, row) in rows.iter_mut().enumerate().take(count) {
            let first = (count * half + n) * per_dword;
            *row = row!(lane => (0..per_dword).fold(0, |all, k| all | element(lane, first + k) << (BITS * k)));
        }
        for (n, row) in (0..).zip(rows).take(count) {
            self.store(wave, half, n, row);
        }
    }

    /// Takes values from any lanes of the wave, by the number in a row.
    #[inline(never)]
    fn any_lane(&self, wave: &mut Wave, half: usize) {
        let lanes = wave.lanes();
        let numbers = wave.wide.get(half).map_or(Wide::ZERO, |file| *file.row(self.row(1)));
        for n in 0..dwords(self.ty) {
            let row = self.row(0).saturating_add(n);
            self.store(wave, half, n, row!(lane => wave.vgpr(row, numbers.0[lane] as usize % lanes)));
        }
    }
}

/// The sources of lanes to which others send values by byte addresses: the highest sender wins.
#[inline(always)]
fn senders(addresses: &Wide, exec: u32) -> Sources {
    let mut sources = Sources { from: Wide::ZERO, valid: 0, reads_inactive: u32::MAX };
    for (lane, address) in addresses.0.into_iter().enumerate() {
        let to = (address >> 2) as usize % LANES;
        if exec >> lane & 1 != 0 {
            sources.from.set(to, lane as u32);
            sources.valid |= 1 << to;
        }
    }
    sources
}

/// The lane from which a lane of the first 32 gets the element `n` of a transposed matrix.
const fn transposed(bits: usize, lane: usize, n: usize) -> usize {
    if bits == 16 { lane / 8 * 8 + n } else { lane / 16 * 16 + lane / 8 % 2 * 4 + n / 4 * 8 + n % 4 }
}

/// The four bits of a lane in its dword of a selector of PERMLANE.
#[inline(always)]
const fn nibble(selector: u32, lane: usize) -> u32 {
    selector >> (4 * (lane & 7)) & 15
}

/// The lane that DPP16's control names for a lane; [`NONE`] if it is outside the row of 16.
fn dpp16(control: u32, lane: usize) -> u32 {
    let (row, at) = (lane as u32 & !15, lane as u32 & 15);
    let amount = control & 15;
    let other = match control {
        0x000..=0x0FF => at & !3 | control >> (2 * (at & 3)) & 3,
        0x101..=0x10F => at + amount,
        0x111..=0x11F => at.wrapping_sub(amount),
        0x121..=0x12F => at.wrapping_sub(amount) & 15,
        0x140 => 15 - at,
        0x141 => at & 8 | (7 - (at & 7)),
        0x150..=0x15F => amount,
        0x160..=0x16F => at ^ amount,
        _ => NONE,
    };
    if other < 16 { row | other } else { NONE }
}

/// The lane that DS_SWIZZLE's offset names for a lane.
fn swizzle(offset: u32, lane: usize) -> u32 {
    let at = lane as u32 & 31;
    let other = match offset & 0xFFFF {
        // Bit 15: a permutation within quads. The upper three bits 110: a rotation, 111: FFT.
        offset if offset >= 0xE000 => fft(offset & 0x1F, at),
        offset if offset >= 0xC000 => {
            let (amount, mask) = (offset >> 5 & 0x1F, offset & 0x1F);
            let rotated = if offset >> 10 & 1 != 0 { at.wrapping_sub(amount) } else { at + amount };
            at & mask | rotated & 31 & !mask
        }
        offset if offset & 0x8000 != 0 => at & !3 | offset >> (2 * (at & 3)) & 3,
        offset => {
            let [and, or, xor] = [0, 5, 10].map(|shift| offset >> shift & 0x1F);
            (at & and | or) ^ xor
        }
    };
    other & 31
}

/// The lane of the FFT swizzle: the bits of the lane that the mask does not select, in reverse order.
fn fft(mask: u32, at: u32) -> u32 {
    at.reverse_bits() >> 27 >> mask.count_ones() | at & mask
}

#[cfg(test)]
mod tests;
