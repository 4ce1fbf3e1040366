//! Lowers the accesses of a body to memory, and their addresses.

use alloc::boxed::Box;
use alloc::vec::Vec;

use isa_runtime::body::{BinaryOp, Builtin, Class, Clause, Op, Place, Space, State, Type};

use crate::lower::body::{Lowerer, fragment};
use crate::lower::values::{DWORD, Value};
use crate::operation::{OperationKind, dwords};
use crate::rows::LANES;
use crate::step::{Access, Addressing, Conversion, Cross, Query, Step, Sum, Update};

impl Lowerer<'_, '_, '_> {
    /// The address of a global access: without a scalar address, which then reads as zero, the vector address has all bits.
    pub(super) fn global_address(&mut self, ty: Type, ids: &[u8]) -> Value {
        let args = self.values(ids);
        let [vector, scalar, offset] = args.as_slice() else { return Value::known(ty, 0) };
        let add = OperationKind::Binary(BinaryOp::Add);
        let base = if scalar.known == Some(0) {
            vector.clone()
        } else {
            let low = self.context.compute(OperationKind::Slice(0), DWORD, core::slice::from_ref(vector));
            let low = self.context.compute(OperationKind::Cast, ty, &[low]);
            self.context.compute(add, ty, &[scalar.clone(), low])
        };
        let offset = self.context.compute(OperationKind::Cast, ty, core::slice::from_ref(offset));
        if offset.known == Some(0) { base } else { self.context.compute(add, ty, &[base, offset]) }
    }

    /// The address of an access through a descriptor, which depends on the size of the access.
    pub(super) fn descriptor(&mut self, ty: Type, builtin: Builtin, ids: &[u8]) -> Value {
        let args = self.values(ids);
        let known = |n: usize| args.get(n).and_then(|arg| arg.known).unwrap_or(0) as u32;
        let [first, second, third] = [0, 1, 2].map(|n| args.get(n).cloned().unwrap_or(Value::known(DWORD, 0)));
        let resource = self.context.uniform(&first);
        let second = self.context.row(&second);
        let address = if builtin == Builtin::ScalarBufferAddress {
            Addressing::ScalarBuffer { resource, offset: second }
        } else {
            let soffset = self.context.uniform(&third);
            let (idxen, offen) = (known(4) & 1 != 0, known(5) & 1 != 0);
            Addressing::Buffer { resource, vaddr: second, soffset, offset: known(3), idxen, offen }
        };
        Value { address: Some(address), ..Value::known(ty, 0) }
    }

    /// The address of a texel, or of those of a sample, which each lane computes from the resource, the sampler and its coordinates.
    pub(super) fn image_address(&mut self, ty: Type, ids: &[u8]) -> Value {
        self.image(ty, ids.first(), ids.get(3), Query::Texels)
    }

    /// The size of an image, or the level of detail of a sample: resource, coordinates and sampler.
    pub(super) fn image_query(&mut self, ids: &[u8], query: Query) -> Value {
        let address = self.image(DWORD, ids.first(), ids.get(2), query);
        let image = self.bound.image.map_or(1, |image| image.registers.max(1));
        let ty = Type::new(Class::Bits, 32, image);
        let data = self.context.temporary(ty);
        if let Some(address) = address.address {
            let lanes = self.in_lanes();
            let conversion = Conversion::None;
            let space = Space::Image;
            let access = Access {
                ty,
                space,
                address,
                data,
                destination: None,
                condition: None,
                lanes,
                atomic: false,
                conversion,
            };
            self.context.steps.push(Step::Load(Box::new(access)));
        }
        Value::rows(ty, data)
    }

    /// The address of an access to an image with a resource and a sampler.
    fn image(&mut self, ty: Type, resource: Option<&u8>, sampler: Option<&u8>, query: Query) -> Value {
        let Some(image) = self.bound.image else {
            self.context.fail("images of this generation are not emulated");
            return Value::known(ty, 0);
        };
        let [resource, sampler] = [resource, sampler].map(|id| {
            let value = self.value(*id?);
            Some(self.context.row(&value))
        });
        let image = Box::new(image);
        let address = Addressing::Image { resource: resource.unwrap_or(0), sampler, image, query };
        Value { address: Some(address), ..Value::known(ty, 0) }
    }

    /// LDS_DIRECT_LOAD: M0 holds the address in bits 15:0 and the data type in bits 18:16, which are unsigned byte, unsigned
    /// short, dword, nothing, signed byte and signed short.
    pub(super) fn lds_direct(&mut self, ty: Type, ids: &[u8]) -> Value {
        let number = |class, bits| Type::new(class, bits, 1);
        let m0 = match self.values(ids).first() {
            Some(m0) => m0.clone(),
            None => Value::known(DWORD, 0),
        };
        let m0 = core::slice::from_ref(&m0);
        let address = self.context.compute(OperationKind::Slice(0), number(Class::Unsigned, 16), m0);
        let kind = self.context.compute(OperationKind::Slice(16), number(Class::Unsigned, 3), m0);
        let data = self.context.temporary(DWORD);
        let address = Addressing::Sum(self.context.sum(&address));
        let access = Access {
            ty: DWORD,
            space: Space::Lds,
            address,
            data,
            destination: None,
            condition: None,
            lanes: self.in_lanes(),
            atomic: false,
            conversion: Conversion::None,
        };
        self.context.steps.push(Step::Load(Box::new(access)));
        let dword = Value::rows(DWORD, data);
        let forms = [(0, Class::Unsigned, 8), (1, Class::Unsigned, 16), (4, Class::Signed, 8), (5, Class::Signed, 16)];
        forms.into_iter().fold(Value { ty, ..dword.clone() }, |other, (code, class, bits)| {
            let part =
                self.context.compute(OperationKind::Slice(0), number(class, bits), core::slice::from_ref(&dword));
            let wide = self.context.compute(OperationKind::Cast, number(class, 32), &[part]);
            let wide = self.context.compute(OperationKind::Cast, ty, &[wide]);
            let code = Value::known(number(Class::Unsigned, 3), code);
            let is_it = self.context.compute(OperationKind::Binary(BinaryOp::Eq), Type::BOOL, &[kind.clone(), code]);
            self.context.compute(OperationKind::Select, ty, &[is_it, wide, other])
        })
    }

    /// The access that a body makes, with the format's address unless the body gives one.
    pub(super) fn access(
        &mut self,
        ty: Type,
        place: Place,
        address: Option<u8>,
        data: u16,
        condition: Option<&Value>,
    ) -> Access {
        let mut clause = None;
        for found in self.clauses.all {
            if let Clause::Address(of, space, field, code) = found
                && *of == place
                && field.is_none_or(|name| (self.bound.field)(name).is_some_and(|code| code & 1 != 0))
            {
                clause = Some((*space, code.clone()));
            }
        }
        let (space, address) = match (clause, address) {
            (Some((space, _)), Some(id)) => (space, self.value(id)),
            (Some((space, code)), None) => (space, fragment(self.context, self.bound, self.clauses, code, None)),
            (None, Some(id)) => {
                let space = if matches!(place, Place::Lds | Place::Lds1) { Space::Lds } else { Space::Global };
                (space, self.value(id))
            }
            (None, None) => {
                self.context.fail("its format does not say which address it accesses");
                (Space::Global, Value::known(DWORD, 0))
            }
        };
        let conversion = match (place, (self.bound.field)("format")) {
            (Place::Texel, Some(format)) => Conversion::Format(format),
            (Place::Texel, None) => Conversion::Resource,
            _ => Conversion::None,
        };
        let condition = condition.map(|value| self.context.row(value));
        let address = match address.address {
            Some(address) => address,
            None if space == Space::Scalar => Addressing::Sum(self.context.scalar_sum(&address)),
            None => Addressing::Sum(self.context.sum(&address)),
        };
        let lanes = self.in_lanes();
        Access { ty, space, address, data, destination: None, condition, lanes, atomic: false, conversion }
    }

    pub(super) fn load(&mut self, ty: Type, place: Place, address: Option<u8>) -> Value {
        // The mask of the instruction decides how many registers get components, and the type of the row is the largest.
        let ty = match self.bound.image {
            Some(image) => Type::new(Class::Bits, 32, image.registers.max(1)),
            None => ty,
        };
        let data = match &mut self.loads {
            Some(rows) if rows.len() >= usize::from(dwords(ty)) => {
                let first = rows.start;
                rows.start += dwords(ty);
                first
            }
            _ => self.context.temporary(ty),
        };
        let condition = self.transposing_lanes();
        let access = self.access(ty, place, address, data, condition.as_ref());
        if self.has(Builtin::LoadBlock) {
            for access in self.elements(&access) {
                self.context.steps.push(Step::Load(Box::new(access)));
            }
        } else {
            self.context.steps.push(Step::Load(Box::new(access)));
        }
        Value::rows(ty, data)
    }

    /// Whether the body calls a builtin.
    pub(super) fn has(&self, searched: Builtin) -> bool {
        self.bound.body.clone().any(|op| matches!(op, Op::Call { builtin, .. } if builtin == searched))
    }

    /// The accesses to the dwords of a block, each if its bit of M0 is 1.
    pub(super) fn elements(&mut self, access: &Access) -> Vec<Access> {
        let Addressing::Sum(sum) = access.address else {
            self.context.fail("a block of registers has an address of another kind");
            return Vec::new();
        };
        let mask = self.state(DWORD, State::M0);
        let mut all = Vec::new();
        for n in 0..dwords(access.ty) {
            let bit = self.mask_bit(&mask, n);
            let address = Addressing::Sum(Sum { offset: sum.offset.wrapping_add(4 * u64::from(n)), ..sum });
            let (data, condition) = (access.data.saturating_add(n), Some(self.context.row(&bit)));
            all.push(Access { ty: DWORD, address, data, condition, ..access.clone() });
        }
        all
    }

    fn mask_bit(&mut self, mask: &Value, n: u16) -> Value {
        let index = Value::known(Type::new(Class::Unsigned, 32, 1), n.into());
        self.context.compute(OperationKind::Bit, Type::BOOL, &[mask.clone(), index])
    }

    /// The dwords of a load whose bits of a mask are 1, and those of the old value elsewhere.
    pub(super) fn load_block(&mut self, ty: Type, ids: &[u8]) -> Value {
        let args = self.values(ids);
        let [mask, loaded, old] = args.as_slice() else { return Value::known(ty, 0) };
        let [loaded, old] = [loaded, old].map(|value| self.context.row(value));
        let dst = self.context.temporary(ty);
        for n in 0..dwords(ty) {
            let bit = self.mask_bit(mask, n);
            let rows = [loaded, old].map(|first| Value::rows(DWORD, first.saturating_add(n)));
            let [yes, no] = rows;
            let element = self.context.compute(OperationKind::Select, DWORD, &[bit, yes, no]);
            let element = self.context.row(&element);
            self.context.copy(element, dst.saturating_add(n));
        }
        Value::rows(ty, dst)
    }

    /// Whether a lane loads a part of a matrix that is transposed: lanes 32 to 63 do not. `None`: all lanes load.
    fn transposing_lanes(&mut self) -> Option<Value> {
        let transposes = |op| matches!(op, Op::Call { builtin: Builtin::TransposeB16 | Builtin::TransposeB8, .. });
        if !self.context.program.wave64 || !self.bound.body.clone().any(transposes) {
            return None;
        }
        let number = Type::new(Class::Unsigned, 32, 1);
        let dst = self.context.temporary(number);
        let (args, sources) = (Vec::new(), None);
        let lane = Cross { builtin: Builtin::LaneId, ty: number, args, dst, commits: false, sources };
        self.context.steps.push(Step::Cross(Box::new(lane)));
        let operands = [Value::rows(number, dst), Value::known(number, LANES as u128)];
        Some(self.context.compute(OperationKind::Binary(BinaryOp::Lt), Type::BOOL, &operands))
    }

    /// The end of an atomic: the operations since its start compute the new value for one lane after the other.
    pub(super) fn update(&mut self, ty: Type, begin: u8, value: u8) -> Value {
        let new = self.value(value);
        let value = self.context.row(&new);
        let Some((access, first)) = self.update.take() else {
            self.context.fail("its body is damaged");
            return Value::known(ty, 0);
        };
        let mut update = Update { access, operations: Vec::new(), scalar: Vec::new(), value };
        let between = self.context.steps.split_off(first.min(self.context.steps.len()));
        for step in between {
            match step {
                Step::Lanes(primitive) => update.operations.push(primitive),
                Step::Wave(primitive) => update.scalar.push(primitive),
                other => self.context.steps.push(other),
            }
        }
        self.context.steps.push(Step::Update(Box::new(update)));
        self.value(begin)
    }
}
