//! Compressed bundles (CCOB), and decompression with bounds.

use std::io::Read;

use flate2::bufread::ZlibDecoder;
use ruzstd::decoding::StreamingDecoder;

use crate::bytes::Fields;
use crate::damage::Reason;
use crate::method::{Method, ZSTD_MAGIC};

/// The first bytes of a compressed bundle.
pub const MAGIC: &[u8] = b"CCOB";

/// The header of a compressed bundle.
pub struct CompressedHeader {
    pub version: u16,
    pub method: Method,
    /// The size of the header in bytes.
    pub header: u64,
    /// The size of the compressed bundle in bytes, with the header. Version 1 does not state it.
    pub total: Option<u64>,
    /// The decompressed size in bytes.
    pub size: u64,
}

impl CompressedHeader {
    /// Reads the header of a compressed bundle.
    pub fn parse(bytes: &[u8]) -> Result<Self, Reason> {
        let short = || Reason::Truncated { part: "the header".into(), end: None, have: bytes.len() as u64 };
        let mut fields = Fields(bytes.get(MAGIC.len()..).unwrap_or_default());
        let version = fields.u16().ok_or_else(short)?;
        let method = match fields.u16().ok_or_else(short)? {
            0 => Method::Zlib,
            1 => Method::Zstd,
            method => return Err(Reason::Method { method }),
        };
        let (total, size) = match version {
            1 => (None, fields.u32().map(u64::from)),
            2 => (Some(fields.u32().map(u64::from)), fields.u32().map(u64::from)),
            3 => (Some(fields.u64()), fields.u64()),
            _ => return Err(Reason::Version { version: version.into() }),
        };
        let total = total.map(|total| total.ok_or_else(short)).transpose()?;
        let size = size.ok_or_else(short)?;
        // A part of the MD5 sum of the decompressed bytes, which LLVM does not look at either.
        fields.u64().ok_or_else(short)?;
        Ok(Self { version, method, header: (bytes.len() - fields.0.len()) as u64, total, size })
    }
}

/// Decompresses bytes that should expand to `claimed` bytes, of which there may be at most `limit`. Returns them and the number of
/// compressed bytes that they take.
pub fn decompress(method: Method, compressed: &[u8], claimed: u64, limit: u64) -> Result<(Vec<u8>, usize), Reason> {
    if claimed > method.most(compressed.len() as u64) {
        return Err(Reason::Claim { claimed, compressed: compressed.len() as u64 });
    }
    if claimed > limit {
        return Err(Reason::TooLarge { claimed, limit });
    }
    let damaged = |message: String| Reason::Stream { message };
    let mut rest = compressed;
    // It grows with the bytes that arrive, not by the claim.
    let mut out = Vec::new();
    match method {
        Method::Zlib => {
            let mut decoder = ZlibDecoder::new(&mut rest).take(claimed + 1);
            decoder.read_to_end(&mut out).map_err(|error| damaged(error.to_string()))?;
        }
        // A stream may consist of several frames.
        Method::Zstd => loop {
            // The window of a frame is not larger than its contents, but for small ones.
            let window = claimed.next_power_of_two().max(1 << 17);
            let before = (out.len(), rest.len());
            let decoder = StreamingDecoder::new_with_max_window_size(&mut rest, window);
            let decoder = decoder.map_err(|error| damaged(error.to_string()))?;
            let left = (claimed + 1).saturating_sub(out.len() as u64);
            decoder.take(left).read_to_end(&mut out).map_err(|error| damaged(error.to_string()))?;
            let is_stuck = (out.len(), rest.len()) == before;
            if is_stuck || out.len() as u64 >= claimed || !rest.starts_with(&ZSTD_MAGIC) {
                break;
            }
        },
    }
    let found = out.len() as u64;
    if found != claimed {
        return Err(Reason::Size { claimed, found });
    }
    Ok((out, compressed.len() - rest.len()))
}
