; SPDX-License-Identifier: MIT OR Apache-2.0
; A pixel shader of PAL: interpolation, image samples, discarded pixels, exports to targets.
target triple = "amdgcn-amd-amdpal"

declare float @llvm.amdgcn.lds.param.load(i32, i32, i32)
declare float @llvm.amdgcn.interp.inreg.p10(float, float, float)
declare float @llvm.amdgcn.interp.inreg.p2(float, float, float)
declare float @llvm.amdgcn.interp.inreg.p10.f16(float, float, float, i1)
declare half @llvm.amdgcn.interp.inreg.p2.f16(float, float, float, i1)
declare <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare <4 x float> @llvm.amdgcn.image.sample.c.d.o.2darray.v4f32.f32.f32(i32, i32, float, float, float, float, float, float, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare {<2 x float>, i32} @llvm.amdgcn.image.gather4.lz.2d.sl_v4f32i32s.f32(i32, float, float, <8 x i32>, <4 x i32>, i1, i32, i32)
declare void @llvm.amdgcn.exp.f32(i32, i32, float, float, float, float, i1, i1)
declare void @llvm.amdgcn.exp.compr.v2f16(i32, i32, <2 x half>, <2 x half>, i1, i1)
declare void @llvm.amdgcn.kill(i1)

define amdgpu_ps void @colour(<8 x i32> inreg %image, <4 x i32> inreg %sampler, i32 inreg %prim, <2 x float> %ij) {
  %i = extractelement <2 x float> %ij, i32 0
  %j = extractelement <2 x float> %ij, i32 1
  %p = call float @llvm.amdgcn.lds.param.load(i32 0, i32 3, i32 %prim)
  %s0 = call float @llvm.amdgcn.interp.inreg.p10(float %p, float %i, float %p)
  %s = call float @llvm.amdgcn.interp.inreg.p2(float %p, float %j, float %s0)
  %q = call float @llvm.amdgcn.lds.param.load(i32 1, i32 3, i32 %prim)
  %t0 = call float @llvm.amdgcn.interp.inreg.p10.f16(float %q, float %i, float %q, i1 0)
  %th = call half @llvm.amdgcn.interp.inreg.p2.f16(float %q, float %j, float %t0, i1 1)
  %t = fpext half %th to float
  %texel = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32(i32 15, float %s, float %t, <8 x i32> %image, <4 x i32> %sampler, i1 0, i32 0, i32 0)
  %shaded = call <4 x float> @llvm.amdgcn.image.sample.c.d.o.2darray.v4f32.f32.f32(i32 7, i32 3, float %s, float %t, float %s, float %t, float %s, float %s, float %t, float %i, <8 x i32> %image, <4 x i32> %sampler, i1 1, i32 0, i32 1)
  %sum = fadd <4 x float> %texel, %shaded
  %r = extractelement <4 x float> %sum, i32 0
  %g = extractelement <4 x float> %sum, i32 1
  %b = extractelement <4 x float> %sum, i32 2
  %a = extractelement <4 x float> %sum, i32 3
  %visible = fcmp ogt float %a, 0.5
  call void @llvm.amdgcn.kill(i1 %visible)
  call void @llvm.amdgcn.exp.f32(i32 0, i32 15, float %r, float %g, float %b, float %a, i1 0, i1 1)
  call void @llvm.amdgcn.exp.f32(i32 8, i32 1, float %a, float poison, float poison, float poison, i1 1, i1 1)
  ret void
}

define amdgpu_ps <4 x float> @returned(<4 x float> inreg %x, float %y) #0 {
  %v = insertelement <4 x float> %x, float %y, i32 2
  ret <4 x float> %v
}

attributes #0 = { "InitialPSInputAddr"="0" "amdgpu-depth-export"="1" }

!amdgpu.pal.metadata.msgpack = !{!0}
!0 = !{!"\82\B0amdpal.pipelines\91\81\AA.registers\82\CD\2C\0A\CE\12\34\56\78\CD\2C\0B\07\AEamdpal.version\92\03\00"}
