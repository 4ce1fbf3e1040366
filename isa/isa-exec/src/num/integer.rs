//! Bit fields, counts, scans, sums of absolute differences, byte permutations.

/// The bytes of two words, pairwise from the lowest.
fn byte_pairs(a: u32, b: u32) -> impl Iterator<Item = (u8, u8)> {
    a.to_le_bytes().into_iter().zip(b.to_le_bytes())
}

/// `width` bits of `value` from bit `offset` on, zero-extended.
#[must_use]
pub const fn bfe_u64(value: u64, offset: u32, width: u32) -> u64 {
    let shifted = if offset >= 64 { 0 } else { value >> offset };
    if width >= 64 { shifted } else { shifted & ((1 << width) - 1) }
}

/// `width` bits of `value` from bit `offset` on, sign-extended. Bits beyond the top repeat the sign.
#[must_use]
pub const fn bfe_i64(value: i64, offset: u32, width: u32) -> i64 {
    let shifted = value >> if offset >= 63 { 63 } else { offset };
    match width {
        0 => 0,
        1..64 => shifted << (64 - width) >> (64 - width),
        _ => shifted,
    }
}

/// `width` bits of `value` from bit `offset` on, zero-extended.
#[must_use]
pub const fn bfe_u32(value: u32, offset: u32, width: u32) -> u32 {
    bfe_u64(value as u64, offset, width) as u32
}

/// `width` bits of `value` from bit `offset` on, sign-extended.
#[must_use]
pub const fn bfe_i32(value: i32, offset: u32, width: u32) -> i32 {
    bfe_i64(value as i64, offset, width) as i32
}

/// The lowest `width` bits of a value in reverse order.
#[must_use]
pub const fn bitrev(value: u64, width: u32) -> u64 {
    value.reverse_bits() >> (64 - width)
}

/// The number of zeros above the highest 1 of the lowest `width` bits; -1 if all are 0.
#[must_use]
pub const fn clz(value: u64, width: u32) -> i32 {
    let value = value << (64 - width);
    if value == 0 { -1 } else { value.leading_zeros() as i32 }
}

/// The number of zeros below the lowest 1; -1 if there is none.
#[must_use]
pub const fn ctz(value: u64) -> i32 {
    if value == 0 { -1 } else { value.trailing_zeros() as i32 }
}

/// The number of highest bits that equal the sign, itself included; -1 if all of the lowest `width` bits do.
#[must_use]
pub const fn cls(value: u64, width: u32) -> i32 {
    let value = (value << (64 - width)) as i64;
    let differ = (value ^ (value >> 63)) as u64 >> (64 - width) << (64 - width);
    if differ == 0 { -1 } else { differ.leading_zeros() as i32 }
}

/// For each group of four bits, four ones if one of them is 1 (whole quad mode).
#[must_use]
pub const fn wqm(mask: u64) -> u64 {
    const LOWEST: u64 = 0x1111_1111_1111_1111;
    ((mask | mask >> 1 | mask >> 2 | mask >> 3) & LOWEST) * 0xF
}

/// One bit for each group of four bits: whether one of them is 1.
#[must_use]
pub const fn quadmask(mask: u64) -> u64 {
    let any = wqm(mask);
    let mut result = 0;
    let mut quad = 0;
    while quad < 16 {
        result |= (any >> (4 * quad) & 1) << quad;
        quad += 1;
    }
    result
}

/// 32 bits of the concatenation `high:low`, from bit `shift` modulo 32 on.
#[must_use]
pub const fn alignbit(high: u32, low: u32, shift: u32) -> u32 {
    (((high as u64) << 32 | low as u64) >> (shift & 31)) as u32
}

