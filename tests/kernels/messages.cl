// SPDX-License-Identifier: MIT OR Apache-2.0
// Hardware state: messages, priorities, time, sleep, traps, hardware registers, dispatch and implicit arguments.
kernel void state(global ulong *out, int x) {
    __builtin_amdgcn_s_sendmsg(1, __builtin_amdgcn_readfirstlane(x));
    out[0] = __builtin_amdgcn_s_sendmsg_rtn(0x80);
    out[1] = __builtin_amdgcn_s_sendmsg_rtnl(0x83);
    out[2] = __builtin_readcyclecounter();
    out[3] = __builtin_amdgcn_s_getreg(0xf801);
    out[4] = __builtin_amdgcn_s_getpc();
    __builtin_amdgcn_s_setreg(0x2181, __builtin_amdgcn_readfirstlane(x));
    __builtin_amdgcn_s_sleep(100);
    __builtin_amdgcn_s_setprio(3);
    __builtin_amdgcn_s_dcache_inv();
    __builtin_amdgcn_s_incperflevel(2);
    __builtin_amdgcn_s_decperflevel(1);
    __builtin_amdgcn_sched_barrier(0);
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_s_waitcnt(0x3f7);
    if (x == 3) __builtin_trap();
    if (x == 4) __builtin_debugtrap();
    if (x == 5) __builtin_amdgcn_endpgm();
}

__attribute__((reqd_work_group_size(8, 4, 2)))
kernel void sizes(global uint *out) {
    constant ushort *implicit = (constant ushort *)__builtin_amdgcn_implicitarg_ptr();
    constant uint *dispatch = (constant uint *)__builtin_amdgcn_dispatch_ptr();
    constant ulong *queue = (constant ulong *)__builtin_amdgcn_queue_ptr();
    out[__builtin_amdgcn_workitem_id_x()] = __builtin_amdgcn_workgroup_id_x() + implicit[6];
    out[__builtin_amdgcn_workitem_id_y()] = __builtin_amdgcn_workgroup_id_y() + dispatch[3];
    out[__builtin_amdgcn_workitem_id_z()] = __builtin_amdgcn_workgroup_id_z() + (uint)queue[0];
    out[99] = __builtin_amdgcn_workgroup_size_x() + __builtin_amdgcn_grid_size_y();
}
