; SPDX-License-Identifier: MIT OR Apache-2.0
; The other stages of PAL: vertex, geometry, hull, export and compute shaders, and functions that they call.
target triple = "amdgcn-amd-amdpal"

declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
declare void @llvm.amdgcn.exp.i32(i32, i32, i32, i32, i32, i32, i1, i1)
declare void @llvm.amdgcn.s.sendmsg(i32, i32)
declare <4 x float> @llvm.amdgcn.raw.ptr.buffer.load.format.v4f32(ptr addrspace(8), i32, i32, i32)
declare <4 x float> @llvm.amdgcn.struct.ptr.tbuffer.load.v4f32(ptr addrspace(8), i32, i32, i32, i32, i32)
declare void @llvm.amdgcn.raw.ptr.tbuffer.store.v2f32(<2 x float>, ptr addrspace(8), i32, i32, i32, i32)
declare i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32>, i32, i32)
declare <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32>, i32, i32)

define amdgpu_vs void @vertex(ptr addrspace(8) inreg %buffer, i32 %index) {
  %v = call <4 x float> @llvm.amdgcn.struct.ptr.tbuffer.load.v4f32(ptr addrspace(8) %buffer, i32 %index, i32 0, i32 16, i32 63, i32 0)
  %x = extractelement <4 x float> %v, i32 0
  %y = extractelement <4 x float> %v, i32 1
  call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float %x, float %y, float 0.0, float 1.0, i1 0, i1 0)
  call void @llvm.amdgcn.exp.f32(i32 13, i32 3, float %y, float %x, float poison, float poison, i1 1, i1 0)
  ret void
}

define amdgpu_gs void @geometry(<4 x i32> inreg %constants, i32 inreg %counts, i32 %primitive) {
  call void @llvm.amdgcn.s.sendmsg(i32 9, i32 %counts)
  %c = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %constants, i32 %counts, i32 0)
  %w = call <8 x i32> @llvm.amdgcn.s.buffer.load.v8i32(<4 x i32> %constants, i32 64, i32 0)
  %l = extractelement <8 x i32> %w, i32 5
  %e = add i32 %c, %l
  %p = xor i32 %e, %primitive
  call void @llvm.amdgcn.exp.i32(i32 20, i32 1, i32 %p, i32 poison, i32 poison, i32 poison, i1 1, i1 0)
  ret void
}

define amdgpu_hs void @hull(ptr addrspace(8) inreg %buffer, i32 %at) {
  %v = call <4 x float> @llvm.amdgcn.raw.ptr.buffer.load.format.v4f32(ptr addrspace(8) %buffer, i32 %at, i32 0, i32 0)
  %p = shufflevector <4 x float> %v, <4 x float> poison, <2 x i32> <i32 3, i32 0>
  call void @llvm.amdgcn.raw.ptr.tbuffer.store.v2f32(<2 x float> %p, ptr addrspace(8) %buffer, i32 %at, i32 4, i32 50, i32 1)
  ret void
}

define amdgpu_es void @export(ptr addrspace(3) %p, i32 %x) {
  store i32 %x, ptr addrspace(3) %p
  ret void
}

define amdgpu_gfx i32 @called(i32 %x, ptr addrspace(5) %stack) {
  %v = load volatile i32, ptr addrspace(5) %stack
  %r = mul i32 %x, %v
  ret i32 %r
}

define amdgpu_cs void @compute(ptr addrspace(1) inreg %out, i32 inreg %x, i32 %id) {
  %slot = alloca [32 x i32], addrspace(5)
  %at = getelementptr i32, ptr addrspace(5) %slot, i32 %id
  store volatile i32 %x, ptr addrspace(5) %at
  %r = call amdgpu_gfx i32 @called(i32 %x, ptr addrspace(5) %at)
  store i32 %r, ptr addrspace(1) %out
  ret void
}
