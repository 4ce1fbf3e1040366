//! The vector units of the host. A program is compiled for the least that every processor of its kind has; loops over rows are
//! compiled a second time for AVX2 and FMA, and the interpreter, which has the most frequent ones in line, a third time for AVX-512.
//! Arithmetic of f16 is compiled for F16C, which fearless_simd has and pulp lacks, and for AVX-512. A wave detects the units when it is
//! made. All give the same bits.

#[cfg(target_arch = "x86_64")]
mod x86;

use crate::num::fma_nearest;
use crate::rows::{BITS, LANES, Row, Wide};

/// The vector units that loops over rows use.
#[derive(Clone, Copy, Debug, Default)]
pub struct Units {
    #[cfg(target_arch = "x86_64")]
    v3: Option<pulp::x86::V3>,
    #[cfg(target_arch = "x86_64")]
    f16c: Option<x86::F16c>,
    #[cfg(target_arch = "x86_64")]
    v4: Option<pulp::x86::V4>,
}

impl Units {
    /// What every processor has that the program was compiled for.
    pub const BASELINE: Units = Units {
        #[cfg(target_arch = "x86_64")]
        v3: None,
        #[cfg(target_arch = "x86_64")]
        f16c: None,
        #[cfg(target_arch = "x86_64")]
        v4: None,
    };

    /// The fastest units that this processor has.
    #[must_use]
    pub fn detect() -> Units {
        Units {
            #[cfg(target_arch = "x86_64")]
            v3: pulp::x86::V3::try_new(),
            #[cfg(target_arch = "x86_64")]
            f16c: x86::F16c::detect(),
            #[cfg(target_arch = "x86_64")]
            v4: pulp::x86::V4::try_new(),
        }
    }

    /// All that this processor can be told to use, the baseline first.
    pub fn all() -> impl Iterator<Item = Units> {
        let detected = Units::detect();
        #[cfg(target_arch = "x86_64")]
        let others = [Units { v4: None, f16c: None, ..detected }, Units { v4: None, ..detected }, detected];
        #[cfg(not(target_arch = "x86_64"))]
        let others = [detected; 0];
        let mut last = Units::BASELINE.name();
        let is_new = move |units: &Units| core::mem::replace(&mut last, units.name()) != units.name();
        core::iter::once(Units::BASELINE).chain(others.into_iter().filter(is_new))
    }

