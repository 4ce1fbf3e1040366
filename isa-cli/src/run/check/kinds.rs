//! The value of `--check`: kinds of findings to look for, or to leave out.

use isa_exec::check::finding::{Kind, Kinds};

/// Reads `KIND,…`: the kinds, or with `-` before each, all kinds but these. The error says what is wrong.
pub fn parse(text: &str) -> Result<Kinds, String> {
    let has_chosen = text.split(',').any(|part| !part.starts_with('-'));
    let mut kinds = if has_chosen { Kinds::NONE } else { Kinds::ALL };
    for part in text.split(',').filter(|part| !part.starts_with('-')) {
        kinds = kinds.with(kind(part)?);
    }
    for part in text.split(',').filter_map(|part| part.strip_prefix('-')) {
        kinds = kinds.without(kind(part)?);
    }
    if kinds == Kinds::NONE { Err("no kind is left to look for".into()) } else { Ok(kinds) }
}

/// Returns the kind with a name. The error suggests a similar one.
pub fn kind(name: &str) -> Result<Kind, String> {
    Kind::from_name(name).ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name);
        let near = isa::nearest(names, name).map(|near| format!("; did you mean `{near}`?"));
        let help = || format!("; help: the kinds are {}", names.join(", "));
        format!("`{name}` is not a kind of finding{}", near.unwrap_or_else(help))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_chosen_or_left_out() {
        let (race, hazard) = (Kind::Race, Kind::Hazard);
        assert_eq!(parse("race"), Ok(Kinds::NONE.with(race)));
        assert_eq!(parse("race,hazard"), Ok(Kinds::NONE.with(race).with(hazard)));
        assert_eq!(parse("-race,-hazard"), Ok(Kinds::ALL.without(race).without(hazard)));
        assert_eq!(parse("-hazard,race,hazard"), Ok(Kinds::NONE.with(race)));
        for (text, part) in
            [("rase", "did you mean `race`?"), ("", "the kinds are out-of-bounds, "), ("race,-race", "no kind")]
        {
            assert!(parse(text).is_err_and(|error| error.contains(part)), "{text}");
        }
    }
}
