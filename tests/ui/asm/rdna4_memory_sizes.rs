// Data, addresses and offsets of another size than the instruction has.
const CODE: &[u32] = &rdna4::asm! {
    buffer_load_b64 v1, off, s[4:7], s8
    buffer_load_b32 v1, off, s[4:7], s8 offset:8388608
    buffer_load_b32 v1, off, s[4:7], 1
    image_load v[0:2], [v4, v5], s[8:15] dmask:0xf dim:SQ_RSRC_IMG_2D
    image_sample v[0:3], v4, s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D
    image_bvh8_intersect_ray v[0:9], [v[0:1], v[2:3], v[4:6], v[7:9], v10], s[0:7]
    s_load_b32 s0, s[2:3], 0x800000
    s_load_b32 s0, s[2:3], -0x800001
    s_buffer_load_b32 s0, s[4:7], -4
    s_prefetch_data s[2:3], 0x0, s5, 32
    tbuffer_load_format_x v4, off, s[8:11], s61 format:128
    global_load_tr_b128 v[2:3], v0, s[0:1]
};

fn main() {}