    /// The name of the units.
    #[must_use]
    pub const fn name(self) -> &'static str {
        #[cfg(target_arch = "x86_64")]
        match self {
            Units { v4: Some(_), .. } => return "AVX-512",
            Units { f16c: Some(_), .. } => return "AVX2 and F16C",
            Units { v3: Some(_), .. } => return "AVX2 and FMA",
            Units { v3: None, f16c: None, v4: None } => {}
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

    /// The host's instruction for fused multiply-add, if it has one.
    #[inline(always)]
    pub(crate) fn fused(self) -> Option<Fused> {
        #[cfg(target_arch = "x86_64")]
        return self.v3.map(x86::Avx2);
        #[cfg(not(target_arch = "x86_64"))]
        None
    }

    /// Calls a function if the host has an instruction for fused multiply-add, which it is compiled for.
    #[inline(always)]
    pub(crate) fn run_fused<T>(self, f: impl FnOnce(Fused) -> T) -> Option<T> {
        #[cfg(target_arch = "x86_64")]
        if let Some(v3) = self.v3 {
            return Some(v3.vectorize(
                #[inline(always)]
                || f(x86::Avx2(v3)),
            ));
        }
        let _ = f;
        None
    }

    /// Calls a function if the host has instructions that convert f16 in all lanes, which it is compiled for.
    #[inline(always)]
    pub(crate) fn run_halves<T>(self, f: impl FnOnce(Halves) -> T) -> Option<T> {
        #[cfg(target_arch = "x86_64")]
        if let Some(v4) = self.v4 {
            return Some(v4.vectorize(
                #[inline(always)]
                || f(Halves::Avx512(x86::Avx512(v4))),
            ));
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(f16c) = self.f16c {
            return Some(f16c.vectorize(
                #[inline(always)]
                || f(Halves::F16c(f16c)),
            ));
        }
        let _ = f;
        None
    }

    /// Bit 0 of each lane.
    pub(crate) fn lowest(self, row: &Wide) -> u32 {
        self.run_task(LowestBits(row))
    }

    /// Runs a task that is compiled for each kind of units, if all that it calls is inlined.
    #[inline(always)]
    pub(crate) fn run_task<T: Task>(self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        if let Some(v4) = self.v4 {
            return v4.vectorize(
                #[inline(always)]
                || task.run(x86::Avx512(v4)),
            );
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(v3) = self.v3 {
            return v3.vectorize(
                #[inline(always)]
                || task.run(x86::Avx2(v3)),
            );
        }
        task.run(Baseline)
    }
}

/// The square root, by an instruction that the compiler makes a vector instruction of.
#[inline(always)]
pub(crate) fn sqrt(number: f64) -> f64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(sse2) = pulp::core_arch::x86::Sse2::try_new() {
        let number = sse2._mm_set_sd(number);
        return sse2._mm_cvtsd_f64(sse2._mm_sqrt_sd(number, number));
    }
    libm::sqrt(number)
}

/// Units that have an instruction for fused multiply-add.
#[cfg(target_arch = "x86_64")]
pub(crate) type Fused = x86::Avx2;
/// Units that have an instruction for fused multiply-add: none are known.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type Fused = Baseline;

/// Units that have instructions that convert f16.
#[cfg(target_arch = "x86_64")]
pub(crate) type Halves = x86::HalfUnits;
/// Units that have instructions that convert f16: none are known.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy)]
pub(crate) enum Halves {}

#[cfg(not(target_arch = "x86_64"))]
impl Halves {
    pub(crate) fn compute(self, _: HalfOperation, _: [&Wide; 3]) -> Wide {
        match self {}
    }

    pub(crate) fn add_products(self, _: [&Wide; 3]) -> [Wide; 2] {
        match self {}
    }
}

/// An operation on f16 that units may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum HalfOperation {
    Add,
    Sub,
    Mul,
    Fma,
}

/// What [`Units::run_task`] runs.
pub(crate) trait Task {
    /// The result.
    type Output;
    /// Runs it on one kind of units.
    fn run<U: Unit>(self, unit: U) -> Self::Output;
}

/// Takes bit 0 of each lane.
struct LowestBits<'a>(&'a Wide);

impl Task for LowestBits<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<U: Unit>(self, unit: U) -> u32 {
        unit.lowest(self.0)
    }
}

/// A relation of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    /// Equal.
    Eq,
    /// Not equal; NaNs are so.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Less or greater.
    Lg,
    /// Neither is a NaN.
    Ordered,
    /// One is a NaN.
    Unordered,
}

/// What numbers are compared as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbers {
    Unsigned,
    Signed,
    Float,
}

impl Relation {
    /// Whether the relation holds.
    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, a: T, b: T) -> bool {
        match self {
            Relation::Eq => a == b,
            Relation::Ne => a != b,
            Relation::Lt => a < b,
            Relation::Le => a <= b,
            Relation::Gt => a > b,
            Relation::Ge => a >= b,
            Relation::Lg => (a < b) | (a > b),
            Relation::Ordered => a.partial_cmp(&b).is_some(),
            Relation::Unordered => a.partial_cmp(&b).is_none(),
        }
    }
}

/// A number that orders f32 by magnitude, with zeros last.
#[inline(always)]
const fn order_of_magnitude(bits: u32) -> i32 {
    (bits << 1).wrapping_add(0x7FFF_FFFF) as i32
}

