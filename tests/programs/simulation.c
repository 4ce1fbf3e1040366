// global=64 local=64 float:1536 out:1536
// Bodies that attract each other: reciprocals by division and roots, in LDS tiles.
#include "program.h"

KERNEL simulation(GLOBAL const float *in, GLOBAL float *out) {
    SHARED(float, px)[64];
    SHARED(float, py)[64];
    SHARED(float, pz)[64];
    u32 i = LOCAL_X;
    float x = in[i * 6], y = in[i * 6 + 1], z = in[i * 6 + 2];
    float vx = in[i * 6 + 3], vy = in[i * 6 + 4], vz = in[i * 6 + 5];
    for (u32 step = 0; step < 3; step++) {
        px[i] = x, py[i] = y, pz[i] = z;
        barrier_all();
        for (u32 n = 0; n < 64; n++) {
            float dx = px[n] - x, dy = py[n] - y, dz = pz[n] - z;
            float square = dx * dx + dy * dy + dz * dz + 0.01f;
            float factor = 0.001f / (square * __builtin_sqrtf(square));
            vx += dx * factor, vy += dy * factor, vz += dz * factor;
        }
        barrier_all();
        x += vx * 0.1f, y += vy * 0.1f, z += vz * 0.1f;
    }
    out[i * 6] = x, out[i * 6 + 1] = y, out[i * 6 + 2] = z;
    out[i * 6 + 3] = vx, out[i * 6 + 4] = vy, out[i * 6 + 5] = vz;
}

HOST(simulation, PTR(0), PTR(1))
