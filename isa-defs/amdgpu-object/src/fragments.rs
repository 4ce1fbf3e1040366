//! Bytes with fragments among them whose sizes depend on addresses: what assemblers lay out.
//!
//! An assembler appends bytes to a vector, and a variable fragment where the size of what follows is unknown: an alignment after
//! another one, a branch that may need its far form, a fill whose count is a distance. Layout computes the sizes from the addresses
//! that the last sizes give until none changes. [`Assembler`](crate::Assembler) and the crate `amdgpu-asm` do so.

/// A fragment whose size depends on addresses.
#[derive(Debug)]
pub struct VariableFragment<K> {
    /// What it holds.
    pub kind: K,
    offset: u64,
    number: u32,
    size: u64,
    before: u64,
}

impl<K> VariableFragment<K> {
    /// Returns the number of bytes before it, without those of variable fragments.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns its size in bytes, as the last round of layout computed it.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the size of the variable fragments before it.
    #[must_use]
    pub fn before(&self) -> u64 {
        self.before
    }

    /// Returns where it begins.
    #[must_use]
    pub fn begin(&self) -> u64 {
        self.offset + self.before
    }
}

/// The variable fragments among the bytes of a section.
///
/// The bytes between two of them are a fragment of fixed size. A position is the number of its fragment and the number of bytes before
/// it, so that it stays right while sizes change: [`size_before`](Self::size_before) has what to add.
#[derive(Debug)]
pub struct Fragments<K> {
    list: Vec<VariableFragment<K>>,
    current: u32,
}

impl<K> Default for Fragments<K> {
    fn default() -> Self {
        Self { list: Vec::new(), current: 0 }
    }
}

impl<K> Fragments<K> {
    /// Returns the number of the fragment of fixed size that bytes are appended to.
    #[must_use]
    pub fn current(&self) -> u32 {
        self.current
    }

    /// Begins another fragment of fixed size, although what is before it has a known size.
    pub fn end_fragment(&mut self) {
        self.current += 1;
    }

    /// Appends a variable fragment after this number of bytes. Its size is 0 until the first round of layout.
    pub fn push(&mut self, offset: u64, kind: K) {
        self.list.push(VariableFragment { kind, offset, number: self.current, size: 0, before: 0 });
        self.current += 1;
    }

    /// Returns the variable fragments.
    pub fn iter(&self) -> std::slice::Iter<'_, VariableFragment<K>> {
        self.list.iter()
    }

    /// Returns what the variable fragments hold.
    pub fn kinds_mut(&mut self) -> impl Iterator<Item = &mut K> {
        self.list.iter_mut().map(|fragment| &mut fragment.kind)
    }

    /// Returns the number of variable fragments.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether all fragments are of fixed size.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the size of the variable fragments before a fragment.
    #[must_use]
    pub fn size_before(&self, fragment: u32) -> u64 {
        let before = self.list.partition_point(|variable| variable.number < fragment);
        before.checked_sub(1).and_then(|last| self.list.get(last)).map_or(0, |last| last.before + last.size)
    }

    /// Returns the size of all variable fragments.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size_before(u32::MAX)
    }

    /// Sets the sizes. Returns whether any fragment has moved or has another size.
    pub fn resize(&mut self, sizes: impl IntoIterator<Item = u64>) -> bool {
        let mut has_changed = false;
        let mut before = 0;
        for (fragment, size) in self.list.iter_mut().zip(sizes) {
            has_changed |= fragment.size != size || fragment.before != before;
            (fragment.size, fragment.before) = (size, before);
            before += size;
        }
        has_changed
    }

    /// Appends the bytes of all fragments to `out`: those of fixed size from `bytes`, the others from a function.
    pub fn write(&self, bytes: &[u8], out: &mut Vec<u8>, mut variable: impl FnMut(&VariableFragment<K>, &mut Vec<u8>)) {
        let mut copied = 0;
        for fragment in &self.list {
            let end = fragment.offset as usize;
            out.extend_from_slice(bytes.get(copied..end).unwrap_or_default());
            copied = end;
            variable(fragment, out);
        }
        out.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_stay_while_sizes_change() {
        let mut fragments = Fragments::default();
        fragments.push(2, 'a');
        let between = fragments.current();
        fragments.end_fragment();
        fragments.push(3, 'b');
        assert!(fragments.resize([4, 1]) && !fragments.resize([4, 1]));
        assert_eq!(
            [0, between, between + 1, fragments.current()].map(|number| fragments.size_before(number)),
            [0, 4, 4, 5]
        );
        let mut out = Vec::new();
        fragments.write(b"1234", &mut out, |fragment, out| {
            assert_eq!(fragment.begin(), out.len() as u64);
            out.extend(std::iter::repeat_n(fragment.kind as u8, fragment.size() as usize));
        });
        assert_eq!(out, b"12aaaa3b4");
        assert!(fragments.resize([0, 1]));
        assert_eq!((fragments.size(), fragments.len()), (1, 2));
    }
}
