// What work-groups of a grid exchange while they run. The host runs one work-group after the other, so that a program whose
// work-groups wait for later ones computes its results there in another way.
#include "program.h"

#ifdef __AMDGCN__
#define LOAD(p) __scoped_atomic_load_n((p), __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE)
#define STORE(p, v) __scoped_atomic_store_n((p), (v), __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE)
#define ADD(p, v) __scoped_atomic_fetch_add((p), (v), __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE)
#define SWAP(p, v) __scoped_atomic_exchange_n((p), (v), __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE)
#define PAUSE() __builtin_amdgcn_s_sleep(1)
// Makes what this work-group has stored visible to others, and what they have stored visible to it.
#define PUBLISH() __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent")
// Computes the results on the host, in the last work-item of the grid.
#define ON_HOST(...)
#else
#define LOAD(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define STORE(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define ADD(p, v) __atomic_fetch_add((p), (v), __ATOMIC_ACQ_REL)
#define SWAP(p, v) __atomic_exchange_n((p), (v), __ATOMIC_ACQ_REL)
#define PAUSE() ((void)0)
#define PUBLISH() ((void)0)
#define ON_HOST(...) do { if (ITEM_X == GLOBAL_SIZE_X - 1) { __VA_ARGS__ } return; } while (0)
#endif