/// What kinds of units do differently.
pub(crate) trait Unit: Copy {
    /// Whether [`fma_f32`](Self::fma_f32) is an instruction of the host.
    const HAS_FMA: bool;
    /// `a * b + c` of f32 in each lane, rounded to nearest once. NaNs may be any.
    fn fma_f32(self, abc: [&Wide; 3]) -> Wide;
    /// `a * b + c` of f64, rounded to nearest once.
    #[inline(always)]
    fn fma_f64(self, a: f64, b: f64, c: f64) -> f64 {
        libm::fma(a, b, c)
    }
    /// Bit 31 of each lane.
    fn signs(self, row: &Wide) -> u32;
    /// A row with the dwords of another in the lanes that `from` names, below 32.
    fn shuffle(self, row: &Wide, from: &Wide) -> Wide;
    /// Whether a lane of a mask is a NaN.
    fn has_nan(self, row: &Wide, mask: u32) -> bool;
    /// Whether the result of an operation on f32 is a NaN in a lane of a mask, or the result or an argument is a denormal.
    #[inline(always)]
    fn has_nan_or_denormal<const N: usize>(self, args: [&Wide; N], result: &Wide, mask: u32) -> bool {
        const NORMAL: i32 = order_of_magnitude(0x0080_0000);
        let special = Wide::from_fn(
            #[inline(always)]
            |lane| {
                let mut least = order_of_magnitude(result.0[lane]);
                for row in &args {
                    least = least.min(order_of_magnitude(row.0[lane]));
                }
                let is_nan = result.0[lane] & 0x7FFF_FFFF > 0x7F80_0000;
                if least < NORMAL || is_nan { u32::MAX } else { 0 }
            },
        );
        let any = special.0.iter().fold(0, |any, lane| any | lane) != 0;
        any && self.signs(&special) & mask != 0
    }
    /// The bytes that selectors pick of two rows, as [`num::byte_perm`](crate::num::byte_perm) does; `None`: the host lacks an
    /// instruction for it.
    #[inline(always)]
    fn select_bytes(self, _low: &Wide, _high: &Wide, _selectors: &Wide) -> Option<Wide> {
        None
    }
    /// The lanes in which a relation holds; `None`: a function of rows compares as fast, or the relation is another one of swapped arguments
    /// or the opposite of another one.
    #[inline(always)]
    fn compare(self, _relation: Relation, _numbers: Numbers, _a: &Wide, _b: &Wide) -> Option<u32> {
        None
    }
    /// Bit 0 of each lane.
    #[inline(always)]
    fn lowest(self, row: &Wide) -> u32 {
        self.signs(&Wide::from_fn(
            #[inline(always)]
            |lane| row.0[lane] << 31,
        ))
    }
}

/// What every processor has.
#[derive(Clone, Copy)]
pub(crate) struct Baseline;

impl Unit for Baseline {
    const HAS_FMA: bool = false;

    #[inline(always)]
    fn fma_f32(self, [a, b, c]: [&Wide; 3]) -> Wide {
        Wide::from_fn(|lane| fma_nearest::<false, true>(a.0[lane], b.0[lane], c.0[lane]))
    }

    #[inline(always)]
    fn signs(self, row: &Wide) -> u32 {
        // A disjunction of selected bits is vectorised; shifts by the lane number are not with SSE2.
        row.0.iter().zip(&BITS.0).fold(0, |mask, (value, bit)| mask | (*value as i32 >> 31) as u32 & bit)
    }

    #[inline(always)]
    fn shuffle(self, row: &Wide, from: &Wide) -> Wide {
        Wide::from_fn(
            #[inline(always)]
            |lane| row.0[from.0[lane] as usize % LANES],
        )
    }

    #[inline(always)]
    fn has_nan(self, row: &Wide, mask: u32) -> bool {
        // A NaN becomes negative.
        let nans = Wide::from_fn(|lane| 0x7F80_0000u32.wrapping_sub(row.0[lane] & 0x7FFF_FFFF));
        let any = nans.0.iter().fold(0, |any, lane| any | lane) >> 31 != 0;
        any && self.signs(&nans) & mask != 0
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::Units;

    #[test]
    fn f16c_is_used_where_the_processor_has_it() {
        let has_it = std::is_x86_feature_detected!("f16c") && pulp::x86::V3::try_new().is_some();
        assert_eq!(Units::all().any(|units| units.name() == "AVX2 and F16C"), has_it);
    }
}
