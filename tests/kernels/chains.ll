; SPDX-License-Identifier: MIT OR Apache-2.0
; Functions that end in another one: amdgpu_cs_chain with and without registers kept, whole wave modes, strict modes.
target triple = "amdgcn-amd-amdpal"

declare amdgpu_cs_chain void @next(<3 x i32> inreg, { i32, ptr addrspace(5), i32, i32 })
declare void @llvm.amdgcn.cs.chain(ptr, i32, <3 x i32>, { i32, ptr addrspace(5), i32, i32 }, i32, ...)
declare i32 @llvm.amdgcn.strict.wwm.i32(i32)
declare i32 @llvm.amdgcn.set.inactive.i32(i32, i32)
declare float @llvm.amdgcn.wqm.f32(float)

define amdgpu_cs_chain void @link(<3 x i32> inreg %scalars, { i32, ptr addrspace(5), i32, i32 } %vectors) {
  call void(ptr, i32, <3 x i32>, { i32, ptr addrspace(5), i32, i32 }, i32, ...) @llvm.amdgcn.cs.chain(ptr @next, i32 -1, <3 x i32> inreg %scalars, { i32, ptr addrspace(5), i32, i32 } %vectors, i32 0)
  unreachable
}

define amdgpu_cs void @whole_wave(ptr addrspace(1) inreg %out, i32 %x) {
  %set = call i32 @llvm.amdgcn.set.inactive.i32(i32 %x, i32 42)
  %sum = add i32 %set, %set
  %r = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %sum)
  store i32 %r, ptr addrspace(1) %out
  ret void
}

define amdgpu_ps float @quads(float %x, float %y) {
  %s = fmul float %x, %y
  %q = call float @llvm.amdgcn.wqm.f32(float %s)
  ret float %q
}
