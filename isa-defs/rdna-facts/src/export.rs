//! Exports: their targets, the components of each, and the order in which they arrive (guide chapter 14, §15.10).

use rdna_rows::operands::EXPORT_TARGETS;

/// Exports of one type stay in order; those of different types do not. Guide §5.6, §14.3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ExportType {
    /// Colours, those of dual-source blending among them.
    Color,
    /// Depth, stencil and coverage.
    Depth,
    /// Positions of vertices.
    Position,
    /// Connectivity of primitives.
    Primitive,
}

/// A target of exports.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExportTarget {
    /// A render target, 0 to 7.
    Mrt(u8),
    /// Depth.
    Z,
    /// A position, 0 to 4.
    Position(u8),
    /// Primitive data.
    Primitive,
    /// A side of dual-source blending: 0 left, 1 right.
    DualSource(u8),
}

impl ExportTarget {
    /// The target with this code in TARGET.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Self> {
        match code {
            0..=7 => Some(ExportTarget::Mrt(code)),
            8 => Some(ExportTarget::Z),
            12..=16 => Some(ExportTarget::Position(code - 12)),
            20 => Some(ExportTarget::Primitive),
            21 | 22 => Some(ExportTarget::DualSource(code - 21)),
            _ => None,
        }
    }

    /// Its code, if it has one: numbers too high have none.
    #[must_use]
    pub const fn code(self) -> Option<u8> {
        let code = match self {
            ExportTarget::Mrt(n) if n < 8 => n,
            ExportTarget::Z => 8,
            ExportTarget::Position(n) if n < 5 => 12 + n,
            ExportTarget::Primitive => 20,
            ExportTarget::DualSource(n) if n < 2 => 21 + n,
            _ => return None,
        };
        Some(code)
    }

    /// Its name in text.
    #[must_use]
    pub fn text(self) -> Option<&'static str> {
        let code = u32::from(self.code()?);
        EXPORT_TARGETS.iter().find(|(c, _)| *c == code).map(|(_, name)| *name)
    }

    /// Which order it keeps.
    #[must_use]
    pub const fn of_type(self) -> ExportType {
        match self {
            ExportTarget::Mrt(_) | ExportTarget::DualSource(_) => ExportType::Color,
            ExportTarget::Z => ExportType::Depth,
            ExportTarget::Position(_) => ExportType::Position,
            ExportTarget::Primitive => ExportType::Primitive,
        }
    }

    /// Returns the names of the four components. The guide does not list those of Z: they are the ones that drivers write.
    #[must_use]
    pub const fn components(self) -> [&'static str; 4] {
        match self {
            ExportTarget::Mrt(_) | ExportTarget::DualSource(_) => ["red", "green", "blue", "alpha"],
            ExportTarget::Z => ["depth", "stencil", "coverage mask", "alpha to mask"],
            ExportTarget::Position(0) => ["x", "y", "z", "w"],
            // Clip distances, point size and the like, as state outside of the shader assigns them.
            ExportTarget::Position(_) => ["as state assigns it"; 4],
            ExportTarget::Primitive => ["connectivity", "", "", ""],
        }
    }

    /// Whether DONE means something: it marks a shader's last export of positions, or of colours and depth together.
    #[must_use]
    pub const fn takes_done(self) -> bool {
        !matches!(self, ExportTarget::Primitive)
    }
}
