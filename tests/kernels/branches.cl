// SPDX-License-Identifier: MIT OR Apache-2.0
// Nested loops, breaks and conditions: with short branches (-amdgpu-s-branch-bits) most of them leave the reach of their field.
kernel void nest(global int *out, global const int *in, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            int x = in[j];
            if (x < 0) break;
            if (x == i) continue;
            while (x > 1) {
                sum += x & 1 ? in[x] : out[x];
                x = x & 1 ? 3 * x + 1 : x >> 1;
                if (sum > 100000) goto done;
            }
            out[j] = sum;
        }
        if (in[i] == 42) sum ^= 0x12345;
    }
done:
    out[n] = sum;
}

kernel void lanes(global int *out) {
    int id = __builtin_amdgcn_workitem_id_x();
    int x = out[id];
    do {
        if (x & 1) x = out[x & 63]; else if (x & 2) x += id; else x -= out[id + 1];
        if (x == 9) { out[id] = 1; return; }
    } while (x > id);
    out[id] = x;
}
