//! Messages that S_SENDMSG and its relatives send (guide §5.3).

use super::{__CALL_MESSAGECODE, __CALL_RDNA4MESSAGECODE};
use crate::Features;

/// Messages that have a name in LLVM's text only.
const UNLISTED: [u8; 3] = [0x05, 0x06, 0x86];

/// Returns whether the guide of a generation lists a message, among those that return a value or among the others.
pub(crate) fn is_listed_message(features: &Features, id: u8, returns: bool) -> bool {
    (features.message_name)(id).is_some() && !UNLISTED.contains(&id) && (id >= 0x80) == returns
}

/// The name of a message, if it has one.
#[must_use]
pub fn message_name(id: u8) -> Option<&'static str> {
    __CALL_MESSAGECODE.name_of(id.into())
}

/// The name of a message of RDNA4, if it has one.
#[must_use]
pub fn rdna4_message_name(id: u8) -> Option<&'static str> {
    __CALL_RDNA4MESSAGECODE.name_of(id.into())
}
