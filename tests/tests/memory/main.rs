//! Descriptors, addresses and layouts of memory.

mod address_properties;
mod addresses;
mod buffers;
mod descriptors;
mod gcn_memory;
mod guide_addresses;
mod image_layouts;
