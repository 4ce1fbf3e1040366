//! Conversions at the border: pointers and sizes of the caller to slices, references and places to write to, and back.
//!
//! The functions check what can be checked: NULL, alignment, and sizes beyond the address space. The rest is the contract of the header:
//! memory is valid, as large as stated, and not changed by others while a function runs.

use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;

use crate::status::{Failure, isa_error, isa_status};

/// A type that C may fill with any bits.
///
/// # Safety
/// Every bit pattern of the type's size, also padding, is a valid value, and the type is `repr(C)` or a primitive.
pub(crate) unsafe trait Plain: Copy {}

// SAFETY: numbers are valid with any bits.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for u16 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: a raw pointer is valid with any bits as long as nobody follows it.
unsafe impl Plain for *const c_char {}

/// A struct that begins with its size as a `uint32_t` and may grow.
pub(crate) trait Sized32: Plain {
    /// The size in the first version of the library.
    const FIRST: usize;
}

/// Larger sizes are not sizes of a struct of this library.
const MAX_STRUCT: usize = 4096;

/// Runs the body of a function, and converts its failure or its panic to a status and an error.
pub(crate) fn guard(error: OutError, body: impl FnOnce() -> Result<(), Failure>) -> isa_status {
    let failure = match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => return isa_status::Ok,
        Ok(Err(failure)) => failure,
        Err(_) => Failure::new(isa_status::Internal, "the library has a bug: it has panicked"),
    };
    let status = failure.status;
    error.set(failure);
    status
}

/// Runs the body of a function that returns a number, 0 if it fails.
pub(crate) fn number(body: impl FnOnce() -> Result<usize, Failure>) -> usize {
    catch_unwind(AssertUnwindSafe(body)).ok().and_then(Result::ok).unwrap_or(0)
}

fn null(what: &str) -> Failure {
    Failure::new(isa_status::NullPointer, format!("{what} is NULL"))
}

/// Checks a pointer to `count` values.
fn checked<T>(pointer: *const T, count: usize, what: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(null(what));
    }
    if !pointer.is_aligned() {
        return Err(Failure::invalid(format!("{what} is not aligned")));
    }
    match count.checked_mul(size_of::<T>()) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok(()),
        _ => Err(Failure::invalid(format!("{what} is larger than the address space"))),
    }
}

/// Returns the values that a pointer points to. NULL is allowed for none.
///
/// # Safety
/// The pointer is NULL or points to `count` values, which do not change while `'a` lasts.
pub(crate) unsafe fn slice<'a, T: Plain>(
    pointer: *const T,
    count: usize,
    what: &'static str,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    checked(pointer, count, what)?;
    // SAFETY: the pointer is not NULL and aligned, the size fits the address space; the rest is the caller's. Any bits are valid.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Returns text with a length. NULL is allowed for none.
///
/// # Safety
/// As for [`slice`].
pub(crate) unsafe fn text<'a>(pointer: *const c_char, size: usize, what: &'static str) -> Result<&'a str, Failure> {
    // SAFETY: the caller's.
    let bytes = unsafe { slice(pointer.cast::<u8>(), size, what) }?;
    str::from_utf8(bytes).map_err(|error| Failure::invalid(format!("{what} is not UTF-8: {error}")))
}

/// Returns text that ends with 0, or `None` for NULL.
///
/// # Safety
/// The pointer is NULL or points to text that ends with 0 and does not change while `'a` lasts.
pub(crate) unsafe fn optional_name<'a>(pointer: *const c_char, what: &'static str) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(Some).map_err(|error| Failure::invalid(format!("{what} is not UTF-8: {error}")))
}

/// Returns text that ends with 0.
///
/// # Safety
/// As for [`optional_name`].
pub(crate) unsafe fn name<'a>(pointer: *const c_char, what: &'static str) -> Result<&'a str, Failure> {
    // SAFETY: the caller's.
    unsafe { optional_name(pointer, what) }?.ok_or_else(|| null(what))
}

/// Returns what a handle or another pointer to one value points to.
///
/// # Safety
/// The pointer is NULL or points to a value that does not change while `'a` lasts.
pub(crate) unsafe fn handle<'a, T>(pointer: *const T) -> Result<&'a T, Failure> {
    checked(pointer, 1, "a handle or instruction")?;
    // SAFETY: the pointer is not NULL and aligned; the rest is the caller's.
    Ok(unsafe { &*pointer })
}

