//! Kinds of findings to look for, or to leave out, as users write them.

use isa_exec::check::finding::{Kind, Kinds};

use crate::error::ReportError;

/// Reads `KIND,…`: the kinds, or with `-` before each, all kinds but these.
///
/// # Errors
/// A name is not that of a kind, or no kind is left.
pub fn parse_kinds(text: &str) -> Result<Kinds, ReportError> {
    let has_chosen = text.split(',').any(|part| !part.starts_with('-'));
    let mut kinds = if has_chosen { Kinds::NONE } else { Kinds::ALL };
    for part in text.split(',').filter(|part| !part.starts_with('-')) {
        kinds = kinds.with(kind(part)?);
    }
    for part in text.split(',').filter_map(|part| part.strip_prefix('-')) {
        kinds = kinds.without(kind(part)?);
    }
    if kinds == Kinds::NONE { Err(ReportError::NoKinds) } else { Ok(kinds) }
}

/// Returns the kind with a name. The error suggests a similar one.
pub(super) fn kind(name: &str) -> Result<Kind, ReportError> {
    Kind::from_name(name).ok_or_else(|| {
        let similar = isa::nearest(Kind::ALL.map(Kind::name), name).and_then(Kind::from_name);
        ReportError::UnknownKind { name: name.to_owned(), similar }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_chosen_or_left_out() {
        let (race, hazard) = (Kind::Race, Kind::Hazard);
        assert_eq!(parse_kinds("race"), Ok(Kinds::NONE.with(race)));
        assert_eq!(parse_kinds("race,hazard"), Ok(Kinds::NONE.with(race).with(hazard)));
        assert_eq!(parse_kinds("-race,-hazard"), Ok(Kinds::ALL.without(race).without(hazard)));
        assert_eq!(parse_kinds("-hazard,race,hazard"), Ok(Kinds::NONE.with(race)));
        for (text, part) in
            [("rase", "did you mean `race`?"), ("", "the kinds are out-of-bounds, "), ("race,-race", "no kind")]
        {
            assert!(parse_kinds(text).is_err_and(|error| error.to_string().contains(part)), "{text}");
        }
    }
}
