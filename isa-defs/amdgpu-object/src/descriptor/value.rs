//! The types of settings.

/// The value of a setting, which converts to and from the bits of a field.
pub trait SettingValue: Copy + Sized {
    /// Returns the value of these bits; `None` if no value has them.
    fn from_bits(bits: u32) -> Option<Self>;

    /// Returns the bits of the value.
    fn to_bits(self) -> u32;
}

impl SettingValue for bool {
    fn from_bits(bits: u32) -> Option<Self> {
        match bits {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn to_bits(self) -> u32 {
        self.into()
    }
}

impl SettingValue for u32 {
    fn from_bits(bits: u32) -> Option<Self> {
        Some(bits)
    }

    fn to_bits(self) -> u32 {
        self
    }
}

/// An optional setting; without it, LLVM computes the field.
impl SettingValue for Option<u32> {
    fn from_bits(bits: u32) -> Option<Self> {
        Some(Some(bits))
    }

    fn to_bits(self) -> u32 {
        self.unwrap_or(0)
    }
}

/// How results of floating-point operations are rounded (`FLOAT_ROUND_MODE`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FloatRoundMode {
    /// To the nearest value, ties to even.
    #[default]
    NearEven = 0,
    /// Towards positive infinity.
    PlusInfinity = 1,
    /// Towards negative infinity.
    MinusInfinity = 2,
    /// Towards zero.
    Zero = 3,
}

impl SettingValue for FloatRoundMode {
    fn from_bits(bits: u32) -> Option<Self> {
        [Self::NearEven, Self::PlusInfinity, Self::MinusInfinity, Self::Zero].get(usize::try_from(bits).ok()?).copied()
    }

    fn to_bits(self) -> u32 {
        self as u32
    }
}

/// Whether denormal numbers are replaced by zero (`FLOAT_DENORM_MODE`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FloatDenormMode {
    /// In sources and results.
    #[default]
    FlushSrcDst = 0,
    /// In results.
    FlushDst = 1,
    /// In sources.
    FlushSrc = 2,
    /// Nowhere.
    FlushNone = 3,
}

impl SettingValue for FloatDenormMode {
    fn from_bits(bits: u32) -> Option<Self> {
        [Self::FlushSrcDst, Self::FlushDst, Self::FlushSrc, Self::FlushNone].get(usize::try_from(bits).ok()?).copied()
    }

    fn to_bits(self) -> u32 {
        self as u32
    }
}
