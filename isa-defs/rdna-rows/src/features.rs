//! The properties of each generation that are not in its rows.

use crate::generation::{Clauses, Features, Hazards, ScalarRereads};
use crate::operands;

/// RDNA3: gfx1100 to gfx1103.
#[cfg(feature = "rdna3")]
pub static RDNA3: Features = Features {
    scalar_dpp_source: false,
    scalar_float: false,
    copies_use_third_port: false,
    matrices_overlap: false,
    message_name: operands::message_name,
    read_only_registers: &operands::hwreg::READ_ONLY,
    clauses: Clauses { images_join_memory: false, end_at_trap: false },
    hazards: Hazards {
        transcendental_use: true,
        late_sources: true,
        export_priority: false,
        partial_forwarding: true,
        scalar_rereads: ScalarRereads::LaneMask,
    },
};

/// RDNA3.5: gfx1150 to gfx1154.
#[cfg(feature = "rdna3_5")]
pub static RDNA3_5: Features = Features {
    scalar_dpp_source: true,
    scalar_float: true,
    copies_use_third_port: false,
    matrices_overlap: false,
    message_name: operands::message_name,
    read_only_registers: &operands::hwreg::READ_ONLY,
    clauses: Clauses { images_join_memory: false, end_at_trap: false },
    hazards: Hazards {
        transcendental_use: false,
        late_sources: false,
        export_priority: true,
        partial_forwarding: true,
        scalar_rereads: ScalarRereads::LaneMask,
    },
};

/// RDNA4: gfx1200 and gfx1201.
#[cfg(feature = "rdna4")]
pub static RDNA4: Features = Features {
    scalar_dpp_source: true,
    scalar_float: true,
    copies_use_third_port: true,
    matrices_overlap: true,
    message_name: operands::rdna4_message_name,
    read_only_registers: &operands::hwreg::RDNA4_READ_ONLY,
    clauses: Clauses { images_join_memory: true, end_at_trap: true },
    hazards: Hazards {
        transcendental_use: false,
        late_sources: false,
        export_priority: false,
        partial_forwarding: false,
        scalar_rereads: ScalarRereads::Pair,
    },
};
