//! The bytecode under construction, and the literal in which `isa!` hands the bodies of a block on.

use isa_body::{Op, Sink, ValueId};
use proc_macro2::Span;

use super::too_large;
use crate::ast::CompiledBody;
use crate::error::Error;
use crate::lists::{get, replace};

/// The most operations of a body; [`ValueId`] has 8 bits, and one value that means none.
const MAX_OPS: usize = 250;

/// Bytes as a sink of operations.
#[derive(Default)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl Sink for Bytes {
    fn push(&mut self, byte: u8) {
        self.0.push(byte);
    }
}

/// Bytecode under construction. Equal operations without effects are emitted once.
#[derive(Default)]
pub struct Code {
    bytes: Vec<u8>,
    count: usize,
    /// The operations without effects, sorted.
    pure: Vec<(Vec<u8>, ValueId)>,
}

impl Code {
    /// Appends an operation that others may share.
    pub fn pure(&mut self, op: &Op, span: Span) -> Result<ValueId, Error> {
        let mut bytes = Bytes::default();
        op.encode(&mut bytes);
        if let Some(id) = get(&self.pure, &bytes.0) {
            return Ok(*id);
        }
        let id = self.append(&bytes.0, span)?;
        replace(&mut self.pure, bytes.0, id);
        Ok(id)
    }

    /// Appends an operation that has effects or depends on when it happens.
    pub fn effect(&mut self, op: &Op, span: Span) -> Result<ValueId, Error> {
        let mut bytes = Bytes::default();
        op.encode(&mut bytes);
        self.append(&bytes.0, span)
    }

    fn append(&mut self, bytes: &[u8], span: Span) -> Result<ValueId, Error> {
        if self.count == MAX_OPS {
            return Err(too_large(span));
        }
        self.bytes.extend(bytes);
        self.count += 1;
        Ok((self.count - 1) as ValueId)
    }

    /// Forgets the operations from `first` on, so that later ones do not share them: an atomic repeats them for each
    /// lane.
    pub fn forget_from(&mut self, first: ValueId) {
        self.pure.retain(|(_, id)| *id < first);
    }

    /// Returns the bytes.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend((bytes.len() as u16).to_le_bytes());
    out.extend(bytes);
}

/// Encodes the bodies of a block. Returns no bytes if no row has one.
pub(crate) fn encode_all(bodies: &[Option<CompiledBody>]) -> Vec<u8> {
    let mut out = Vec::new();
    if bodies.iter().all(Option::is_none) {
        return out;
    }
    for body in bodies {
        let Some(CompiledBody { roles, code }) = body else {
            out.push(u8::MAX);
            continue;
        };
        out.push(roles.len() as u8);
        for role in roles {
            put_bytes(role.as_bytes(), &mut out);
        }
        put_bytes(code, &mut out);
    }
    out
}

/// Decodes the bodies of a block.
pub fn decode_all(bytes: &[u8]) -> Vec<Option<CompiledBody>> {
    let mut rest = bytes;
    let mut all = Vec::new();
    while let Some((count, after)) = rest.split_first() {
        rest = after;
        if *count == u8::MAX {
            all.push(None);
            continue;
        }
        let names: Option<Vec<&[u8]>> = (0..*count).map(|_| take_bytes(&mut rest)).collect();
        let (Some(names), Some(code)) = (names, take_bytes(&mut rest)) else { break };
        let roles = names.into_iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        all.push(Some(CompiledBody { roles, code: code.to_vec() }));
    }
    all
}

fn take_bytes<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (len, after) = rest.split_first_chunk::<2>()?;
    let (bytes, after) = after.split_at_checked(usize::from(u16::from_le_bytes(*len)))?;
    *rest = after;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_decoded_as_encoded() {
        let body = |roles: &[&str], code: &[u8]| {
            Some(CompiledBody { roles: roles.iter().map(ToString::to_string).collect(), code: code.to_vec() })
        };
        let all = [None, body(&["d", "s0"], &[1, 2, 3]), body(&[], &[]), None];
        assert!(decode_all(&encode_all(&all)) == all);
        assert!(encode_all(&[None, None]).is_empty());
    }
}
