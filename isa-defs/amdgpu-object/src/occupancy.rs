//! How many waves of a kernel a work-group processor (WGP) holds at once.

use crate::descriptor::KernelDescriptor;

/// The largest number of waves of a SIMD, as LLVM counts them for gfx10.3 and later.
const WAVES_PER_SIMD: u32 = 16;
/// The SIMDs of a WGP; half of them belong to each of its two CUs. Guide §2.3.
const SIMDS_PER_WGP: u32 = 4;
/// The LDS of a WGP in bytes; half of it belongs to each CU. Guide §12.1.
const LDS_PER_WGP: u32 = 128 << 10;
/// The work-groups of several waves in a WGP: each takes a barrier. Guide §2.3.
const BARRIERS_PER_WGP: u32 = 32;
/// LDS is allocated in units of 128 dwords (LLVM's AMDGPU usage page, `GRANULATED_LDS_SIZE`).
const LDS_GRANULE: u32 = 512;

/// What limits the number of waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OccupancyLimit {
    /// A SIMD has no more waves, or a WGP no more barriers.
    Waves,
    /// The VGPRs of a SIMD.
    Vgprs,
    /// The LDS of a WGP, or of a CU in CU mode.
    Lds,
}

/// The waves and work-groups of a kernel that the hardware holds at once. SGPRs limit nothing: each wave has all (guide §3.3.1).
///
/// # Examples
/// ```
/// use amdgpu_object::{KernelSettings, Occupancy, OccupancyLimit, Processor};
///
/// let kernel = KernelSettings { next_free_vgpr: 128, ..KernelSettings::wave32() }.descriptor()?;
/// let occupancy = Occupancy::new(&kernel, Processor::Gfx1100.vgprs_per_simd(), 256, 0);
/// assert_eq!((occupancy.waves_per_simd(), occupancy.limit()), (10, OccupancyLimit::Vgprs)); // 1536 / 144
/// assert_eq!(occupancy.groups_per_wgp(), 5); // 40 waves, 8 in each work-group
/// # Ok::<(), amdgpu_object::DescriptorError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Occupancy {
    waves_by_vgprs: u32,
    waves_by_lds: u32,
    waves_by_groups: u32,
    groups_per_wgp: u32,
}

impl Occupancy {
    /// Computes the occupancy of a kernel on a processor with this number of VGPRs, in wave32, in each SIMD
    /// ([`Processor::vgprs_per_simd`](crate::Processor::vgprs_per_simd)).
    ///
    /// `group_items` is the number of work-items of a work-group, `dynamic_lds` the bytes of LDS that its dispatch adds to those of
    /// the kernel.
    #[must_use]
    pub fn new(kernel: &KernelDescriptor, vgprs_per_simd: u32, group_items: u32, dynamic_lds: u32) -> Self {
        let is_wave32 = kernel.wavefront_size32();
        // A block of VGPRs has 512 dwords, or 768 where a SIMD has 1,536 VGPRs (guide §3.3.2.1): 1/64 of all in both.
        let (vgprs, granule) =
            if is_wave32 { (vgprs_per_simd, vgprs_per_simd / 64) } else { (vgprs_per_simd / 2, vgprs_per_simd / 128) };
        let allocated = kernel.vgpr_count().next_multiple_of(granule.max(1));
        let waves_by_vgprs = (vgprs / allocated).clamp(1, WAVES_PER_SIMD);

        // In CU mode a work-group is in one of the two CUs.
        let parts = if kernel.workgroup_processor_mode() { 1 } else { 2 };
        let simds = SIMDS_PER_WGP / parts;
        let waves_per_group = group_items.max(1).div_ceil(if is_wave32 { 32 } else { 64 });
        let barriers = if waves_per_group > 1 { BARRIERS_PER_WGP / parts } else { u32::MAX };
        let groups_of = |waves_per_simd: u32| (simds * waves_per_simd / waves_per_group).min(barriers);
        let lds = kernel.group_segment_fixed_size().saturating_add(dynamic_lds);
        let groups_by_lds = match lds.checked_next_multiple_of(LDS_GRANULE) {
            Some(0) => u32::MAX,
            Some(bytes) => LDS_PER_WGP / parts / bytes,
            None => 0,
        };
        let waves = |groups: u32| (groups * waves_per_group).div_ceil(simds).clamp(1, WAVES_PER_SIMD);
        let most = groups_of(WAVES_PER_SIMD);
        Self {
            waves_by_vgprs,
            waves_by_lds: waves(groups_by_lds.min(most)),
            waves_by_groups: waves(most),
            groups_per_wgp: (groups_of(waves_by_vgprs).min(groups_by_lds) * parts).max(1),
        }
    }

    /// Returns the largest number of waves that a SIMD holds at once, 1 to 16, as LLVM states it in the comments of assembly.
    #[must_use]
    pub fn waves_per_simd(&self) -> u32 {
        self.waves_by_vgprs.min(self.waves_by_lds)
    }

    /// Returns the number of work-groups that a WGP holds at once, at least 1. On a processor of `n` WGPs, `n` times as many make
    /// progress together.
    #[must_use]
    pub fn groups_per_wgp(&self) -> u32 {
        self.groups_per_wgp
    }

