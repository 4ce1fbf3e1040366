; SPDX-License-Identifier: MIT OR Apache-2.0
; Images through intrinsics: loads, stores, atomics, samples and gathers of all dimensions, with errors, 16-bit data and addresses.
target triple = "amdgcn-amd-amdhsa"

declare <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i32(i32, i32, <8 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.load.3d.v4f32.i32(i32, i32, i32, i32, <8 x i32>, i32, i32)
declare <4 x half> @llvm.amdgcn.image.load.2darray.v4f16.i16(i32, i16, i16, i16, <8 x i32>, i32, i32)
declare {<4 x float>, i32} @llvm.amdgcn.image.load.mip.2d.sl_v4f32i32s.i32(i32, i32, i32, i32, <8 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.msaa.load.2dmsaa.v4f32.i32(i32, i32, i32, i32, <8 x i32>, i32, i32)
declare void @llvm.amdgcn.image.store.2d.v4f32.i32(<4 x float>, i32, i32, i32, <8 x i32>, i32, i32)
declare void @llvm.amdgcn.image.store.mip.cube.v2f32.i32(<2 x float>, i32, i32, i32, i32, i32, <8 x i32>, i32, i32)
declare i32 @llvm.amdgcn.image.atomic.add.2d.i32.i32(i32, i32, i32, <8 x i32>, i32, i32)
declare i64 @llvm.amdgcn.image.atomic.cmpswap.1d.i64.i32(i64, i64, i32, <8 x i32>, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.1d.v4f32.f32(i32, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.c.b.cl.3d.v4f32.f32.f32(i32, float, float, float, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.gather4.c.lz.o.2d.v4f32.f32(i32, i32, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.d.2d.v4f32.f16.f32(i32, half, half, half, half, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <2 x float> @llvm.amdgcn.image.getlod.2d.v2f32.f32(i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.getresinfo.3d.v4f32.i32(i32, i32, <8 x i32>, i32, i32)
declare <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i64.v4f32(i64, float, <3 x float>, <3 x float>, <3 x float>, <4 x i32>)

define amdgpu_kernel void @accesses(ptr addrspace(1) %out, <8 x i32> %image, i32 %x, i32 %y) {
  %a = call <4 x float> @llvm.amdgcn.image.load.1d.v4f32.i32(i32 15, i32 %x, <8 x i32> %image, i32 0, i32 0)
  %b = call <4 x float> @llvm.amdgcn.image.load.3d.v4f32.i32(i32 15, i32 %x, i32 %y, i32 3, <8 x i32> %image, i32 0, i32 3)
  %s = fadd <4 x float> %a, %b
  %x16 = trunc i32 %x to i16
  %h = call <4 x half> @llvm.amdgcn.image.load.2darray.v4f16.i16(i32 15, i16 %x16, i16 3, i16 %x16, <8 x i32> %image, i32 0, i32 0)
  %hf = fpext <4 x half> %h to <4 x float>
  %t = fadd <4 x float> %s, %hf
  %m = call {<4 x float>, i32} @llvm.amdgcn.image.load.mip.2d.sl_v4f32i32s.i32(i32 13, i32 %x, i32 %y, i32 1, <8 x i32> %image, i32 1, i32 0)
  %mv = extractvalue {<4 x float>, i32} %m, 0
  %me = extractvalue {<4 x float>, i32} %m, 1
  %u = fadd <4 x float> %t, %mv
  %n = call <4 x float> @llvm.amdgcn.image.msaa.load.2dmsaa.v4f32.i32(i32 2, i32 %x, i32 %y, i32 %me, <8 x i32> %image, i32 0, i32 0)
  %w = fadd <4 x float> %u, %n
  call void @llvm.amdgcn.image.store.2d.v4f32.i32(<4 x float> %w, i32 15, i32 %x, i32 %y, <8 x i32> %image, i32 0, i32 1)
  call void @llvm.amdgcn.image.store.mip.cube.v2f32.i32(<2 x float> <float 1.0, float 2.0>, i32 3, i32 %x, i32 %y, i32 2, i32 0, <8 x i32> %image, i32 0, i32 0)
  %old = call i32 @llvm.amdgcn.image.atomic.add.2d.i32.i32(i32 %x, i32 %y, i32 7, <8 x i32> %image, i32 0, i32 0)
  %wide = zext i32 %old to i64
  %older = call i64 @llvm.amdgcn.image.atomic.cmpswap.1d.i64.i32(i64 %wide, i64 5, i32 %x, <8 x i32> %image, i32 0, i32 2)
  store i64 %older, ptr addrspace(1) %out
  ret void
}

define amdgpu_kernel void @samples(ptr addrspace(1) %out, <8 x i32> %image, <4 x i32> %sampler, float %x, half %g, i64 %node) {
  %a = call <4 x float> @llvm.amdgcn.image.sample.1d.v4f32.f32(i32 15, float %x, <8 x i32> %image, <4 x i32> %sampler, i1 1, i32 0, i32 0)
  %b = call <4 x float> @llvm.amdgcn.image.sample.c.b.cl.3d.v4f32.f32.f32(i32 15, float %x, float 0.5, float %x, float 1.0, float 2.0, float %x, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %c = call <4 x float> @llvm.amdgcn.image.gather4.c.lz.o.2d.v4f32.f32(i32 4, i32 5, float %x, float 0.5, float %x, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %d = call <4 x float> @llvm.amdgcn.image.sample.d.2d.v4f32.f16.f32(i32 15, half %g, half 1.0, half %g, half %g, float %x, float 0.0, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %l = call <2 x float> @llvm.amdgcn.image.getlod.2d.v2f32.f32(i32 3, float %x, float 0.25, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %r = call <4 x float> @llvm.amdgcn.image.getresinfo.3d.v4f32.i32(i32 15, i32 0, <8 x i32> %image, i32 0, i32 0)
  %v = call <4 x i32> @llvm.amdgcn.image.bvh.intersect.ray.i64.v4f32(i64 %node, float %x, <3 x float> <float 0.0, float 1.0, float 2.0>, <3 x float> <float 3.0, float 4.0, float 5.0>, <3 x float> <float 6.0, float 7.0, float 8.0>, <4 x i32> %sampler)
  %ab = fadd <4 x float> %a, %b
  %cd = fadd <4 x float> %c, %d
  %abcd = fadd <4 x float> %ab, %cd
  %all = fadd <4 x float> %abcd, %r
  store <4 x float> %all, ptr addrspace(1) %out
  %p = getelementptr i8, ptr addrspace(1) %out, i32 16
  store <2 x float> %l, ptr addrspace(1) %p
  store <4 x i32> %v, ptr addrspace(1) %p
  ret void
}
