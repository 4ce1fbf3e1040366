//! The builtin functions of bodies, each with its definition.

use crate::ty::Type;
use crate::ulps::Ulps;

/// Defines [`Builtin`] with its names and signatures.
macro_rules! builtins {
    ($($(#[$doc:meta])* $variant:ident = $text:literal $signature:literal,)*) => {
        /// A builtin function.
        ///
        /// Floating-point functions round and flush denormals as the mode register has it unless their definition says
        /// otherwise, and return a quiet NaN for a NaN. Functions of types with several elements work element by element.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Builtin { $($(#[$doc])* $variant,)* }

        impl Builtin {
            /// All functions, in the order of their numbers.
            pub const ALL: &'static [Builtin] = &[$(Builtin::$variant),*];

            /// Returns the name in the row language.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Builtin::$variant => $text,)* }
            }

            /// Returns the types of the arguments and the result: `n n bool -> bool`.
            ///
            /// `n` is an integer type, `f` a floating-point type, `x` a type of either kind, `w`, `v` and `a` any type;
            /// the same letter is the same type everywhere. `#` is an unsigned integer type, each on its own. `...` is
            /// any number of values of any type. The result `?` has the type of its destination, and `!` is none: the
            /// function is an action.
            #[must_use]
            pub const fn signature(self) -> &'static str {
                match self { $(Builtin::$variant => $signature,)* }
            }

            /// Returns the function with a name of the row language.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Builtin> {
                Builtin::ALL.iter().copied().find(|value| value.name() == name)
            }

            /// Returns the function with a number.
            pub(crate) fn from_number(number: u8) -> Option<Builtin> {
                Builtin::ALL.get(usize::from(number)).copied()
            }
        }
    };
}

