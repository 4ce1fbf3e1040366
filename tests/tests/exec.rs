//! The executor on RDNA3's rows.

#[path = "exec/addresses.rs"]
mod addresses;
#[path = "exec/blocks.rs"]
mod blocks;
#[path = "exec/checked.rs"]
mod checked;
#[path = "exec/chunks.rs"]
mod chunks;
#[path = "exec/constants.rs"]
mod constants;
#[path = "exec/division.rs"]
mod division;
#[path = "exec/fast.rs"]
mod fast;
#[path = "exec/guide.rs"]
mod guide;
#[path = "exec/images.rs"]
mod images;
#[path = "exec/lowers.rs"]
mod lowers;
#[path = "exec/machine.rs"]
mod machine;
#[path = "exec/modifiers.rs"]
mod modifiers;
#[path = "exec/observe.rs"]
mod observe;
#[path = "exec/random.rs"]
mod random;
#[path = "exec/relations.rs"]
mod relations;
#[path = "exec/runs.rs"]
mod runs;
#[path = "exec/rv32i.rs"]
mod rv32i;
#[path = "exec/samples.rs"]
mod samples;
#[path = "exec/twins.rs"]
mod twins;
#[path = "exec/typed.rs"]
mod typed;
#[path = "exec/waves.rs"]
mod waves;
