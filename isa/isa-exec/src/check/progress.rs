//! Progress: barriers that are not the same for all waves, and waits that nothing ends.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::check::Checker;
use crate::check::finding::{AccessKind, Bytes, Finding, Kind, MemorySpace, Other, Place, Severity};
use crate::fault::Polled;
use crate::wave::{Status, Wave};

/// The bytes of a location that a wave polls, as far as a report says.
const POLLED_BYTES: u32 = 4;

/// A wave that waits for something that nothing in its work-group changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// The number of the wave.
    pub wave: usize,
    /// The address of the instruction that reads what it waits for.
    pub pc: u64,
    /// Where that is.
    pub polled: Polled,
    /// Its active lanes.
    pub lanes: u64,
}

impl Checker {
    /// Reports waves that go on together from different barriers, or while others have ended.
    pub(super) fn check_barrier(&mut self, waves: &[Wave]) {
        if !self.kinds.contains(Kind::BarrierDivergence) {
            return;
        }
        let mut barriers: Vec<Place> = Vec::new();
        let mut ended = None;
        for (number, (wave, state)) in waves.iter().zip(&self.current.waves).enumerate() {
            let place = Place { pc: state.last, group: self.group, wave: number as u32, lanes: wave.exec() };
            match wave.status {
                Status::AtBarrier if barriers.iter().all(|other| other.pc != place.pc) => barriers.push(place),
                Status::Ended if ended.is_none() => ended = Some(place),
                _ => {}
            }
        }
        for (n, place) in barriers.iter().enumerate() {
            for other in barriers.iter().take(n) {
                let help =
                    "let all waves of the work-group execute the same s_barrier: branch round it only where all do";
                self.report(Finding {
                    other: Some(Other { place: *other, access: None }),
                    ..Finding::new(Kind::BarrierDivergence, *place, Cow::Borrowed(help))
                });
            }
        }
        if let (Some(place), Some(ended)) = (barriers.first(), ended) {
            let help = "a wave has ended, and the others no longer wait for it: the hardware defines that, OpenCL and HIP do not \
                        allow it; let all waves reach the barrier";
            self.report(Finding {
                severity: Severity::Note,
                other: Some(Other { place: ended, access: None }),
                ..Finding::new(Kind::BarrierDivergence, *place, Cow::Borrowed(help))
            });
        }
    }

    /// Reports a work-group whose waves wait for something that cannot happen; `not_begun` is the number of work-groups that have not
    /// begun. Returns whether such findings are looked for; otherwise nothing is reported.
    pub fn stuck(&mut self, group: u64, waits: &[Waiting], waves: &[Wave], not_begun: u64) -> bool {
        if !self.kinds.contains(Kind::NoProgress) {
            return false;
        }
        let state = if group == self.group { Some(&self.current) } else { None };
        let state = self.groups.get(&group).or(state);
        let at_barrier = waves.iter().enumerate().filter(|(_, wave)| wave.status == Status::AtBarrier);
        let barriers: Vec<Place> = at_barrier
            .map(|(number, wave)| {
                let pc = state.and_then(|state| state.waves.get(number)).map_or(wave.pc, |state| state.last);
                Place { pc, group, wave: number as u32, lanes: wave.exec() }
            })
            .collect();
        for waiting in waits {
            let place = Place { pc: waiting.pc, group, wave: waiting.wave as u32, lanes: waiting.lanes };
            let memory = match waiting.polled {
                Polled::Memory(at) => Some(Bytes { space: MemorySpace::Global, at, bytes: POLLED_BYTES }),
                Polled::Lds | Polled::Nothing => None,
            };
            self.report(Finding {
                memory,
                access: (waiting.polled != Polled::Nothing).then_some(AccessKind::Read),
                other: barriers.first().map(|place| Other { place: *place, access: None }),
                ..Finding::new(Kind::NoProgress, place, help(waiting, barriers.len(), not_begun).into())
            });
        }
        true
    }
}

fn help(waiting: &Waiting, at_barrier: usize, not_begun: u64) -> String {
    let mut text = match waiting.polled {
        Polled::Memory(_) => format!("wave {} reads the same value again and again", waiting.wave),
        Polled::Lds => {
            format!("wave {} reads LDS again and again, and no wave of its work-group changes it", waiting.wave)
        }
        Polled::Nothing => format!("wave {} loops, and an iteration changes nothing", waiting.wave),
    };
    match at_barrier {
        0 => {}
        1 => text.push_str("; 1 wave waits for it at a barrier"),
        waves => text.push_str(&format!("; {waves} waves wait for it at a barrier")),
    }
    match not_begun {
        0 => {}
        groups => text.push_str(&format!(
            "; {groups} work-group{} not begun: let a work-group wait only for those with lower numbers, which begin first",
            if groups == 1 { " has" } else { "s have" }
        )),
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_who_waits_and_for_whom() {
        let waiting = Waiting { wave: 2, pc: 0, polled: Polled::Lds, lanes: 1 };
        let text = help(&waiting, 3, 1);
        assert!(text.starts_with("wave 2 reads LDS again and again"), "{text}");
        assert!(text.contains("3 waves wait for it at a barrier"), "{text}");
        assert!(text.contains("1 work-group has not begun"), "{text}");
        let alone = help(&Waiting { polled: Polled::Nothing, ..waiting }, 0, 0);
        assert_eq!(alone, "wave 2 loops, and an iteration changes nothing");
    }
}
