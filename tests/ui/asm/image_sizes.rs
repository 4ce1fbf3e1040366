const CODE: &[u32] = &rdna3::asm! {
    image_load v[0:3], v[4:6], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D
    image_load v[0:3], v[4:5], s[0:7] dmask:0x7 dim:SQ_RSRC_IMG_2D
    image_load v[0:3], v[4:5], s[0:7] dmask:0xf dim:2d
};

fn main() {}