    /// Returns what limits the number of waves.
    #[must_use]
    pub fn limit(&self) -> OccupancyLimit {
        if self.waves_by_lds < self.waves_by_vgprs && self.waves_by_lds < self.waves_by_groups {
            OccupancyLimit::Lds
        } else if self.waves_by_vgprs < self.waves_by_groups {
            OccupancyLimit::Vgprs
        } else {
            OccupancyLimit::Waves
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KernelSettings, Processor};

    fn of(settings: KernelSettings, processor: Processor, group: u32) -> Occupancy {
        let descriptor = settings.descriptor().expect("valid settings");
        Occupancy::new(&descriptor, processor.vgprs_per_simd(), group, 0)
    }

    /// What clang 22 prints for kernels that use these numbers of VGPRs: `; Occupancy: N`.
    #[test]
    fn vgprs_limit_waves_as_llvm_says() {
        let counts = [24, 48, 96, 97, 100, 120, 128, 192, 193, 256];
        let expected = [
            (Processor::Gfx1100, true, [16, 16, 16, 12, 12, 12, 10, 8, 7, 5]),
            (Processor::Gfx1100, false, [16, 16, 8, 7, 7, 6, 5, 4, 3, 2]),
            (Processor::Gfx1103, true, [16, 16, 10, 9, 9, 8, 8, 5, 4, 4]),
            (Processor::Gfx1103, false, [16, 10, 5, 4, 4, 4, 4, 2, 2, 2]),
            (Processor::Gfx1151, true, [16, 16, 16, 12, 12, 12, 10, 8, 7, 5]),
            (Processor::Gfx1152, false, [16, 10, 5, 4, 4, 4, 4, 2, 2, 2]),
        ];
        for (processor, is_wave32, waves) in expected {
            for (next_free_vgpr, waves) in counts.into_iter().zip(waves) {
                let mode = if is_wave32 { KernelSettings::wave32() } else { KernelSettings::wave64() };
                let occupancy = of(KernelSettings { next_free_vgpr, ..mode }, processor, 64);
                assert_eq!(occupancy.waves_per_simd(), waves, "{processor} {is_wave32} {next_free_vgpr}");
            }
        }
    }

    /// What clang 22 prints for kernels of gfx1100 with this LDS and work-groups of this size; but it does not round LDS up, and so
    /// has 13 waves for work-groups of 64 in CU mode with 5,000 bytes.
    #[test]
    fn lds_limits_waves_as_llvm_says() {
        let sizes = [1, 512, 1000, 4000, 5000, 16384, 20000, 33000, 65536];
        let expected = [
            (32, true, [16, 16, 16, 8, 7, 2, 2, 1, 1]),
            (64, true, [16, 16, 16, 16, 13, 4, 3, 2, 1]),
            (64, false, [16, 16, 16, 16, 12, 4, 3, 1, 1]),
            (96, true, [16, 16, 16, 16, 16, 6, 5, 3, 2]),
            (96, false, [15, 15, 15, 15, 15, 6, 5, 2, 2]),
            (128, false, [16, 16, 16, 16, 16, 8, 6, 2, 2]),
            (256, true, [16, 16, 16, 16, 16, 16, 12, 6, 4]),
            (256, false, [16, 16, 16, 16, 16, 16, 12, 4, 4]),
            (512, true, [16, 16, 16, 16, 16, 16, 16, 12, 8]),
            (1024, false, [16, 16, 16, 16, 16, 16, 16, 16, 16]),
        ];
        for (group, workgroup_processor_mode, waves) in expected {
            for (group_segment_fixed_size, waves) in sizes.into_iter().zip(waves) {
                let settings = KernelSettings {
                    next_free_vgpr: 8,
                    group_segment_fixed_size,
                    workgroup_processor_mode,
                    ..KernelSettings::wave32()
                };
                let occupancy = of(settings, Processor::Gfx1100, group);
                assert_eq!(
                    occupancy.waves_per_simd(),
                    waves,
                    "{group} {workgroup_processor_mode} {group_segment_fixed_size}"
                );
            }
        }
    }

    #[test]
    fn groups_are_limited_by_all() {
        let settings = |next_free_vgpr, group_segment_fixed_size| KernelSettings {
            next_free_vgpr,
            group_segment_fixed_size,
            ..KernelSettings::wave32()
        };
        let groups = |vgprs, lds, group| {
            let occupancy = of(settings(vgprs, lds), Processor::Gfx1100, group);
            (occupancy.groups_per_wgp(), occupancy.limit())
        };
        // Work-groups of one wave take no barrier.
        assert_eq!(groups(8, 0, 32), (64, OccupancyLimit::Waves));
        assert_eq!(groups(8, 0, 64), (32, OccupancyLimit::Waves));
        assert_eq!(groups(8, 65536, 64), (2, OccupancyLimit::Lds));
        assert_eq!(groups(256, 0, 64), (10, OccupancyLimit::Vgprs));
        // 32 waves of 256 VGPRs do not fit; a dispatch of them is an error of the program.
        assert_eq!(groups(256, 0, 1024), (1, OccupancyLimit::Vgprs));
        // The LDS of the dispatch counts, and no sum overflows.
        let descriptor = settings(8, 1024).descriptor().expect("valid settings");
        assert_eq!(Occupancy::new(&descriptor, 1536, 64, 15 << 10).groups_per_wgp(), 8);
        assert_eq!(Occupancy::new(&descriptor, 1536, 64, u32::MAX).groups_per_wgp(), 1);
        assert_eq!(Occupancy::new(&descriptor, 0, u32::MAX, 0).groups_per_wgp(), 1);
    }
}
