// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions and globals that another file defines: by default, weak and hidden, called, read and pointed to from data.
int function_elsewhere(int);
__attribute__((visibility("default"))) int replaceable_elsewhere(int);
extern global int elsewhere;
extern global int __attribute__((weak)) perhaps;
extern global int __attribute__((visibility("hidden"))) hidden_elsewhere;
extern global int __attribute__((visibility("default"))) default_elsewhere;
global int *global pointer = &elsewhere;
global int *global inner = &default_elsewhere + 3;

kernel void use(global int *out, int i) {
    out[0] = function_elsewhere(i) + replaceable_elsewhere(i);
    out[1] = elsewhere + hidden_elsewhere + default_elsewhere;
    out[2] = &perhaps ? perhaps : 0;
    out[3] = *pointer + *inner;
}