/// Frees a handle; NULL is allowed.
///
/// # Safety
/// The pointer is NULL or comes from [`OutHandle::set`] or [`OutError::set`], and nobody uses it any more.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: the caller's. A destructor that panics must not unwind into C.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(pointer) })));
    }
}

/// Returns a copy of a struct with options; the defaults for NULL.
///
/// # Safety
/// The pointer is NULL or points to a number that is the size of the memory there, if it is between the first size of the struct and 4096.
pub(crate) unsafe fn options<T: Sized32>(pointer: *const T, what: &'static str) -> Result<T, Failure> {
    let mut copy = MaybeUninit::<T>::zeroed();
    if !pointer.is_null() {
        checked(pointer, 1, what)?;
        // SAFETY: the struct begins with its size; the caller's.
        let size = unsafe { *pointer.cast::<u32>() } as usize;
        check_size::<T>(size, what)?;
        let known = size.min(size_of::<T>());
        // SAFETY: `size` bytes are readable, the caller's; `known` bytes are writable.
        unsafe { ptr::copy_nonoverlapping(pointer.cast::<u8>(), copy.as_mut_ptr().cast(), known) };
        // SAFETY: `size` bytes are readable, the caller's.
        let rest = unsafe { slice(pointer.cast::<u8>().wrapping_add(known), size - known, what) }?;
        if rest.iter().any(|byte| *byte != 0) {
            return Err(version(what, size));
        }
    }
    // SAFETY: all bits are valid.
    Ok(unsafe { copy.assume_init() })
}

fn check_size<T: Sized32>(size: usize, what: &str) -> Result<(), Failure> {
    if (T::FIRST..=MAX_STRUCT).contains(&size) { Ok(()) } else { Err(version(what, size)) }
}

fn version(what: &str, size: usize) -> Failure {
    let message = format!("{what} has the size {size}, which this version of the library does not know");
    Failure { help: Some("set `size` to sizeof of the struct".into()), ..Failure::new(isa_status::Version, message) }
}

/// Checks the size of the elements of an array that the caller passes.
pub(crate) fn check_element<T>(size: usize, what: &str) -> Result<(), Failure> {
    if size == size_of::<T>() { Ok(()) } else { Err(version(what, size)) }
}

/// A place for an error.
#[derive(Debug)]
pub(crate) struct OutError(*mut *mut isa_error);

impl OutError {
    /// No place.
    pub const fn none() -> Self {
        Self(ptr::null_mut())
    }

    /// Sets the place to NULL.
    ///
    /// # Safety
    /// The pointer is NULL or valid for writes until the value is dropped.
    pub unsafe fn new(place: *mut *mut isa_error) -> Self {
        if place.is_null() || !place.is_aligned() {
            return Self::none();
        }
        // SAFETY: the caller's.
        unsafe { place.write(ptr::null_mut()) };
        Self(place)
    }

    fn set(self, failure: Failure) {
        if !self.0.is_null() {
            // SAFETY: `new` has written to the place, which is still valid.
            unsafe { self.0.write(Box::into_raw(Box::new(failure.into_error()))) };
        }
    }
}

/// A place for a handle.
#[derive(Debug)]
pub(crate) struct OutHandle<T>(*mut *mut T);

impl<T> OutHandle<T> {
    /// Sets the place to NULL.
    ///
    /// # Safety
    /// The pointer is NULL or valid for writes until the value is dropped.
    pub unsafe fn new(place: *mut *mut T) -> Result<Self, Failure> {
        checked(place, 1, "the place of the handle")?;
        // SAFETY: not NULL and aligned; the caller's.
        unsafe { place.write(ptr::null_mut()) };
        Ok(Self(place))
    }

    /// Gives a handle to the caller.
    pub fn set(self, value: T) {
        // SAFETY: `new` has written to the place, which is still valid.
        unsafe { self.0.write(Box::into_raw(Box::new(value))) };
    }
}

