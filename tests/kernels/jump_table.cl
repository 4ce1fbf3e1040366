// SPDX-License-Identifier: MIT OR Apache-2.0
// Address tables: computed goto over label differences and over pointers to functions, constant and relocated.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
__attribute__((noinline)) static int add_one(int x) { return x + 1; }
__attribute__((noinline)) static int double_it(int x) { return 2 * x; }
__attribute__((noinline)) int negate(int x) { return -x; }
__attribute__((noinline, weak)) int replaceable(int x) { return x ^ 0x55; }

typedef int (*function)(int);
constant function operations[4] = {add_one, double_it, negate, replaceable};
constant int numbers[5] = {1, 2, 3, 5, 8};
constant int *constant pointers[3] = {numbers, numbers + 2, numbers + 4};

kernel void table(global int *out, uint which, int x) { out[0] = operations[which & 3](x); }

kernel void through(global int *out, uint which) { out[0] = *pointers[which % 3]; }
