//! Loops over the lanes of floats of the host: f32 in one row, f64 in two.
//!
//! A function of bits that has no branches and no calls becomes vector instructions. It may say that a lane needs care; lanes that do
//! are computed in another way.

use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Shl, Shr, Sub};

use crate::num::{FloatMode, Format};
use crate::operation::Modes;
use crate::primitive::{Env, Primitive};
use crate::rows::{BITS, File, Row};

/// The bits of a float that the host computes with: u32 or u64.
pub(super) trait Bits:
    Copy
    + Ord
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number.
    type Host: Copy
        + PartialOrd
        + Add<Output = Self::Host>
        + Sub<Output = Self::Host>
        + Mul<Output = Self::Host>
        + Div<Output = Self::Host>;
    /// References to the rows of an argument.
    type Source<'a>: Copy;
    /// The rows of a result.
    type Rows<R: Row>: Copy;

    /// The format.
    const FORMAT: Format;
    /// No bit.
    const ZERO: Self;
    /// The lowest bit.
    const UNIT: Self;
    /// The sign bit.
    const SIGN: Self;
    /// Plus infinity, which is also the mask of the exponent.
    const INFINITY: Self;
    /// The bit that makes a NaN quiet.
    const QUIET: Self;
    /// The result of invalid operations.
    const NAN: Self;
    /// One.
    const ONE: Self;
    /// The least number from which on all are integers.
    const INTEGERS: Self;

    /// The number with these bits.
    fn host(self) -> Self::Host;
    /// The bits of a number.
    fn of(number: Self::Host) -> Self;
    /// The number as f64.
    fn double(self) -> f64;
    /// The bits of the nearest number to a f64.
    fn of_double(number: f64) -> Self;
    /// Some bits of 64, cut off.
    fn cut(bits: u64) -> Self;
    /// The highest 32 bits.
    fn high(self) -> u32;
    /// A sum modulo the width.
    fn plus(self, other: Self) -> Self;
    /// A difference modulo the width.
    fn minus(self, other: Self) -> Self;
    /// The mode of the format.
    fn mode(modes: &Modes) -> FloatMode;

    /// An argument's rows.
    fn source<R: Row>(file: &File<R>, at: u16) -> Self::Source<'_>;
    /// One lane of an argument.
    fn get(source: Self::Source<'_>, lane: usize) -> Self;
    /// Rows of zeros.
    fn rows<R: Row>() -> Self::Rows<R>;
    /// A copy of an argument's rows.
    fn load<R: Row>(file: &File<R>, at: u16) -> Self::Rows<R>;
    /// Replaces one lane of a result.
    fn set<R: Row>(rows: &mut Self::Rows<R>, lane: usize, value: Self);
    /// Replaces the lanes of a mask.
    fn store<R: Row>(file: &mut File<R>, at: u16, mask: u32, rows: &Self::Rows<R>);

    /// The bits without the sign.
    #[inline(always)]
    fn magnitude(self) -> Self {
        self & !Self::SIGN
    }

    /// Whether it is a NaN.
    #[inline(always)]
    fn is_nan(self) -> bool {
        let number = self.host();
        number.partial_cmp(&number).is_none()
    }

    /// The bits, or else 0.
    #[inline(always)]
    fn only_if(self, condition: bool) -> Self {
        if condition { self } else { Self::ZERO }
    }

    /// The exponent as it is stored.
    #[inline(always)]
    fn exponent(self) -> i32 {
        Self::exponent_of(self.high())
    }

    /// The exponent as it is stored, by the highest 32 bits: vectors have more lanes of dwords than of numbers.
    #[inline(always)]
    fn exponent_of(high: u32) -> i32 {
        let fraction = Self::FORMAT.fraction_bits() + 32 - Self::FORMAT.bits();
        (high << 1 >> (fraction + 1)) as i32
    }

    /// The row of an argument with the highest 32 bits.
    #[inline(always)]
    fn high_row<R: Row>(file: &File<R>, at: u16) -> &[u32] {
        file.row(at.wrapping_add((Self::FORMAT.bits() / 32 - 1) as u16)).lanes()
    }
}

/// 1.5 * 2^52: sums with it are rounded to integers, which are in the lowest bits of the fraction.
pub(super) const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// The bits of two to a power.
pub(super) const fn power(format: Format, power: i32) -> u64 {
    ((format.bias() + power) as u64) << format.fraction_bits()
}