/// A place for a value.
#[derive(Debug)]
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// Sets the place to a first value.
    ///
    /// # Safety
    /// The pointer is NULL or valid for writes until the value is dropped.
    pub unsafe fn new(place: *mut T, first: T, what: &'static str) -> Result<Self, Failure> {
        checked(place, 1, what)?;
        // SAFETY: not NULL and aligned; the caller's.
        unsafe { place.write(first) };
        Ok(Self(place))
    }

    /// Writes the value.
    pub fn set(&self, value: T) {
        // SAFETY: `new` has written to the place, which is still valid.
        unsafe { self.0.write(value) };
    }
}

/// A place for a struct that begins with its size.
#[derive(Debug)]
pub(crate) struct OutStruct<T> {
    place: *mut T,
    size: usize,
}

impl<T: Sized32> OutStruct<T> {
    /// Reads the size of the struct.
    ///
    /// # Safety
    /// The pointer is NULL or points to a number that is the size of the memory there, if it is between the first size of the struct and
    /// 4096. The memory is valid for writes until the value is dropped.
    pub unsafe fn new(place: *mut T) -> Result<Self, Failure> {
        checked(place, 1, "the struct to fill")?;
        // SAFETY: the struct begins with its size; the caller's.
        let size = unsafe { *place.cast::<u32>() } as usize;
        check_size::<T>(size, "the struct to fill")?;
        Ok(Self { place, size })
    }

    /// Writes the members that the caller knows; the size stays.
    pub fn write(self, value: T) {
        let known = self.size.min(size_of::<T>());
        let (from, to) = ((&raw const value).cast::<u8>(), self.place.cast::<u8>());
        // SAFETY: both have `known` bytes, which is at least the 4 of the size; the structs do not overlap, since `value` is on our stack.
        unsafe { ptr::copy_nonoverlapping(from.add(4), to.add(4), known - 4) };
    }
}

/// An array of the caller's, which may be uninitialised.
///
/// # Safety
/// The pointer is NULL or points to `count` elements that are valid for writes while `'a` lasts, and that nobody else uses.
pub(crate) unsafe fn out_slice<'a, T: Plain>(
    pointer: *mut T,
    count: usize,
    what: &'static str,
) -> Result<&'a mut [MaybeUninit<T>], Failure> {
    if count == 0 {
        return Ok(&mut []);
    }
    checked(pointer, count, what)?;
    // SAFETY: the pointer is not NULL and aligned, the size fits the address space; the rest is the caller's. Nothing is read.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast::<MaybeUninit<T>>(), count) })
}

/// Writes text into a buffer with a terminating 0, as snprintf does. Returns the length of the whole text.
pub(crate) fn write_text(text: &str, buffer: &mut [MaybeUninit<u8>]) -> usize {
    if let Some(most) = buffer.len().checked_sub(1) {
        let text = text.get(..text.floor_char_boundary(most)).unwrap_or_default();
        let bytes = text.bytes().chain([0]);
        buffer.iter_mut().zip(bytes).for_each(|(to, byte)| {
            to.write(byte);
        });
    }
    text.len()
}

/// Writes text into a buffer of the caller's.
///
/// # Safety
/// As for [`out_slice`].
pub(crate) unsafe fn out_text<'a>(buffer: *mut c_char, capacity: usize) -> Result<&'a mut [MaybeUninit<u8>], Failure> {
    // SAFETY: the caller's.
    unsafe { out_slice(buffer.cast::<u8>(), capacity, "the buffer") }
}

/// Returns a pointer to text, or NULL.
pub(crate) fn optional(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}

