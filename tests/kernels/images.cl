// SPDX-License-Identifier: MIT OR Apache-2.0
// Images of OpenCL: descriptors and samplers as arguments, through the builtins of the target where there are any.
kernel void by_argument(read_only image2d_t in, write_only image2d_t out, sampler_t how, global int *p) { p[0] = 1; }
kernel void of_all_kinds(read_only image1d_t a, read_only image1d_array_t b, read_only image1d_buffer_t c, read_write image2d_array_t d,
                         read_only image3d_t e, read_only image2d_depth_t f, global int *p) { p[0] = 2; }
kernel void pipes(global int *p, read_only pipe int in) { p[0] = 3; }
