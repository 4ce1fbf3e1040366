//! Functions of two operators in a row, which keep the value between them in processor registers.

use crate::operation::Link;
use crate::primitive::{Env, Function, Primitive};
use crate::rows::{File, Row};

/// An operator as a type, so that the compiler makes a loop for each pair.
trait Operator {
    const LINK: Link;
    const SHIFTS: bool = matches!(Self::LINK, Link::Shl | Link::Shr);
}

macro_rules! operators {
    ($($name:ident)*) => {
        $(struct $name;

        impl Operator for $name {
            const LINK: Link = Link::$name;
        })*

        /// The function of two operators.
        pub(crate) fn chain<R: Row>(first: Link, second: Link) -> Function<R> {
            match first {
                $(Link::$name => second_of::<R, $name, false>(second),)*
            }
        }

        /// The function of two operators of which one at least is a shift, by counts that are the same in all lanes.
        pub(crate) fn uniform_chain<R: Row>(first: Link, second: Link) -> Option<Function<R>> {
            let shifts = |link| matches!(link, Link::Shl | Link::Shr);
            match first {
                _ if !shifts(first) && !shifts(second) => None,
                $(Link::$name => Some(second_of::<R, $name, true>(second)),)*
            }
        }

        fn second_of<R: Row, First: Operator, const UNIFORM: bool>(second: Link) -> Function<R> {
            match second {
                $(Link::$name => run::<R, First, $name, UNIFORM>,)*
            }
        }
    };
}

operators! { Add Sub Mul And Or Xor Shl Shr }

fn run<R: Row, First: Operator, Second: Operator, const UNIFORM: bool>(
    file: &mut File<R>,
    p: &Primitive<R>,
    env: &Env,
    dst: u16,
) {
    env.units.run_rows::<R, _>(
        #[inline(always)]
        || {
            let [a, b, c] = p.lanes(file);
            let (b0, c0) = (b[0], c[0]);
            let row = R::from_fn(|lane| {
                let b = if UNIFORM && First::SHIFTS { b0 } else { b[lane] };
                let c = if UNIFORM && Second::SHIFTS { c0 } else { c[lane] };
                Second::LINK.apply(First::LINK.apply(a[lane], b), c)
            });
            file.set_lanes(dst, env.mask, row);
        },
    );
}
