//! Words and text: decoding, printing, parsing, and sets that tests define.

mod ages;
mod asm_macro;
mod corpus;
mod fast_parse;
mod formats_llvm;
mod gcn;
mod hostile;
mod legality;
mod literals;
mod operand_tables;
mod oracle;
mod properties;
mod register_fields;
mod rv32i;
mod text;
mod toy;
mod vectors;