builtins! {
    // Integers and bits.
    /// Whether `a + b + c` exceeds the largest unsigned number of the type.
    Carry = "carry" "n n bool -> bool",
    /// Whether `a < b + c` as unsigned numbers of unlimited width: the subtraction `a - b - c` borrows.
    Borrow = "borrow" "n n bool -> bool",
    /// `width` bits of `x` from bit `offset` on. `x` is shifted first, arithmetically if it is signed; the result of a
    /// signed type is extended from its bit `width - 1`. Width 0 gives 0; a width of the type's or more gives all bits.
    Bfe = "bfe" "n # # -> n",
    /// The bits in reverse order.
    Bitrev = "bitrev" "w -> w",
    /// The number of zeros below the lowest one; the width for 0.
    Ctz = "ctz" "w -> u32",
    /// The number of zeros above the highest one; the width for 0.
    Clz = "clz" "w -> u32",
    /// The number of bits from the highest on that equal the highest one, itself included; the width for 0 and -1.
    Cls = "cls" "n -> u32",
    /// The number of ones.
    Popcount = "popcount" "w -> u32",
    /// The absolute value; of the smallest signed integer it is that number itself. Of a float: the sign cleared, also
    /// of NaN, without rounding or flushing.
    Abs = "abs" "x -> x",
    /// The lesser of two numbers. Floats follow IEEE 754-2008 `minNum` with -0 below +0: a quiet NaN loses to a number;
    /// a signaling NaN is returned quieted if MODE.IEEE is set, and otherwise loses too.
    Min = "min" "x x -> x",
    /// The greater of two numbers, with the NaN rules of `min` and -0 below +0.
    Max = "max" "x x -> x",
    /// The lesser of two floats by IEEE 754-2019 `minimum`, -0 below +0: a NaN is returned, quieted, the first signaling one or else the
    /// first.
    Minimum = "minimum" "f f -> f",
    /// The greater of two floats, with the NaN rules of `minimum`.
    Maximum = "maximum" "f f -> f",
    /// `min(min(a, b), c)`.
    Min3 = "min3" "x x x -> x",
    /// `max(max(a, b), c)`.
    Max3 = "max3" "x x x -> x",
    /// The middle one of three numbers; `min3` if one is NaN.
    Med3 = "med3" "x x x -> x",
    /// `max(min(a, b), c)`.
    Minmax = "minmax" "x x x -> x",
    /// `min(max(a, b), c)`.
    Maxmin = "maxmin" "x x x -> x",
    /// The sum of the absolute differences of unsigned elements.
    Sad = "sad" "w w -> u32",
    /// As `sad`, without the elements where the second argument is 0.
    Msad = "msad" "w w -> u32",
    /// Element `i` is `c[i] + sad(a[8i+31:8i], b)`, wrapped to 16 bits.
    Qsad = "qsad" "b64 u8x4 u16x4 -> u16x4",
    /// Element `i` is `c[i] + msad(a[8i+31:8i], b)`, wrapped to 16 bits.
    MqsadU16 = "mqsad_u16" "b64 u8x4 u16x4 -> u16x4",
    /// Element `i` is `c[i] + msad(a[8i+31:8i], b)`.
    MqsadU32 = "mqsad_u32" "b64 u8x4 u32x4 -> u32x4",
    /// Each byte of the selector names a byte of the first argument (0 to 7), the sign of its byte 1, 3, 5 or 7 in all
    /// bits (8 to 11), 0 (12), or 0xff (13 and above).
    BytePerm = "byte_perm" "b64 u8x4 -> b32",
    /// Each byte is `(a + b + (c & 1)) >> 1`, computed with 9 bits.
    Lerp = "lerp" "u8x4 u8x4 u8x4 -> u8x4",
    /// The first argument with the byte that the second names replaced by the third.
    SetByte = "set_byte" "b32 # u8 -> b32",
    /// Bit `i` says whether one of the bits `4i` to `4i + 3` is set; upper bits are 0.
    Quadmask = "quadmask" "w -> w",
    /// All four bits of a quad are set if one of them is.
    Wqm = "wqm" "w -> w",
    /// Bits `2i` and `2i + 1` are bit `i`.
    Replicate = "replicate" "b32 -> b64",
    /// The nearest number of type `u8`.
    SatU8 = "sat_u8" "n -> u8",
    /// The nearest number of type `u16`.
    SatU16 = "sat_u16" "n -> u16",
    /// The nearest number of type `i16`.
    SatI16 = "sat_i16" "n -> i16",

    // Floats.
    /// `a * b + c`, rounded once.
    Fma = "fma" "f f f -> f",
    /// `a * b + c`, rounded once, to f16.
    FmaF16 = "fma_f16" "f32 f32 f32 -> f16",
    /// Whether the number is in a class whose bit is set in the mask: signaling NaN, quiet NaN, -infinity, negative
    /// normal, negative denormal, -0, +0, positive denormal, positive normal, +infinity, from bit 0 on. Denormals are
    /// not flushed.
    Class = "class" "f w -> bool",
    /// The greatest integer that is not greater.
    Floor = "floor" "f -> f",
    /// The least integer that is not less.
    Ceil = "ceil" "f -> f",
    /// The integer toward zero.
    Trunc = "trunc" "f -> f",
    /// The nearest integer, the even one of two.
    Rndne = "rndne" "f -> f",
    /// `x - floor(x)`, rounded toward 0 where it would round to 1: the result is less than 1.
    Fract = "fract" "f -> f",
    /// `floor(x + 0.5)` with a sum that is not rounded, saturated.
    Nearest = "nearest" "f -> i32",
    /// The exponent `e` of `m * 2^e` with `m` in [0.5, 1); 0 for 0, infinity and NaN.
    FrexpExp = "frexp_exp" "f -> i32",
    /// The `m` of `m * 2^e` with the sign of the number; 0, infinity and NaN are themselves.
    FrexpMant = "frexp_mant" "f -> f",
    /// `x * 2^n`, rounded once.
    Ldexp = "ldexp" "f n -> f",
    /// The square root. f32: within 1 ULP, denormals flushed; f16: within 0.51 ULP; f64: within 2^29 ULP.
    Sqrt = "sqrt" "f -> f",
    /// `2^x`. f32: within 1 ULP, denormals flushed; f16: within 0.51 ULP.
    Exp2 = "exp2" "f -> f",
    /// The logarithm to base 2. f32: within 1 ULP, denormals flushed; f16: within 0.51 ULP.
    Log2 = "log2" "f -> f",
    /// The sine of `x` turns (`sin(2 * pi * x)`), reduced to one turn first: exact for quarter turns; 0 for large `x`.
    Sin = "sin" "f -> f",
    /// The cosine of `x` turns, reduced as `sin`; 1 for large `x`.
    Cos = "cos" "f -> f",
    /// `1 / x`. f32: within 1 ULP, denormals flushed; f16: within 0.51 ULP; f64: within 2^29 ULP.
    Rcp = "rcp" "f -> f",
    /// `1 / sqrt(x)`, with the accuracy of `rcp`.
    Rsq = "rsq" "f -> f",
    /// The numerator or the denominator of a division, scaled so that the quotient does not overflow or underflow on
    /// the way: the first argument is the one to scale, the second the denominator, the third the numerator.
    DivScale = "div_scale" "f f f -> f",
    /// Whether `div_fmas` has to scale the quotient back, of the arguments of `div_scale`.
    DivScaleFlag = "div_scale_flag" "f f f -> bool",
    /// `fma(a, b, c)`, scaled by 2^64 (f32) or 2^128 (f64) if the flag is set: up if the exponent of `c` is above the
    /// bias, and otherwise down.
    DivFmas = "div_fmas" "f f f bool -> f",
    /// The quotient `a` of `c / b`, corrected for signs, zeros, infinities, NaN, overflow and underflow.
    DivFixup = "div_fixup" "f f f -> f",
    /// 53 bits of 2/pi that a reduction of the first argument needs, the second says which.
    TrigPreop = "trig_preop" "f # -> f",
    /// The number of the cube face that the direction points to, 0 to 5.
    CubeId = "cube_id" "f f f -> f",
    /// The S coordinate in the cube face.
    CubeSc = "cube_sc" "f f f -> f",
    /// The T coordinate in the cube face.
    CubeTc = "cube_tc" "f f f -> f",
    /// Twice the major axis of the direction.
    CubeMa = "cube_ma" "f f f -> f",
    /// `a * b`, but the most negative finite number if `b` is that, -infinity or NaN, or `c` is NaN or not positive.
    Mullit = "mullit" "f f f -> f",
    /// A number in [-1, 1] times 32767, rounded to nearest even, saturated; 0 for NaN.
    Snorm16 = "snorm16" "f -> i16",
    /// A number in [0, 1] times 65535, rounded to nearest even, saturated; 0 for NaN.
    Unorm16 = "unorm16" "f -> u16",
    /// Rounds toward zero to f16; what is too large becomes the largest finite number, infinity stays.
    RtzF16 = "rtz_f16" "f32 -> f16",
    /// `c + a[0] * b[0] + a[1] * b[1]` of floats: from `c` on, with a rounding at each step.
    Dot2 = "dot2" "w v f -> f",
    /// `c` plus four products of floats of 8 bits: from `c` on, each sum rounded to nearest.
    Dot4 = "dot4" "w v f -> f",
    /// `c` plus the products of the elements, exact before it wraps.
    Dot = "dot" "w v n -> n",
    /// As `dot` of elements whose sign the last two arguments say, for `a` and `b`.
    DotSigned = "dot_signed" "w v n # # -> n",
    /// The matrix product `a * b + c` of 16 by 16 elements, in a body that runs once a wave; the operands are the
    /// registers of all lanes.
    Wmma = "wmma" "w v a -> a",
    /// As `wmma` of integers whose sign the last two arguments say, for `a` and `b`.
    WmmaSigned = "wmma_signed" "w v a # # -> a",
    /// The matrix product `a * b + c` with 16 rows and 16 columns, in a body that runs once a wave. The operands are the registers of all
    /// lanes, each with a part of a row of `a`, a column of `b` and a column of `c`; their types are those of a wave of 32 lanes. Bit `n`
    /// of the last two arguments is for argument `n`. Of floats, the fourth negates elements with even numbers in `a` and `b`, the fifth
    /// those with odd numbers; `c` is replaced by absolute values if the fifth says so, and negated if the fourth does. Of integers,
    /// the fourth says which have a sign.
    WmmaSplit = "wmma_split" "w v a # # -> a",
    /// As `wmma_split` of a matrix `a` that has two of each four elements, with zeros for the others. The fourth argument has two bits for
    /// each element that say which of the four it is, in the part that the fifth names.
    Swmmac = "swmmac" "w v a b32 # # # -> a",

    /// An f32 as a float of 8 bits: the upper bits of the second argument are added to the bits that this does not have, and the sum is
    /// truncated.
    Stochastic = "stochastic" "f32 b32 -> ?",

    // Modifiers.
    /// The nearest number in [0, 1]; NaN becomes 0 if MODE.DX10_CLAMP is set.
    Clamp = "clamp" "f -> f",
    /// The number times 1, 2, 4 or 0.5, as the code 0 to 3 says; a zero becomes +0 and denormals are flushed unless
    /// the code is 0. Unchanged if MODE.IEEE is set or MODE keeps denormal results.
    Omod = "omod" "f # -> f",
    /// Joins two values or more to one with several elements, the first in the lowest bits.
    Join = "join" "w ... -> ?",

    // Lanes.
    /// The number of the lane.
    LaneId = "lane_id" "-> u32",
    /// Whether the wave has 64 lanes.
    Wave64 = "wave64" "-> bool",
    /// The lowest active lane; 0 if none is.
    FirstLane = "first_lane" "-> u32",
    /// The value in another lane, active or not; the lane wraps at the wave size.
    Lane = "lane" "w # -> w",
    /// The value in a lane of the same quad: the quad's first lane plus the second argument.
    Quad = "quad" "w # -> w",
    /// The value in the lane of the same row of 16 that the lane's four bits of the selector name. Bit 0 of the third
    /// argument also reads inactive lanes; otherwise one gives 0 if bit 1 is set, and else the old value, the fourth
    /// argument.
    Permlane16 = "permlane16" "w b64 # w -> w",
    /// As `permlane16`, from the other row of 16 of each half of 32 lanes.
    Permlanex16 = "permlanex16" "w b64 # w -> w",
    /// DPP16's exchange: the value in the lane that the control names. Arguments: control, BOUND_CTRL, FI. What an
    /// invalid lane gives is 0 if BOUND_CTRL is set, and otherwise the lane is disabled (`dpp16_writes`).
    Dpp16 = "dpp16" "w # # # -> w",
    /// Whether DPP16 leaves the lane enabled. Arguments: control, ROW_MASK, BANK_MASK, BOUND_CTRL, FI.
    Dpp16Writes = "dpp16_writes" "# # # # # -> bool",
    /// DPP8's exchange: the value in the lane of the group of 8 that the lane's three bits of the selector name. An
    /// inactive lane gives 0 unless the third argument is set.
    Dpp8 = "dpp8" "w # bool -> w",
    /// The number of ones of a mask of lanes 0 to 31 below the own lane.
    MbcntLo = "mbcnt_lo" "b32 -> u32",
    /// The number of ones of a mask of lanes 32 to 63 below the own lane.
    MbcntHi = "mbcnt_hi" "b32 -> u32",
    /// DS_SWIZZLE's exchange, by its offset.
    Swizzle = "swizzle" "w # -> w",
    /// Sends the value to the lane that byte address divided by 4 names, modulo 32 in its half; of several senders the
    /// highest lane wins, a lane without one gets 0.
    Permute = "permute" "w # -> w",
    /// The value in the lane that the byte address divided by 4 names, modulo 32 in its half; 0 if it is inactive.
    Bpermute = "bpermute" "w # -> w",
    /// A matrix of 16-bit elements transposed in lanes of a load: lane `l` of a wave of 32 gets element `l % 8` of each of the lanes from
    /// `l / 8 * 8` on. In a wave of 64 it gets the first four of them, and lane `l + 32` the others.
    TransposeB16 = "transpose_b16" "b128 -> b128",
    /// As `transpose_b16`, of 8-bit elements: lane `l` gets element `l % 8` of eight lanes whose numbers have bits 0, 1 and 3 from 0 on,
    /// bit 2 of bit 3 of `l`, and bit 4 of `l`.
    TransposeB8 = "transpose_b8" "b64 -> b64",
    /// As `permute`, modulo the number of lanes.
    PermuteWave = "permute_wave" "w # -> w",
    /// As `bpermute`, modulo the number of lanes.
    BpermuteWave = "bpermute_wave" "w # -> w",

    // Blocks of registers.
    /// The elements of a load whose bit of the mask is 1, and the old value's elements elsewhere: mask, load, old value. Memory of other
    /// elements is not read.
    LoadBlock = "load_block" "u32 w w -> w",
    /// A value to store, of which the elements whose bit of the mask is 1 are written: mask, value.
    StoreBlock = "store_block" "u32 w -> w",

    // Addresses.
    /// The address of GLOBAL: vector address, scalar address, offset. If there is no scalar address, the vector address
    /// plus the offset; otherwise the scalar one plus the low dword of the vector one, without a sign, plus the offset.
    GlobalAddress = "global_address" "u64 u64 i64 -> u64",
    /// The offset into scratch: vector offset and scalar offset, 0 where there is none, plus the constant.
    ScratchAddress = "scratch_address" "u32 u32 i32 -> u32",
    /// The address of a buffer access: resource, vector index and offset, scalar offset, constant offset, IDXEN, OFFEN.
    /// Loads from beyond the buffer's range give 0, stores there do nothing.
    BufferAddress = "buffer_address" "b128 u32x2 u32 # # # -> u64",
    /// The address of a scalar buffer access: resource and offset; loads from beyond the range give 0.
    ScalarBufferAddress = "scalar_buffer_address" "b128 u64 -> u64",
    /// The address of an image element: resource, coordinates, DIM, and the sampler of instructions that sample. Such an
    /// address is that of all texels that the sampler selects.
    ImageAddress = "image_address" "... -> u64",
    /// The texels at an address with a sampler, filtered as the sampler says.
    Sample = "sample" "w -> w",
    /// As `sample`, at the level of detail that the differences of the coordinates in the lane's quad select.
    SampleQuad = "sample_quad" "w -> w",
    /// Width, height, depth and number of levels of an image: resource and level.
    ImageInfo = "image_info" "... -> ?",
    /// The level of detail that `sample_quad` selects, within the limits of the sampler, and without them: resource,
    /// coordinates, sampler.
    ImageLod = "image_lod" "... -> ?",
    /// LDS_DIRECT_LOAD: the value in LDS whose address and data type M0 says.
    LdsDirect = "lds_direct" "u32 -> ?",

    // State of the wave.
    /// The bits of a hardware register that the constant of S_GETREG names.
    Getreg = "getreg" "# -> u32",
    /// Writes the bits of a hardware register that the constant of S_SETREG names.
    Setreg = "setreg" "# u32 -> !",
    /// Ends the wave.
    End = "end" "-> !",
    /// Waits for all waves of the work-group.
    Barrier = "barrier" "-> !",
    /// Tells the barrier with this number, or the one in M0, that the wave has arrived: -1 is that of the work-group.
    BarrierSignal = "barrier_signal" "b32 -> !",
    /// Waits until all waves have signaled the barrier with this number, a constant.
    BarrierWait = "barrier_wait" "i16 -> !",
    /// The number of waves that have signaled a barrier (from bit 16 on), that of its waves (from bit 4 on), and whether it exists (bit 0).
    BarrierState = "barrier_state" "b32 -> u32",
    /// Changes how many vector registers the wave has to at least this number. Whether it has them.
    AllocVgprs = "alloc_vgprs" "u32 -> bool",
    /// Lets the wave sleep for this many times 64 clock cycles: others go on meanwhile.
    Sleep = "sleep" "# -> !",
    /// An effect that no body describes: exports, messages, traps. It may depend on its arguments, and on nothing else.
    External = "external" "... -> ?",
}

