//! Builtin functions that depend on the lane or on other lanes.

use isa_runtime::body::Builtin;

use crate::operation::{Argument, dwords};
use crate::rows::LANES;
use crate::step::Cross;
use crate::wave::Wave;

/// The source of the value that a lane gets in an exchange.
enum Source {
    /// The value of a lane.
    Lane(usize),
    /// Zero.
    Zero,
    /// The own value of another argument.
    Argument(usize),
}

impl Cross {
    /// Computes the function for all lanes.
    pub(crate) fn run(&self, wave: &mut Wave) {
        match self.builtin {
            Builtin::LaneId => self.each(wave, |_, _, lane| lane as u32),
            Builtin::FirstLane => {
                let first = wave.first_lane() as u32;
                self.each(wave, |_, _, _| first);
            }
            Builtin::MbcntLo => self.each(wave, |cross, wave, lane| {
                let below = if lane >= 32 { u32::MAX } else { (1 << lane) - 1 };
                (cross.arg(wave, 0, lane) & below).count_ones()
            }),
            Builtin::MbcntHi => self.each(wave, |cross, wave, lane| {
                let below = if lane < 32 { 0 } else { (1 << (lane - 32)) - 1 };
                (cross.arg(wave, 0, lane) & below).count_ones()
            }),
            Builtin::Dpp16Writes => self.each(wave, |cross, wave, lane| u32::from(cross.dpp16_writes(wave, lane))),
            Builtin::Permute => self.permute(wave),
            _ => self.exchange(wave),
        }
    }

    /// The low dword of an argument in a lane.
    fn arg(&self, wave: &Wave, n: usize, lane: usize) -> u32 {
        self.args.get(n).map_or(0, |arg| wave.vgpr(arg.row, lane))
    }

    /// Computes a function of one dword for each lane.
    fn each(&self, wave: &mut Wave, f: impl Fn(&Cross, &Wave, usize) -> u32) {
        for lane in 0..wave.lanes() {
            let value = f(self, wave, lane);
            wave.set_vgpr(self.dst, lane, value);
        }
    }

    /// Copies values between lanes.
    fn exchange(&self, wave: &mut Wave) {
        for lane in 0..wave.lanes() {
            let source = self.source(wave, lane);
            let from = |n: usize| self.args.get(n).copied().unwrap_or(Argument { row: 0, ty: self.ty });
            for n in 0..dwords(self.ty) {
                let value = match source {
                    Source::Lane(other) => wave.vgpr(from(0).row.saturating_add(n), other),
                    Source::Argument(arg) => wave.vgpr(from(arg).row.saturating_add(n), lane),
                    Source::Zero => 0,
                };
                wave.set_vgpr(self.dst.saturating_add(n), lane, value);
            }
        }
    }

    /// Where a lane's value comes from.
    fn source(&self, wave: &Wave, lane: usize) -> Source {
        let exec = wave.exec();
        let is_active = |lane: usize| exec >> lane & 1 != 0;
        let arg = |n: usize| self.arg(wave, n, lane);
        match self.builtin {
            Builtin::Lane => Source::Lane(arg(1) as usize % wave.lanes()),
            Builtin::Quad => Source::Lane(lane & !3 | arg(1) as usize & 3),
            Builtin::Permlane16 | Builtin::Permlanex16 => {
                let selector =
                    wave.vgpr(self.args.get(1).map_or(0, |arg| arg.row.saturating_add((lane as u16 & 8) >> 3)), lane);
                let row = if self.builtin == Builtin::Permlane16 { lane & !15 } else { lane & !15 ^ 16 };
                let other = row | (selector >> (4 * (lane & 7)) & 15) as usize;
                match arg(2) {
                    flags if is_active(other) || flags & 1 != 0 => Source::Lane(other),
                    flags if flags & 2 != 0 => Source::Zero,
                    _ => Source::Argument(3),
                }
            }
            Builtin::Dpp16 => match dpp16(arg(1), lane) {
                Some(other) if is_active(other) || arg(3) & 1 != 0 => Source::Lane(other),
                _ => Source::Zero,
            },
            Builtin::Dpp8 => {
                let other = lane & !7 | (arg(1) >> (3 * (lane & 7)) & 7) as usize;
                if is_active(other) || arg(2) & 1 != 0 { Source::Lane(other) } else { Source::Zero }
            }
            Builtin::Swizzle => {
                let other = swizzle(arg(1), lane);
                if is_active(other) { Source::Lane(other) } else { Source::Zero }
            }
            Builtin::Bpermute => {
                let other = lane & !31 | (arg(1) >> 2) as usize & 31;
                if is_active(other) { Source::Lane(other) } else { Source::Zero }
            }
            _ => Source::Zero,
        }
    }