/// V_PERM_B32: four bytes of `high:low` or constants, each selected by a byte: 0 to 7 a byte, 8 to 11 the sign of byte 1, 3, 5
/// or 7, 12 the byte 0, above 12 the byte 0xFF.
#[must_use]
pub fn byte_perm(high: u32, low: u32, selectors: u32) -> u32 {
    let bytes = (u64::from(high) << 32 | u64::from(low)).to_le_bytes();
    let byte = |at: u8| bytes.get(usize::from(at)).copied().unwrap_or(0);
    u32::from_le_bytes(selectors.to_le_bytes().map(|selector| match selector {
        0..=7 => byte(selector),
        8..=11 => (byte(selector * 2 - 15) as i8 >> 7) as u8,
        12 => 0,
        _ => 0xFF,
    }))
}

/// The byte-wise average of two words, rounded up where the lowest bit of the third word's byte is 1.
#[must_use]
pub fn lerp_u8(a: u32, b: u32, round: u32) -> u32 {
    let [a, b, round] = [a, b, round].map(u32::to_le_bytes);
    let byte = |at: usize| ((u16::from(a[at]) + u16::from(b[at]) + u16::from(round[at] & 1)) >> 1) as u8;
    u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)])
}

/// The sum of the absolute differences of four bytes, plus `sum`.
#[must_use]
pub fn sad_u8(a: u32, b: u32, sum: u32) -> u32 {
    byte_pairs(a, b).fold(sum, |sum, (a, b)| sum.wrapping_add(u32::from(a.abs_diff(b))))
}

/// The same in the upper half of the sum.
#[must_use]
pub fn sad_hi_u8(a: u32, b: u32, sum: u32) -> u32 {
    (sad_u8(a, b, 0) << 16).wrapping_add(sum)
}

/// The sum of the absolute differences of two halves, plus `sum`.
#[must_use]
pub const fn sad_u16(a: u32, b: u32, sum: u32) -> u32 {
    let low = (a as u16).abs_diff(b as u16) as u32;
    let high = ((a >> 16) as u16).abs_diff((b >> 16) as u16) as u32;
    sum.wrapping_add(low).wrapping_add(high)
}

/// The absolute difference plus `sum`.
#[must_use]
pub const fn sad_u32(a: u32, b: u32, sum: u32) -> u32 {
    a.abs_diff(b).wrapping_add(sum)
}

/// [`sad_u8`] without the bytes that are 0 in the second word.
#[must_use]
pub fn msad_u8(a: u32, b: u32, sum: u32) -> u32 {
    let counted = byte_pairs(a, b).filter(|(_, b)| *b != 0);
    counted.fold(sum, |sum, (a, b)| sum.wrapping_add(u32::from(a.abs_diff(b))))
}

/// The four words of eight bytes that begin at byte 0, 1, 2 and 3.
fn windows(bytes: u64) -> [u32; 4] {
    [0, 8, 16, 24].map(|shift| (bytes >> shift) as u32)
}

/// Packs four 16-bit sums.
fn quad_sums(bytes: u64, reference: u32, sums: u64, sad: impl Fn(u32, u32, u32) -> u32) -> u64 {
    windows(bytes).into_iter().enumerate().fold(0, |packed, (at, window)| {
        let sum = u64::from(sad(window, reference, (sums >> (16 * at)) as u32 & 0xFFFF) as u16);
        packed | sum << (16 * at)
    })
}

/// Four sums of absolute differences of four bytes at consecutive positions, in 16 bits each.
#[must_use]
pub fn qsad_pk_u16_u8(bytes: u64, reference: u32, sums: u64) -> u64 {
    quad_sums(bytes, reference, sums, sad_u8)
}

/// [`qsad_pk_u16_u8`] of [`msad_u8`].
#[must_use]
pub fn mqsad_pk_u16_u8(bytes: u64, reference: u32, sums: u64) -> u64 {
    quad_sums(bytes, reference, sums, msad_u8)
}

/// Four sums of [`msad_u8`] in 32 bits each.
#[must_use]
pub fn mqsad_u32_u8(bytes: u64, reference: u32, sums: u128) -> u128 {
    windows(bytes).into_iter().enumerate().fold(0, |packed, (at, window)| {
        packed | u128::from(msad_u8(window, reference, (sums >> (32 * at)) as u32)) << (32 * at)
    })
}
