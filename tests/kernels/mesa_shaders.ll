; SPDX-License-Identifier: MIT OR Apache-2.0
; Shaders and a kernel of Mesa: another operating system interface.
target triple = "amdgcn-mesa-mesa3d"

@weights = internal addrspace(4) constant [4 x float] [float 1.0, float 2.5, float -0.5, float 0.0]

declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
declare float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8), i32, i32, i32)

define amdgpu_ps void @pixel(ptr addrspace(8) inreg %buffer, i32 %at, float %x) {
  %v = call float @llvm.amdgcn.raw.ptr.buffer.load.f32(ptr addrspace(8) %buffer, i32 %at, i32 0, i32 1)
  %s = fadd float %v, %x
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %s, float %s, float %x, float 1.0, i1 1, i1 1)
  ret void
}

define amdgpu_cs float @compute(i32 %at) {
  %p = getelementptr [4 x float], ptr addrspace(4) @weights, i32 0, i32 %at
  %v = load float, ptr addrspace(4) %p
  ret float %v
}

@shared = internal addrspace(3) global [32 x i32] poison

define amdgpu_kernel void @kernel(ptr addrspace(1) %to, i32 %x) {
  %at = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr [32 x i32], ptr addrspace(3) @shared, i32 0, i32 %at
  store i32 %x, ptr addrspace(3) %p
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  %q = load i32, ptr addrspace(3) @shared
  store i32 %q, ptr addrspace(1) %to
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
declare void @llvm.amdgcn.s.barrier()
