//! Relations between opcodes, which follow from their bodies.

/// How an opcode relates to another one. `isa_set!` finds the pairs by comparing bodies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Relation {
    /// The other opcode computes the same with the first two sources exchanged. Many opcodes relate to themselves.
    /// The detail has the indices of the sources among the operands, four bits each.
    Commuted,
    /// The other opcode is the opposite condition: a comparison has the opposite result, a branch is taken where the
    /// opcode's is not.
    Inverse,
    /// The other opcode computes the same with the destination as its last source: V_FMA_F32 to V_FMAC_F32.
    TwoAddress,
    /// The other opcode has its own source where the opcode reads the destination: V_FMAC_F32 to V_FMA_F32.
    ThreeAddress,
    /// The other opcode takes a source from a suffix dword that always follows: V_FMA_F32 to V_FMAMK_F32 and
    /// V_FMAAK_F32. The detail is the index of the source.
    WithLiteral,
    /// The other opcode has a source of any kind where the opcode has a suffix dword: V_FMAMK_F32 to V_FMA_F32.
    WithoutLiteral,
    /// The other opcode takes a source from a field of the width of the source: S_CMP_EQ_I32 to S_CMPK_EQ_I32. The
    /// detail is the index of the source.
    WithConstant,
    /// The other opcode has a source of any kind where the opcode has a constant: S_CMPK_EQ_I32 to S_CMP_EQ_I32.
    WithoutConstant,
}

/// The bytes of a pair: the opcode, the relation, the detail, the other opcode.
const RECORD: usize = 6;

/// Related opcodes of a set, sorted by the first opcode.
#[derive(Clone, Copy, Debug)]
pub struct Relations {
    records: &'static [u8],
}

impl Relations {
    /// Returns the relations that [`Relations::encode`] has encoded.
    #[must_use]
    pub const fn new(records: &'static [u8]) -> Relations {
        Relations { records }
    }

    /// Encodes a pair of opcodes. Records are in ascending order.
    #[must_use]
    pub const fn encode(opcode: u16, relation: Relation, detail: u8, other: u16) -> [u8; RECORD] {
        // The first opcode comes first and in big endian, so that the order of bytes is that of records.
        let ([a, b], [x, y]) = (opcode.to_be_bytes(), other.to_be_bytes());
        [a, b, relation as u8, detail, x, y]
    }

    /// Returns the opcodes that relate to an opcode, each with its detail.
    pub fn of(&self, opcode: u16, relation: Relation) -> impl Iterator<Item = (u8, u16)> + Clone + use<> {
        let (records, _) = self.records.as_chunks::<RECORD>();
        let [high, low] = opcode.to_be_bytes();
        let key = [high, low, relation as u8];
        let first = records.partition_point(|record| record[..3] < key[..]);
        let rest = records.get(first..).unwrap_or_default().iter();
        rest.take_while(move |record| record[..3] == key)
            .map(|&[_, _, _, detail, x, y]| (detail, u16::from_be_bytes([x, y])))
    }

    /// Returns the only opcode that relates to an opcode.
    #[must_use]
    pub fn one(&self, opcode: u16, relation: Relation) -> Option<u16> {
        self.of(opcode, relation).next().map(|(_, other)| other)
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    #[test]
    fn relations_are_found_by_opcode_and_kind() {
        static RECORDS: [[u8; RECORD]; 4] = [
            Relations::encode(3, Relation::Commuted, 0, 3),
            Relations::encode(3, Relation::WithLiteral, 2, 7),
            Relations::encode(3, Relation::WithLiteral, 3, 260),
            Relations::encode(260, Relation::WithoutLiteral, 3, 3),
        ];
        let relations = Relations::new(RECORDS.as_flattened());
        let of = |opcode, relation| relations.of(opcode, relation).collect::<std::vec::Vec<_>>();
        assert_eq!(of(3, Relation::WithLiteral), [(2, 7), (3, 260)]);
        assert_eq!(of(3, Relation::Commuted), [(0, 3)]);
        assert_eq!(of(260, Relation::WithoutLiteral), [(3, 3)]);
        assert_eq!(of(4, Relation::Commuted), []);
        assert_eq!(relations.one(260, Relation::Inverse), None);
    }
}
