; SPDX-License-Identifier: MIT OR Apache-2.0
; Symbols that OpenCL C cannot write: LDS of a size the launch says, common and internal symbols, aliases, comdats, functions in tables,
; constructors, section attributes.
target triple = "amdgcn-amd-amdhsa"

@dynamic = external addrspace(3) global [0 x i32], align 16
@static_lds = internal addrspace(3) global [64 x i32] poison, align 4
@weak_one = weak addrspace(1) global i32 3
@once = linkonce_odr hidden addrspace(4) constant [3 x i32] [i32 1, i32 2, i32 3]
@private_one = private unnamed_addr addrspace(4) constant [5 x i8] c"ab\00c\00", align 1
@string = private unnamed_addr addrspace(4) constant [6 x i8] c"hello\00", align 1
@grouped = linkonce_odr addrspace(1) global i64 5, comdat
$grouped = comdat any
@undefined_weak = extern_weak addrspace(1) global i32
@table = addrspace(4) constant [3 x ptr] [ptr @first, ptr @second, ptr null]
@offsets = addrspace(4) constant [2 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @third to i64), i64 ptrtoint (ptr addrspace(4) @offsets to i64)) to i32), i32 7]
@self = addrspace(1) global ptr addrspace(1) @self
@inside = addrspace(1) global ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @weak_one, i64 2)
@large = addrspace(1) global [100000 x i8] zeroinitializer, align 4096
@placed = addrspace(1) global i128 4, section ".custom,with comma", align 32
@other_name = alias i32, ptr addrspace(1) @weak_one
@other_function = hidden alias void (), ptr @first
@llvm.used = appending addrspace(1) global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @large to ptr)], section "llvm.metadata"

define void @first() { ret void }
define weak_odr void @second() { ret void }
define internal void @third() noinline { store volatile i32 1, ptr addrspace(3) @static_lds
  ret void }
define void @in_group() comdat($grouped) { ret void }

define amdgpu_kernel void @user(ptr addrspace(1) %out, i32 %at) {
  %p = getelementptr [0 x i32], ptr addrspace(3) @dynamic, i32 0, i32 %at
  %v = load i32, ptr addrspace(3) %p
  store i32 %v, ptr addrspace(1) %out
  store i32 %v, ptr addrspace(1) @undefined_weak
  %q = getelementptr [6 x i8], ptr addrspace(4) @string, i32 0, i32 %at
  %c = load i8, ptr addrspace(4) %q
  store i8 %c, ptr addrspace(1) %out
  %o = load i32, ptr addrspace(4) @once
  store i32 %o, ptr addrspace(1) %out
  %r = getelementptr [5 x i8], ptr addrspace(4) @private_one, i32 0, i32 %at
  %d = load i8, ptr addrspace(4) %r
  store i8 %d, ptr addrspace(1) %out
  call void @third()
  %s = getelementptr [3 x ptr], ptr addrspace(4) @table, i32 0, i32 %at
  %f = load ptr, ptr addrspace(4) %s
  call void %f()
  ret void
}