    /// Whether DPP leaves a lane enabled: arguments are control, row mask, bank mask, BOUND_CTRL, FI.
    fn dpp16_writes(&self, wave: &Wave, lane: usize) -> bool {
        let arg = |n: usize| self.arg(wave, n, lane);
        let row = arg(1) >> (lane / 16) & 1 != 0;
        let bank = arg(2) >> (lane % 16 / 4) & 1 != 0;
        let is_valid = match dpp16(arg(0), lane) {
            Some(other) => wave.exec() >> other & 1 != 0 || arg(4) & 1 != 0,
            None => false,
        };
        row && bank && (is_valid || arg(3) & 1 != 0)
    }

    /// Sends values: the highest sender wins.
    fn permute(&self, wave: &mut Wave) {
        let exec = wave.exec();
        let mut from = [None; 2 * LANES];
        for lane in 0..wave.lanes() {
            let to = lane & !31 | (self.arg(wave, 1, lane) >> 2) as usize & 31;
            if let Some(sender) = from.get_mut(to).filter(|_| exec >> lane & 1 != 0) {
                *sender = Some(lane);
            }
        }
        let src = self.args.first().map_or(0, |arg| arg.row);
        for (lane, sender) in from.into_iter().enumerate().take(wave.lanes()) {
            for n in 0..dwords(self.ty) {
                let value = sender.map_or(0, |sender| wave.vgpr(src.saturating_add(n), sender));
                wave.set_vgpr(self.dst.saturating_add(n), lane, value);
            }
        }
    }
}

/// The lane that DPP16's control names for a lane; `None` if it is outside the row of 16.
fn dpp16(control: u32, lane: usize) -> Option<usize> {
    let (row, at) = (lane & !15, lane & 15);
    let amount = control as usize & 15;
    let other = match control {
        0x000..=0x0FF => at & !3 | (control >> (2 * (at & 3)) & 3) as usize,
        0x101..=0x10F => at + amount,
        0x111..=0x11F => at.wrapping_sub(amount),
        0x121..=0x12F => at.wrapping_sub(amount) & 15,
        0x140 => 15 - at,
        0x141 => at & 8 | (7 - (at & 7)),
        0x150..=0x15F => amount,
        0x160..=0x16F => at ^ amount,
        _ => return None,
    };
    (other < 16).then_some(row | other)
}

/// The lane that DS_SWIZZLE's offset names for a lane.
fn swizzle(offset: u32, lane: usize) -> usize {
    let half = lane & !31;
    let at = lane & 31;
    let other = match offset & 0xFFFF {
        // Bit 15: a permutation within quads. The upper three bits 110: a rotation, 111: FFT.
        offset if offset >= 0xE000 => fft(offset & 0x1F, at),
        offset if offset >= 0xC000 => {
            let (amount, mask) = ((offset >> 5 & 0x1F) as usize, (offset & 0x1F) as usize);
            let rotated = if offset >> 10 & 1 != 0 { at.wrapping_sub(amount) } else { at + amount };
            at & mask | rotated & 31 & !mask
        }
        offset if offset & 0x8000 != 0 => at & !3 | (offset >> (2 * (at & 3)) & 3) as usize,
        offset => {
            let [and, or, xor] = [0, 5, 10].map(|shift| (offset >> shift & 0x1F) as usize);
            (at & and | or) ^ xor
        }
    };
    half | other & 31
}

/// The lane of the FFT swizzle: the bits of the lane that the mask does not select, in reverse order.
fn fft(mask: u32, at: usize) -> usize {
    let reversed = (at as u32).reverse_bits() >> 27;
    (reversed >> mask.count_ones() | at as u32 & mask) as usize
}
