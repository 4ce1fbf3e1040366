// SPDX-License-Identifier: MIT OR Apache-2.0
// Switches: tables of constants, dense and sparse cases, unstructured control flow, loops with several exits.
kernel void lookup(global int *out, uint x) {
    int r;
    switch (x) {
    case 0: r = 17; break;
    case 1: r = -4; break;
    case 2: r = 99; break;
    case 3: r = 1234; break;
    case 4: r = 5; break;
    case 5: r = 80; break;
    default: r = 0;
    }
    out[0] = r;
}

kernel void dense(global int *out, uint x, int a) {
    switch (x) {
    case 0: out[1] = a + 1; break;
    case 1: out[2] = a * 3; // falls through
    case 2: out[a & 3] = a; break;
    case 3: out[0] ^= a; break;
    case 4: out[5] = out[6] / a; break;
    case 5: __builtin_amdgcn_s_sleep(3); break;
    case 6: out[7] = __builtin_popcount(a); break;
    case 7: out[a & 7] -= 4; break;
    case 9: return;
    default: out[9] = ~a;
    }
    out[10] = a;
}

kernel void divergent(global int *out) {
    int x = out[__builtin_amdgcn_workitem_id_x()];
    switch (x) {
    case 3: x = out[3]; break;
    case 100: x += 3; break;
    case 10000: x *= out[7]; break;
    case -7: for (int i = 0; i < x; i++) if (out[i] == 9) goto end; break;
    case 0x7fffffff: x >>= 2;
    }
end:
    out[__builtin_amdgcn_workitem_id_x()] = x;
}
