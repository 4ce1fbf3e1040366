//! The numeric builtins of the body language, each defined by one function on bit patterns.
//!
//! A floating-point value is the bit pattern of its [`Format`] in a `u64`; a [`FloatMode`] says how operations round and
//! what they do with denormals and NaNs. All results are the same on every host: operations use the host's IEEE 754
//! addition, multiplication and division of `f64` in round-to-nearest, integers, and the `libm` crate.
//!
//! # NaNs
//! An operation whose input is a NaN returns the first such input with its quiet bit set (with [`FloatMode::ieee`] off, as
//! it is). An invalid operation returns [`Format::nan`], whose sign is set, as the guide's examples print it
//! (`V_SQRT_F32(0xff800000)` is `0xffc00000`).

mod arith;
mod classify;
mod compare;
mod convert;
mod division;
pub(crate) mod eighths;
mod elementary;
pub(crate) mod fast16;
mod fast32;
mod format;
mod integer;
mod mode;
mod pack;
mod round;
mod soft;
mod trig;

pub use arith::{add, fma, fma_to_f16, mul, mullit, sub};
pub use classify::{class, frexp_exp, frexp_mant, ldexp};
pub use compare::{CompareRelation, compare, max, max3, maximum, maxmin, med3, min, min3, minimum, minmax};
pub use convert::{convert, from_signed, from_unsigned, nearest, to_signed, to_snorm, to_unorm, to_unsigned};
pub use division::{div_fixup, div_fmas, div_scale};
pub use eighths::{narrow_stochastic, widen};
pub use elementary::{cos, exp2, log2, rcp, rsq, sin, sqrt};
pub use fast32::{add_nearest, fma_nearest, mul_nearest};
pub use format::Format;
pub use integer::{
    alignbit, bfe_i32, bfe_i64, bfe_u32, bfe_u64, bitrev, byte_perm, cls, clz, ctz, lerp_u8, mqsad_pk_u16_u8,
    mqsad_u32_u8, msad_u8, qsad_pk_u16_u8, quadmask, sad_hi_u8, sad_u8, sad_u16, sad_u32, wqm,
};
pub use mode::{FloatMode, Mode, Round};
pub use pack::{ceil, clamp, cube_id, cube_ma, cube_sc, cube_tc, floor, fract, off_i4, omod, rndne, trunc};
pub use trig::trig_preop;
