# Defines the targets amdgpu_isa::amdgpu_isa, the shared library, and amdgpu_isa::static.
get_filename_component(_amdgpu_isa_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET amdgpu_isa::amdgpu_isa)
    add_library(amdgpu_isa::amdgpu_isa SHARED IMPORTED)
    set_target_properties(amdgpu_isa::amdgpu_isa PROPERTIES
        IMPORTED_LOCATION "${_amdgpu_isa_prefix}/lib/libamdgpu_isa.so"
        INTERFACE_INCLUDE_DIRECTORIES "${_amdgpu_isa_prefix}/include")
    add_library(amdgpu_isa::static STATIC IMPORTED)
    set_target_properties(amdgpu_isa::static PROPERTIES
        IMPORTED_LOCATION "${_amdgpu_isa_prefix}/lib/libamdgpu_isa.a"
        INTERFACE_INCLUDE_DIRECTORIES "${_amdgpu_isa_prefix}/include"
        INTERFACE_LINK_LIBRARIES "gcc_s;pthread;dl;m;rt;util")
endif()
unset(_amdgpu_isa_prefix)