impl Builtin {
    /// Returns whether the value is the same with the first two arguments exchanged, if they have one type. Which of two
    /// NaNs a result is does not count.
    #[must_use]
    pub const fn is_commutative(self) -> bool {
        use Builtin::{
            Carry, DivFmas, Dot, Dot2, Fma, FmaF16, Lerp, Max, Max3, Maximum, Maxmin, Min, Min3, Minimum, Minmax, Sad,
        };
        matches!(
            self,
            Carry
                | DivFmas
                | Dot
                | Dot2
                | Fma
                | FmaF16
                | Lerp
                | Max
                | Max3
                | Maximum
                | Maxmin
                | Min
                | Min3
                | Minimum
                | Minmax
                | Sad
        )
    }

    /// Returns whether the definition allows results that are not exactly rounded.
    #[must_use]
    pub const fn is_approximate(self) -> bool {
        use Builtin::{Cos, Exp2, ImageLod, Log2, Rcp, Rsq, Sample, SampleQuad, Sin, Sqrt};
        matches!(self, Cos | Exp2 | ImageLod | Log2 | Rcp | Rsq | Sample | SampleQuad | Sin | Sqrt)
    }

    /// Returns the largest error of a result of this type, if the definition states one.
    #[must_use]
    pub const fn accuracy(self, ty: Type) -> Option<Ulps> {
        use Builtin::{Exp2, Log2, Rcp, Rsq, Sqrt};
        let hundredths = match (self, ty.bits()) {
            (Exp2 | Log2 | Rcp | Rsq | Sqrt, 16) => 51,
            (Exp2 | Log2 | Rcp | Rsq | Sqrt, 32) => 100,
            (Rcp | Rsq | Sqrt, 64) => 100 << 29,
            _ => return None,
        };
        Some(Ulps::from_hundredths(hundredths))
    }
}