/// Returns an element of a list.
pub(crate) fn element<T>(list: &[T], index: usize) -> Result<&T, Failure> {
    list.get(index).ok_or_else(|| {
        let message = format!("the index {index} is out of range: there are {}", list.len());
        Failure::new(isa_status::OutOfRange, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A struct of a second version: the first one ended with `first`.
    #[repr(C)]
    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Grown {
        size: u32,
        first: u32,
        second: u64,
    }

    // SAFETY: numbers without padding; the first is the size.
    unsafe impl Plain for Grown {}
    impl Sized32 for Grown {
        const FIRST: usize = 8;
    }

    /// A struct of a version that this library does not know.
    #[repr(C)]
    struct Future {
        known: Grown,
        unknown: u64,
    }

    fn future(size: u32, unknown: u64) -> Future {
        Future { known: Grown { size, first: 1, second: 2 }, unknown }
    }

    fn read(options: &Future) -> Result<Grown, isa_status> {
        // SAFETY: the memory has 24 bytes, and the sizes of the tests are at most that or are refused.
        unsafe { super::options((&raw const *options).cast::<Grown>(), "options") }.map_err(|failure| failure.status)
    }

    #[test]
    fn options_of_other_versions_are_read_as_far_as_they_are_known() {
        assert_eq!(read(&future(8, 0)), Ok(Grown { size: 8, first: 1, second: 0 }), "an older program");
        assert_eq!(read(&future(16, 9)), Ok(Grown { size: 16, first: 1, second: 2 }));
        assert_eq!(read(&future(24, 0)).map(|options| options.second), Ok(2), "a newer program");
        assert_eq!(read(&future(24, 9)), Err(isa_status::Version), "it sets what this library does not know");
        for size in [0, 4, 7, MAX_STRUCT as u32 + 1, u32::MAX] {
            assert_eq!(read(&future(size, 0)), Err(isa_status::Version), "{size}");
        }
        // SAFETY: NULL is allowed.
        let defaults = unsafe { options::<Grown>(ptr::null(), "options") };
        assert_eq!(defaults.ok(), Some(Grown { size: 0, first: 0, second: 0 }));
    }

    #[test]
    fn structs_of_other_versions_are_filled_as_far_as_the_caller_knows_them() {
        let value = Grown { size: 0, first: 5, second: 6 };
        for (size, second, unknown) in [(8, 2, 9), (16, 6, 9), (24, 6, 9)] {
            let mut place = future(size, 9);
            // SAFETY: the memory has 24 bytes.
            let out = unsafe { OutStruct::new((&raw mut place).cast::<Grown>()) };
            out.map_err(|failure| failure.message).expect("a size of a version").write(value);
            assert_eq!((place.known, place.unknown), (Grown { size, first: 5, second }, unknown));
        }
        let mut place = future(7, 0);
        // SAFETY: as above.
        assert!(unsafe { OutStruct::new((&raw mut place).cast::<Grown>()) }.is_err());
    }

    fn status(result: Result<&[u32], Failure>) -> Result<&[u32], isa_status> {
        result.map_err(|failure| failure.status)
    }

    #[test]
    fn pointers_are_checked() {
        let words = [1_u32, 2];
        // SAFETY: NULL, pointers into the array, and sizes that are refused.
        unsafe {
            assert_eq!(status(slice(ptr::null(), 0, "words")), Ok(&[][..]));
            assert_eq!(status(slice(ptr::null(), 1, "words")), Err(isa_status::NullPointer));
            assert_eq!(status(slice(words.as_ptr(), 2, "words")), Ok(&words[..]));
            assert_eq!(status(slice(words.as_ptr(), usize::MAX / 4, "words")), Err(isa_status::InvalidArgument));
            let odd = words.as_ptr().byte_add(1);
            assert_eq!(status(slice(odd, 1, "words")), Err(isa_status::InvalidArgument));
            assert!(
                name(ptr::null(), "name").is_err() && optional_name(ptr::null(), "name").is_ok_and(|n| n.is_none())
            );
            assert!(text(c"\xFF".as_ptr(), 1, "text").is_err());
        }
    }

    #[test]
    fn text_is_written_as_snprintf_does() {
        for (capacity, written) in [(0, &b""[..]), (1, b"\0"), (3, b"a\0"), (4, b"a\xC3\xA4\0"), (9, b"a\xC3\xA4b\0")] {
            let mut buffer = [MaybeUninit::new(0xEE); 9];
            assert_eq!(write_text("a\u{e4}b", &mut buffer[..capacity]), 4);
            // SAFETY: all bytes are initialised.
            let bytes = buffer.map(|byte| unsafe { byte.assume_init() });
            assert!(bytes.starts_with(written), "{capacity}: {bytes:?}");
            assert!(bytes[written.len()..].iter().all(|byte| *byte == 0xEE), "{capacity}: {bytes:?}");
        }
    }

    #[test]
    fn panics_do_not_cross_the_border() {
        let mut error = ptr::null_mut();
        // SAFETY: the place lives until the end of the test.
        let place = unsafe { OutError::new(&mut error) };
        assert_eq!(guard(place, || panic!("on purpose")), isa_status::Internal);
        assert!(!error.is_null());
        // SAFETY: the handle comes from `guard`.
        unsafe { free(error) };
        assert_eq!(number(|| panic!("on purpose")), 0);
    }
}
