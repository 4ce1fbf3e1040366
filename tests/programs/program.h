// What the programs in this folder share: one source, compiled for the GPU as C or OpenCL C, and for the host as C.
//
// On the host each work-item is a coroutine (host.c), so that barriers and exchanges between lanes work there, too.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef signed char i8;
typedef short i16;
typedef int i32;
#ifdef __OPENCL_C_VERSION__
typedef ulong u64;
typedef long i64;
#else
typedef unsigned long u64;
typedef long i64;
#endif

#define NOINLINE __attribute__((noinline))

#ifdef __AMDGCN__

#ifdef __OPENCL_C_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define KERNEL kernel void
#define GLOBAL global
#define LOCAL local
#define CONSTANT constant
#define SHARED(type, name) local type name
typedef half f16;
#else
#define KERNEL __attribute__((amdgpu_kernel)) void
#define GLOBAL __attribute__((address_space(1)))
#define LOCAL __attribute__((address_space(3)))
#define CONSTANT static const
#define SHARED(type, name) static __attribute__((address_space(3), loader_uninitialized)) type name
typedef _Float16 f16;
#endif

#define LOCAL_X __builtin_amdgcn_workitem_id_x()
#define LOCAL_Y __builtin_amdgcn_workitem_id_y()
#define LOCAL_Z __builtin_amdgcn_workitem_id_z()
#define GROUP_X __builtin_amdgcn_workgroup_id_x()
#define GROUP_Y __builtin_amdgcn_workgroup_id_y()
#define GROUP_Z __builtin_amdgcn_workgroup_id_z()
#define GLOBAL_SIZE_X __builtin_amdgcn_grid_size_x()
#define GLOBAL_SIZE_Y __builtin_amdgcn_grid_size_y()
#define GLOBAL_SIZE_Z __builtin_amdgcn_grid_size_z()
#define LOCAL_SIZE_X __builtin_amdgcn_workgroup_size_x()
#define LOCAL_SIZE_Y __builtin_amdgcn_workgroup_size_y()
#define LOCAL_SIZE_Z __builtin_amdgcn_workgroup_size_z()
#define LANE __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0))

static inline void barrier_all(void) {
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}

// The value of another lane of the same 32, when all lanes are active.
#define FROM_LANE(value, lane) ((u32)__builtin_amdgcn_ds_bpermute((int)((LANE & 32) + ((lane) & 31)) << 2, (int)(value)))

#ifdef __OPENCL_C_VERSION__
#define ATOMIC(op, p, v) __opencl_atomic_fetch_##op((volatile global atomic_int *)(p), (v), memory_order_relaxed, memory_scope_device)
#endif

// Nothing to call on the GPU.
#define HOST(name, ...)

#else

#define KERNEL void
#define GLOBAL
#define LOCAL
#define CONSTANT static const
#define SHARED(type, name) static type name
typedef _Float16 f16;

struct item {
    u32 local[3], group[3], global_size[3], local_size[3], index;
};
extern struct item *item;
void barrier_all(void);
u32 from_lane(u32 value, u32 lane);

#define LOCAL_X item->local[0]
#define LOCAL_Y item->local[1]
#define LOCAL_Z item->local[2]
#define GROUP_X item->group[0]
#define GROUP_Y item->group[1]
#define GROUP_Z item->group[2]
#define GLOBAL_SIZE_X item->global_size[0]
#define GLOBAL_SIZE_Y item->global_size[1]
#define GLOBAL_SIZE_Z item->global_size[2]
#define LOCAL_SIZE_X item->local_size[0]
#define LOCAL_SIZE_Y item->local_size[1]
#define LOCAL_SIZE_Z item->local_size[2]
#define LANE (item->index & 31)
#define FROM_LANE(value, lane) from_lane((value), (lane))

// Calls the kernel with its arguments in `a`.
#define HOST(name, ...) \
    void call(const u64 *a) { name(__VA_ARGS__); }
#define PTR(n) (void *)a[n]
#define NUM(n) a[n]

#endif

#define ITEM_X (GROUP_X * LOCAL_SIZE_X + LOCAL_X)
#define ITEM_Y (GROUP_Y * LOCAL_SIZE_Y + LOCAL_Y)
#define ITEM_Z (GROUP_Z * LOCAL_SIZE_Z + LOCAL_Z)

// Bits of floating-point numbers.
static inline u32 bits32(float value) {
    union { float f; u32 u; } bits = { .f = value };
    return bits.u;
}
static inline float float32(u32 value) {
    union { u32 u; float f; } bits = { .u = value };
    return bits.f;
}
static inline u64 bits64(double value) {
    union { double f; u64 u; } bits = { .f = value };
    return bits.u;
}
static inline double float64(u64 value) {
    union { u64 u; double f; } bits = { .u = value };
    return bits.f;
}

// A pseudorandom number.
static inline u32 mix(u32 x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}