macro_rules! common_bits {
    ($bits:ident, $host:ident, $format:ident, $mode:ident) => {
        type Host = $host;

        const FORMAT: Format = Format::$format;
        const ZERO: Self = 0;
        const UNIT: Self = 1;
        const SIGN: Self = Format::$format.sign_bit() as $bits;
        const INFINITY: Self = Format::$format.infinity() as $bits;
        const QUIET: Self = Format::$format.quiet_bit() as $bits;
        const NAN: Self = Format::$format.nan() as $bits;
        const ONE: Self = Format::$format.one() as $bits;
        const INTEGERS: Self = power(Format::$format, Format::$format.fraction_bits() as i32) as $bits;

        #[inline(always)]
        fn host(self) -> $host {
            $host::from_bits(self)
        }

        #[inline(always)]
        fn of(number: $host) -> Self {
            number.to_bits()
        }

        #[inline(always)]
        fn double(self) -> f64 {
            self.host().into()
        }

        #[inline(always)]
        fn of_double(number: f64) -> Self {
            (number as $host).to_bits()
        }

        #[inline(always)]
        fn cut(bits: u64) -> Self {
            bits as $bits
        }

        #[inline(always)]
        fn high(self) -> u32 {
            (self >> ($bits::BITS - 32)) as u32
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            self.wrapping_add(other)
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            self.wrapping_sub(other)
        }

        #[inline(always)]
        fn mode(modes: &Modes) -> FloatMode {
            modes.$mode
        }
    };
}

impl Bits for u32 {
    type Source<'a> = &'a [u32];
    type Rows<R: Row> = R;

    common_bits!(u32, f32, F32, f32);

    #[inline(always)]
    fn source<R: Row>(file: &File<R>, at: u16) -> &[u32] {
        file.row(at).lanes()
    }

    #[inline(always)]
    fn get(source: &[u32], lane: usize) -> Self {
        source[lane]
    }

    #[inline(always)]
    fn rows<R: Row>() -> R {
        R::ZERO
    }

    #[inline(always)]
    fn load<R: Row>(file: &File<R>, at: u16) -> R {
        *file.row(at)
    }

    #[inline(always)]
    fn set<R: Row>(rows: &mut R, lane: usize, value: Self) {
        rows.lanes_mut()[lane] = value;
    }

    #[inline(always)]
    fn store<R: Row>(file: &mut File<R>, at: u16, mask: u32, rows: &R) {
        file.set_lanes(at, mask, *rows);
    }
}

impl Bits for u64 {
    type Source<'a> = [&'a [u32]; 2];
    type Rows<R: Row> = [R; 2];

    common_bits!(u64, f64, F64, f64);

    #[inline(always)]
    fn source<R: Row>(file: &File<R>, at: u16) -> [&[u32]; 2] {
        [file.row(at).lanes(), file.row(at.wrapping_add(1)).lanes()]
    }

    #[inline(always)]
    fn get([low, high]: [&[u32]; 2], lane: usize) -> Self {
        u64::from(high[lane]) << 32 | u64::from(low[lane])
    }

    #[inline(always)]
    fn rows<R: Row>() -> [R; 2] {
        [R::ZERO; 2]
    }

    #[inline(always)]
    fn load<R: Row>(file: &File<R>, at: u16) -> [R; 2] {
        [*file.row(at), *file.row(at.wrapping_add(1))]
    }

    #[inline(always)]
    fn set<R: Row>([low, high]: &mut [R; 2], lane: usize, value: Self) {
        low.lanes_mut()[lane] = value as u32;
        high.lanes_mut()[lane] = (value >> 32) as u32;
    }

    #[inline(always)]
    fn store<R: Row>(file: &mut File<R>, at: u16, mask: u32, [low, high]: &[R; 2]) {
        file.set_lanes(at, mask, *low);
        file.set_lanes(at.wrapping_add(1), mask, *high);
    }
}

/// What a mode does with denormals and NaNs, as masks.
#[derive(Clone, Copy)]
pub(super) struct Masks<B> {
    /// The bits of a denormal input that are cleared.
    inputs: B,
    /// The bits of a denormal result that are cleared.
    outputs: B,
    /// The bits that are set in a NaN.
    quiet: B,
}

impl<B: Bits> Masks<B> {
    #[inline(always)]
    pub(super) fn new(mode: FloatMode) -> Self {
        Masks {
            inputs: (!B::SIGN).only_if(mode.flush_inputs),
            outputs: (!B::SIGN).only_if(mode.flush_outputs),
            quiet: B::QUIET.only_if(mode.ieee),
        }
    }

    /// Whether denormals change.
    #[inline(always)]
    pub(super) fn flushes(self) -> bool {
        self.inputs | self.outputs != B::ZERO
    }

    /// An input with denormals as the mode has them.
    #[inline(always)]
    pub(super) fn input(self, bits: B) -> B {
        bits & !self.inputs.only_if(bits & B::INFINITY == B::ZERO)
    }

    /// A result with denormals as the mode has them.
    #[inline(always)]
    pub(super) fn output(self, bits: B) -> B {
        bits & !self.outputs.only_if(bits & B::INFINITY == B::ZERO)
    }

