macro_rules! far {
    ($($x:tt)*) => {
        const CODE: &[u32] = &rdna3::asm! {
            start: s_nop 0;
            $(.long $x, $x, $x, $x, $x, $x, $x, $x, $x, $x, $x, $x, $x, $x, $x, $x;)*
            s_branch start;
        };
    };
}

macro_rules! times {
    ($then:ident [] $($x:tt)*) => { $then! { $($x)* } };
    ($then:ident [_ $($n:tt)*] $($x:tt)*) => { times! { $then [$($n)*] $($x)* $($x)* } };
}

// 2^11 lines of 16 dwords.
times! { far [_ _ _ _ _ _ _ _ _ _ _] 0 }

fn main() {}
