// SPDX-License-Identifier: MIT OR Apache-2.0
// LDS: static arrays of two kernels, barriers, unaligned and 128-bit accesses, a dynamic size.
#define ID __builtin_amdgcn_workitem_id_x()

static void barrier_local(void) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

kernel void reverse(global float *data) {
    local float part[256];
    part[ID] = data[ID];
    barrier_local();
    data[ID] = part[255 - ID];
}

kernel void transpose(global float4 *data, local float4 *tile) {
    tile[(ID & 15) * 17 + (ID >> 4)] = data[ID];
    barrier_local();
    data[ID] = tile[(ID >> 4) * 17 + (ID & 15)];
}

kernel void narrow(global uchar *bytes, global ushort *words) {
    local uchar small[512];
    local ushort wide[512];
    small[ID] = bytes[ID];
    wide[ID] = words[ID];
    barrier_local();
    bytes[ID] = small[511 - ID] + (uchar)wide[ID];
    words[ID] = wide[511 - ID] + small[ID];
}

typedef struct { uchar tag; uint2 a; double b; } __attribute__((packed)) packed_record;

kernel void packed(global packed_record *out, uint at) {
    local packed_record part[64];
    part[ID].tag = (uchar)at;
    part[ID].a = (uint2)(at, ID);
    part[ID].b = ID * 0.5;
    barrier_local();
    out[ID] = part[(ID + at) & 63];
}
