//! The vector units of the host. A program is compiled for the least that every processor of its kind has; loops over rows are
//! compiled a second time for AVX2 and FMA, which are looked for when a wave is made. Both give the same bits.

use crate::rows::{Row, Wide};

/// The vector units that loops over rows use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Units {
    #[cfg(target_arch = "x86_64")]
    v3: Option<pulp::x86::V3>,
}

impl Units {
    /// What every processor has that the program was compiled for.
    pub const BASELINE: Units = Units {
        #[cfg(target_arch = "x86_64")]
        v3: None,
    };

    /// The fastest units that this processor has.
    #[must_use]
    pub fn detect() -> Units {
        Units {
            #[cfg(target_arch = "x86_64")]
            v3: pulp::x86::V3::try_new(),
        }
    }

    /// All units that this processor has, the baseline first.
    pub fn all() -> impl Iterator<Item = Units> {
        let detected = Units::detect();
        core::iter::once(Units::BASELINE).chain((detected.name() != Units::BASELINE.name()).then_some(detected))
    }

    /// The name of the units.
    #[must_use]
    pub const fn name(self) -> &'static str {
        #[cfg(target_arch = "x86_64")]
        if self.v3.is_some() {
            return "AVX2 and FMA";
        }
        "baseline"
    }

    /// Calls a function that is compiled for these units, if all that it calls is inlined.
    #[inline(always)]
    pub(crate) fn run<T>(self, f: impl FnOnce() -> T) -> T {
        #[cfg(target_arch = "x86_64")]
        if let Some(v3) = self.v3 {
            return v3.vectorize(f);
        }
        f()
    }

    /// The same for rows of a type: one lane gains nothing.
    #[inline(always)]
    pub(crate) fn run_rows<R: Row, T>(self, f: impl FnOnce() -> T) -> T {
        if R::IS_WIDE { self.run(f) } else { f() }
    }

    /// Calls a function if the host has an instruction for fused multiply-add, which it is compiled for.
    #[inline(always)]
    pub(crate) fn run_fused<T>(self, f: impl FnOnce(Fused) -> T) -> Option<T> {
        #[cfg(target_arch = "x86_64")]
        if let Some(v3) = self.v3 {
            return Some(v3.vectorize(
                #[inline(always)]
                || f(Fused(v3)),
            ));
        }
        let _ = f;
        None
    }
}

/// The host's instruction for fused multiply-add.
#[derive(Clone, Copy)]
pub(crate) struct Fused(#[cfg(target_arch = "x86_64")] pulp::x86::V3);

impl Fused {
    /// `a * b + c` of f32 in each lane, rounded to nearest once.
    #[inline(always)]
    pub(crate) fn fma_f32(self, [a, b, c]: [&Wide; 3]) -> Wide {
        #[cfg(target_arch = "x86_64")]
        {
            // Loops, since the closures of `map` would be compiled apart, without the instruction.
            let (a, b, c): ([pulp::f32x8; 4], [pulp::f32x8; 4], [pulp::f32x8; 4]) =
                (pulp::cast(a.0), pulp::cast(b.0), pulp::cast(c.0));
            let mut sums = c;
            for n in 0..4 {
                sums[n] = self.0.mul_add_f32x8(a[n], b[n], c[n]);
            }
            Wide(pulp::cast(sums))
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _ = (b, c);
            *a
        }
    }
}