    /// A result that the host computed, with denormals and NaNs as the mode has them.
    #[inline(always)]
    pub(super) fn result<const N: usize>(self, inputs: [B; N], bits: B) -> B {
        let bits = if bits.is_nan() { B::NAN } else { bits };
        self.first_nan(inputs, self.output(bits))
    }

    /// The result, or else the first NaN among the inputs.
    #[inline(always)]
    pub(super) fn first_nan<const N: usize>(self, inputs: [B; N], result: B) -> B {
        let mut result = result;
        for n in (0..N).rev() {
            let nan = inputs[n] | self.quiet;
            result = if inputs[n].is_nan() { nan } else { result };
        }
        result
    }
}

/// The bits that mark a lane with halves of which one needs care.
pub(super) const HALVES: u32 = 0x8000_8000;

/// Computes each lane of a result from up to three arguments and a row; lanes that need care are computed by another function.
#[inline(always)]
pub(super) fn map_with_care<R: Row, A: Bits, B: Bits, const N: usize>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    with: u16,
    f: impl Fn([A; N], u32) -> (B, bool),
    careful: impl FnOnce(&mut File<R>, &Env),
) {
    map_marked::<R, A, B, N, { u32::MAX }>(
        file,
        p,
        env,
        dst,
        with,
        #[inline(always)]
        |args, with| {
            let (value, care) = f(args, with);
            (value, if care { u32::MAX } else { 0 })
        },
        careful,
    );
}

/// The same for a function that gives a dword, which has one of the bits `MARKS` if the lane needs care.
#[expect(clippy::needless_range_loop, reason = "with iterators the loop takes up to three times as long")]
#[inline(always)]
pub(super) fn map_marked<R: Row, A: Bits, B: Bits, const N: usize, const MARKS: u32>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    with: u16,
    f: impl Fn([A; N], u32) -> (B, u32),
    careful: impl FnOnce(&mut File<R>, &Env),
) {
    let left = env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let mut sources = [A::source(file, 0); N];
            for n in 0..N {
                sources[n] = A::source(file, p.args[n]);
            }
            let with = file.row(with).lanes();
            let (mut rows, mut marks) = (B::rows::<R>(), R::ZERO);
            for lane in 0..R::ZERO.lanes().len() {
                let mut args = [A::ZERO; N];
                for n in 0..N {
                    args[n] = A::get(sources[n], lane);
                }
                let (value, mark) = f(args, with[lane]);
                B::set(&mut rows, lane, value);
                marks.lanes_mut()[lane] = mark;
            }
            store_unmarked::<R, B, MARKS>(file, env, dst, &rows, &marks)
        },
    );
    compute_left(file, env, left, careful);
}

/// Stores the lanes of a result whose marks have none of the bits `MARKS`, and gives a mask of those that are left.
#[inline(always)]
pub(super) fn store_unmarked<R: Row, B: Bits, const MARKS: u32>(
    file: &mut File<R>,
    env: &Env,
    dst: u16,
    rows: &B::Rows<R>,
    marks: &R,
) -> u32 {
    let is_marked = marks.lanes().iter().fold(0, |all, lane| all | lane) & MARKS != 0;
    let left = if is_marked { marked_lanes::<R, MARKS>(*marks) } else { 0 };
    if R::IS_WIDE || left == 0 {
        B::store(file, dst, env.mask & !left, rows);
    }
    left
}

/// Computes the lanes that are left by another function. The result may be in place of an argument: these lanes have not changed.
#[inline(always)]
pub(super) fn compute_left<R: Row>(file: &mut File<R>, env: &Env, left: u32, careful: impl FnOnce(&mut File<R>, &Env)) {
    if left & env.mask != 0 {
        careful(file, &Env { mask: left & env.mask, ..*env });
    }
}

/// The lanes that have one of the bits `MARKS`, as a mask.
#[cold]
#[inline(never)]
fn marked_lanes<R: Row, const MARKS: u32>(row: R) -> u32 {
    row.lanes().iter().zip(BITS.0).fold(0, |all, (lane, bit)| all | if lane & MARKS != 0 { bit } else { 0 })
}

/// Computes each lane of a result from up to three arguments.
#[inline(always)]
pub(super) fn map<R: Row, A: Bits, B: Bits, const N: usize>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    f: impl Fn([A; N]) -> B,
) {
    map_with(
        file,
        p,
        env,
        dst,
        0,
        #[inline(always)]
        |args, _| f(args),
    );
}

/// Computes each lane of a result from up to three arguments and a row.
#[inline(always)]
pub(super) fn map_with<R: Row, A: Bits, B: Bits, const N: usize>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
    with: u16,
    f: impl Fn([A; N], u32) -> B,
) {
    map_with_care(
        file,
        p,
        env,
        dst,
        with,
        #[inline(always)]
        |args, with| (f(args, with), false),
        |_, _| (),
    );
}
