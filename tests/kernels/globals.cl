// SPDX-License-Identifier: MIT OR Apache-2.0
// Globals of each linkage: initialised, zero, constant, aligned, in named sections, weak, hidden, protected; pointers to them.
global int counter = 5;
global int zeros[100];
global const int table[6] = {1, 1, 2, 3, 5, 8};
constant uchar bytes[7] = {1, 2, 3, 4, 5, 6, 7};
constant char text[] = "a string \"with\" quotes,\ttabs and \\ \x01\xff";
constant double doubles[2] = {1.5, -0.1};
global float __attribute__((aligned(256))) aligned = 2.5f;
static global int own = 9;
global int __attribute__((weak)) replaceable = 1;
global int __attribute__((visibility("hidden"))) hidden_one = 2;
global int __attribute__((visibility("protected"))) protected_one = 3;
global int __attribute__((visibility("default"))) default_one = 4;
global int __attribute__((section(".my_data"))) placed = 7;
global int __attribute__((section("section with blanks"))) quoted = 8;
constant int __attribute__((section(".my_rodata"))) placed_constant = 8;
global int *global pointer = &counter;
global int *global inner = &zeros[7];
global int *global far_pointer = &default_one;
constant ulong difference = 3;

typedef struct { char tag; global int *p; short s; double d; } record;
global record records[2] = {{1, &counter, 2, 3.0}, {4, zeros + 3, 5, 6.0}};

kernel void use(global int *out, int i) {
    out[0] = counter++;
    out[1] = zeros[i] + table[i] + bytes[i] + text[i] + (int)doubles[i & 1];
    out[2] = (int)aligned + own++ + replaceable + hidden_one + protected_one + default_one;
    out[3] = placed + quoted + placed_constant;
    out[5] = *pointer + *inner + *far_pointer + records[i].p[1] + (int)records[i].d + (int)difference;
    zeros[i] = i;
}

__attribute__((section(".text.special"), noinline)) int special(int x) { return x + counter; }
kernel __attribute__((section(".text.apart"))) void apart(global int *out) { out[0] = special(out[1]); }
