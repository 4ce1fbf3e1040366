use super::*;
use crate::Family;

#[test]
fn fields_do_not_overlap_and_fit_their_words() {
    for family in [Family::Gfx11, Family::Gfx12] {
        let mut used = [0u8; KernelDescriptor::SIZE * 8];
        let computed = [VGPR_COUNT, SGPR_COUNT, USER_SGPR_COUNT];
        let stated = Directive::ALL.iter().filter_map(|directive| directive.field(family));
        for field in stated.chain(computed) {
            assert!((field.shift + field.width) as usize <= field.word.size() * 8, "{field:?}");
            for bit in field.shift..field.shift + field.width {
                let bit = field.word.offset() * 8 + bit as usize;
                assert_eq!(used[bit], 0, "{family:?}: {field:?}");
                used[bit] = 1;
            }
        }
    }
}

#[test]
fn names_lead_to_directives() {
    for directive in Directive::ALL {
        for family in [Family::Gfx11, Family::Gfx12] {
            let is_known = directive.only_family().is_none_or(|only| only == family);
            assert_eq!(Directive::parse(directive.name(), family).ok(), is_known.then_some(*directive));
            assert_eq!(Directive::parse(&format!(".amdhsa_{directive}"), family).ok(), is_known.then_some(*directive));
        }
    }
    let message = |name, family| Directive::parse(name, family).unwrap_err().to_string();
    assert_eq!(message(".amdhsa_tg_split", Family::Gfx11), "`.amdhsa_tg_split` needs gfx90a, gfx942 or gfx950");
    assert_eq!(message("x", Family::Gfx11), "`x` is not a directive of a kernel descriptor");
    assert_eq!(message("ieee_mode", Family::Gfx12), "`.amdhsa_ieee_mode` needs a processor before gfx12");
    assert_eq!(
        message("round_robin_scheduling", Family::Gfx11),
        "`.amdhsa_round_robin_scheduling` needs gfx12 or later"
    );
}

#[test]
fn bytes_are_kept() {
    let bytes = std::array::from_fn(|at| at as u8 ^ 0xa5);
    let descriptor = KernelDescriptor::from_bytes(&bytes);
    assert_eq!(descriptor.to_bytes(), bytes);
    let mut moved = descriptor;
    moved.set_entry_offset(-256);
    assert_eq!(moved.entry_offset(), -256);
    moved.set_entry_offset(descriptor.entry_offset());
    assert_eq!(moved, descriptor);
}

#[test]
fn user_sgprs_are_counted_in_order() {
    let mut settings = KernelSettings {
        user_sgpr_dispatch_ptr: true,
        user_sgpr_kernarg_segment_ptr: true,
        user_sgpr_private_segment_size: true,
        ..KernelSettings::wave64()
    };
    assert_eq!(settings.enabled_user_sgprs(), 5);
    assert_eq!(settings.user_sgpr(Directive::UserSgprDispatchPtr), Some(0));
    assert_eq!(settings.user_sgpr(Directive::UserSgprQueuePtr), None);
    assert_eq!(settings.user_sgpr(Directive::UserSgprKernargSegmentPtr), Some(2));
    assert_eq!(settings.user_sgpr(Directive::UserSgprPrivateSegmentSize), Some(4));
    assert_eq!(settings.user_sgpr(Directive::KernargSize), None);
    settings.user_sgpr_count = Some(4);
    assert_eq!(
        settings.descriptor().unwrap_err().to_string(),
        "`.amdhsa_user_sgpr_count` is 4, and 5 user SGPRs are enabled"
    );
    settings.user_sgpr_count = Some(16);
    assert_eq!(settings.descriptor().unwrap().user_sgpr_count(), 16);
}

#[test]
fn values_out_of_range_are_errors() {
    let mut settings = KernelSettings::wave32();
    assert_eq!(
        settings.set(Directive::InstPrefSize, 64).unwrap_err().to_string(),
        "`.amdhsa_inst_pref_size` is 64, which is not in 0 to 63"
    );
    assert!(settings.set(Directive::NextFreeVgpr, -1).is_err());
    assert!(settings.set(Directive::KernargSize, 1 << 32).is_err());
    assert!(settings.set(Directive::FloatRoundMode32, 4).is_err());
    settings.next_free_vgpr = 513;
    assert_eq!(
        settings.descriptor().unwrap_err().to_string(),
        "`.amdhsa_next_free_vgpr` is 513, which is not in 0 to 512"
    );
    settings.next_free_vgpr = 8;
    settings.shared_vgpr_count = 1;
    assert_eq!(settings.descriptor(), Err(DescriptorError::SharedVgprsInWave32));
    settings.wavefront_size32 = false;
    assert_eq!(settings.descriptor().unwrap().shared_vgpr_count(), 1);
    settings.next_free_vgpr = 256;
    assert_eq!(settings.descriptor(), Err(DescriptorError::SharedVgprs { shared: 1, granulated: 63 }));
    // Fields of the settings can hold more than the descriptor's.
    settings.inst_pref_size = 64;
    assert!(settings.descriptor().is_err());
}
