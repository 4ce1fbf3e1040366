//! The addresses of an image instruction that are not consecutive.

use isa::isa;

isa! {
    /// Where the second to fifth address register, or group of registers, of an image instruction is; the first is in
    /// VADDR. The fifth stands for all addresses that are left. Guide §15.8.1.
    dword NSA_ADDRS {
        ADDR1 [7:0]:   mod addr1: NsaAddr,
        ADDR2 [15:8]:  mod addr2: NsaAddr,
        ADDR3 [23:16]: mod addr3: NsaAddr,
        ADDR4 [31:24]: mod addr4: NsaAddr,
    }
}
