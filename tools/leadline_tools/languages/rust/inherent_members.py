"""Inherent members of the types of Rust's standard library: a call means those before a member of any trait.

A method of the type itself comes before one that an implementation in the tree gives it, so a call of such a name is
not surely one of that. https://doc.rust-lang.org/reference/expressions/method-call-expr.html, https://doc.rust-lang.org/std
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leadline_tools.languages.terms import COLLECTION, POINTERS

_TEXTS = frozenset(
    (
        "as_ascii as_bytes as_bytes_mut as_mut_ptr as_mut_str as_mut_vec as_ptr as_str bytes capacity "
        "ceil_char_boundary char_indices chars clear contains drain encode_utf16 ends_with eq_ignore_ascii_case "
        "escape_debug escape_default escape_unicode extend_from_within find floor_char_boundary from_raw_parts "
        "from_str from_utf16 from_utf16_lossy from_utf8 from_utf8_lossy from_utf8_lossy_owned from_utf8_unchecked "
        "get get_mut get_unchecked get_unchecked_mut insert insert_str into_boxed_bytes into_boxed_str into_bytes "
        "into_chars into_raw_parts into_string is_ascii is_char_boundary is_empty leak len lines lines_any "
        "make_ascii_lowercase make_ascii_uppercase match_indices matches new parse pop push push_str remove "
        "remove_matches remove_prefix remove_suffix repeat replace replace_range replacen reserve reserve_exact "
        "retain rfind rmatch_indices rmatches rsplit rsplit_once rsplit_terminator rsplitn shrink_to shrink_to_fit "
        "slice_mut_unchecked slice_unchecked split split_ascii_whitespace split_at split_at_checked split_at_mut "
        "split_at_mut_checked split_inclusive split_off split_once split_terminator split_whitespace splitn "
        "starts_with strip_prefix strip_suffix substr_range to_ascii_lowercase to_ascii_uppercase to_lowercase "
        "to_uppercase trim trim_ascii trim_ascii_end trim_ascii_start trim_end trim_end_matches trim_left "
        "trim_left_matches trim_matches trim_prefix trim_right trim_right_matches trim_start trim_start_matches "
        "trim_suffix truncate try_reserve try_reserve_exact try_with_capacity utf8_error with_capacity"
    ).split()
)

_LISTS = frozenset(
    (
        "align_to align_to_mut allocator append array_chunks array_chunks_mut array_windows as_array as_chunks "
        "as_chunks_mut as_chunks_unchecked as_chunks_unchecked_mut as_flattened as_mut_ptr as_mut_ptr_range "
        "as_mut_slice as_ptr as_ptr_range as_rchunks as_rchunks_mut as_simd as_simd_mut as_slice binary_search "
        "binary_search_by binary_search_by_key capacity chunk_by chunk_by_mut chunks chunks_exact chunks_exact_mut "
        "chunks_mut clear clone_from_slice concat connect contains copy_from_slice copy_within dedup dedup_by "
        "dedup_by_key drain drain_filter each_mut each_ref element_offset ends_with eq_ignore_ascii_case "
        "escape_ascii extend_from_slice extend_from_within extract_if fill fill_with first first_chunk "
        "first_chunk_mut first_mut flatten flatten_mut from_raw_parts from_raw_parts_in get get_disjoint_mut "
        "get_mut get_unchecked get_unchecked_mut group_by group_by_mut insert insert_mut into_boxed_slice "
        "into_flattened into_raw_parts into_raw_parts_with_alloc into_vec is_ascii is_empty is_sorted is_sorted_by "
        "is_sorted_by_key iter iter_mut join last last_chunk last_chunk_mut last_mut leak len make_ascii_lowercase "
        "make_ascii_uppercase map new new_in partition_dedup partition_dedup_by partition_dedup_by_key "
        "partition_point pop pop_if push push_mut push_within_capacity rchunks rchunks_exact rchunks_exact_mut "
        "rchunks_mut remove repeat reserve reserve_exact resize resize_with retain retain_mut reverse rotate_left "
        "rotate_right rsplit rsplit_array_mut rsplit_array_ref rsplit_mut rsplitn rsplitn_mut select_nth_unstable "
        "select_nth_unstable_by select_nth_unstable_by_key set_len shrink_to shrink_to_fit sort sort_by "
        "sort_by_cached_key sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key spare_capacity_mut "
        "splice split split_array_mut split_array_ref split_at split_at_checked split_at_mut split_at_mut_checked "
        "split_at_mut_unchecked split_at_spare_mut split_at_unchecked split_first split_first_chunk split_first_mut "
        "split_inclusive split_inclusive_mut split_last split_last_chunk split_last_mut split_mut split_off "
        "split_off_first split_once splitn splitn_mut starts_with strip_circumfix strip_prefix strip_suffix "
        "subslice_range swap swap_remove swap_unchecked swap_with_slice take take_first take_first_mut take_last "
        "take_last_mut take_mut to_ascii_lowercase to_ascii_uppercase to_vec to_vec_in trim_ascii trim_ascii_end "
        "trim_ascii_start truncate try_map try_reserve try_reserve_exact utf8_chunks windows with_capacity "
        "with_capacity_in write_copy_of_slice zip"
    ).split()
)

_INTEGERS = frozenset(
    (
        "BITS MAX MIN abs abs_diff as_ascii bit_width borrowing_sub carrying_add carrying_mul carrying_sub "
        "cast_signed cast_unsigned checked_abs checked_add checked_add_signed checked_add_unsigned checked_div "
        "checked_div_euclid checked_ilog checked_ilog10 checked_ilog2 checked_isqrt checked_log checked_log10 "
        "checked_log2 checked_mul checked_neg checked_next_multiple_of checked_next_power_of_two checked_pow "
        "checked_rem checked_rem_euclid checked_shl checked_shr checked_signed_diff checked_sub checked_sub_signed "
        "checked_sub_unsigned count_ones count_zeros div_ceil div_euclid div_floor eq_ignore_ascii_case "
        "escape_ascii from_be from_be_bytes from_le from_le_bytes from_ne_bytes from_str_radix highest_one ilog "
        "ilog10 ilog2 is_ascii is_ascii_alphabetic is_ascii_alphanumeric is_ascii_control is_ascii_digit "
        "is_ascii_graphic is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase "
        "is_ascii_whitespace is_multiple_of is_negative is_positive is_power_of_two is_utf16_surrogate "
        "isolate_highest_one isolate_lowest_one isqrt leading_ones leading_zeros log log10 log2 lowest_one "
        "make_ascii_lowercase make_ascii_uppercase max_value midpoint min_value next_multiple_of next_power_of_two "
        "overflowing_abs overflowing_add overflowing_add_signed overflowing_add_unsigned overflowing_div "
        "overflowing_div_euclid overflowing_mul overflowing_neg overflowing_pow overflowing_rem "
        "overflowing_rem_euclid overflowing_shl overflowing_shr overflowing_sub overflowing_sub_unsigned pow "
        "rem_euclid reverse_bits rotate_left rotate_right saturating_abs saturating_add saturating_add_signed "
        "saturating_add_unsigned saturating_div saturating_mul saturating_neg saturating_pow saturating_sub "
        "saturating_sub_unsigned signum strict_add strict_div strict_mul strict_neg strict_pow strict_rem "
        "strict_shl strict_shr strict_sub swap_bytes to_ascii_lowercase to_ascii_uppercase to_be to_be_bytes to_le "
        "to_le_bytes to_ne_bytes trailing_ones trailing_zeros unbounded_shl unbounded_shr unchecked_add "
        "unchecked_mul unchecked_neg unchecked_shl unchecked_shr unchecked_sub unsigned_abs widening_mul "
        "wrapping_abs wrapping_add wrapping_add_signed wrapping_add_unsigned wrapping_div wrapping_div_euclid "
        "wrapping_mul wrapping_neg wrapping_next_power_of_two wrapping_pow wrapping_rem wrapping_rem_euclid "
        "wrapping_shl wrapping_shr wrapping_sub wrapping_sub_unsigned"
    ).split()
)

_FLOATS = frozenset(
    (
        "DIGITS E EPSILON FRAC_1_PI FRAC_1_SQRT_2 FRAC_2_PI FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 "
        "FRAC_PI_8 INFINITY LN_10 LN_2 LOG10_2 LOG10_E LOG2_10 LOG2_E MANTISSA_DIGITS MAX MAX_10_EXP "
        "MAX_EXACT_INTEGER MAX_EXP MIN MIN_10_EXP MIN_EXACT_INTEGER MIN_EXP MIN_POSITIVE NAN NEG_INFINITY PI RADIX "
        "SQRT_2 TAU abs abs_sub acos acosh asin asinh atan atan2 atanh cbrt ceil clamp clamp_magnitude classify "
        "copysign cos cosh div_euclid exp exp2 exp_m1 floor fract from_be_bytes from_bits from_le_bytes "
        "from_ne_bytes gamma hypot is_finite is_infinite is_nan is_negative is_normal is_positive is_sign_negative "
        "is_sign_positive is_subnormal ln ln_1p ln_gamma log log10 log2 max maximum midpoint min minimum mul_add "
        "next_down next_up powf powi recip rem_euclid round round_ties_even signum sin sin_cos sinh sqrt tan tanh "
        "to_be_bytes to_bits to_degrees to_int_unchecked to_le_bytes to_ne_bytes to_radians total_cmp trunc"
    ).split()
)

_CHARACTERS = frozenset(
    (
        "MAX MAX_LEN_UTF16 MAX_LEN_UTF8 MIN REPLACEMENT_CHARACTER UNICODE_VERSION as_ascii decode_utf16 "
        "encode_utf16 encode_utf8 eq_ignore_ascii_case escape_debug escape_default escape_unicode from_digit "
        "from_u32 from_u32_unchecked is_alphabetic is_alphanumeric is_ascii is_ascii_alphabetic "
        "is_ascii_alphanumeric is_ascii_control is_ascii_digit is_ascii_graphic is_ascii_hexdigit "
        "is_ascii_lowercase is_ascii_octdigit is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace "
        "is_control is_digit is_lowercase is_numeric is_uppercase is_whitespace len_utf16 len_utf8 "
        "make_ascii_lowercase make_ascii_uppercase to_ascii_lowercase to_ascii_uppercase to_digit to_lowercase "
        "to_uppercase"
    ).split()
)

_BOOLEANS = frozenset(("ok_or ok_or_else select_unpredictable then then_some").split())

_POINTERS = frozenset(
    (
        "add addr align_offset as_const as_mut as_mut_ptr as_ptr as_ref as_uninit_mut as_uninit_ref as_uninit_slice "
        "as_uninit_slice_mut byte_add byte_offset byte_offset_from byte_sub cast cast_array cast_const cast_mut "
        "cast_slice_mut cast_uninit copy_from copy_from_nonoverlapping copy_to copy_to_nonoverlapping drop_in_place "
        "expose_addr expose_provenance from_bits get_unchecked get_unchecked_mut guaranteed_eq guaranteed_ne "
        "is_aligned is_aligned_to is_empty is_null len map_addr mask offset offset_from offset_from_unsigned read "
        "read_unaligned read_volatile replace split_at_mut split_at_mut_unchecked sub sub_ptr swap to_bits "
        "to_raw_parts try_cast_aligned with_addr with_metadata_of wrapping_add wrapping_byte_add "
        "wrapping_byte_offset wrapping_byte_sub wrapping_offset wrapping_sub write write_bytes write_unaligned "
        "write_volatile"
    ).split()
)

_OPTIONS = frozenset(
    (
        "and and_then as_deref as_deref_mut as_mut as_mut_slice as_pin_mut as_pin_ref as_ref as_slice cloned "
        "contains copied expect filter flatten get_or_insert get_or_insert_default get_or_insert_with insert "
        "inspect is_none is_none_or is_some is_some_and iter iter_mut map map_or map_or_else ok_or ok_or_else or "
        "or_else reduce replace take take_if transpose unwrap unwrap_or unwrap_or_default unwrap_or_else "
        "unwrap_unchecked unzip xor zip zip_with"
    ).split()
)

_RESULTS = frozenset(
    (
        "and and_then as_deref as_deref_mut as_mut as_ref cloned contains contains_err copied err expect expect_err "
        "flatten inspect inspect_err into_err into_ok into_ok_or_err is_err is_err_and is_ok is_ok_and iter "
        "iter_mut map map_err map_or map_or_else ok or or_else transpose unwrap unwrap_err unwrap_err_unchecked "
        "unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked"
    ).split()
)

_MADE = (
    "Arc BTreeMap BTreeSet BinaryHeap Box BufReader BufWriter Cell Cursor HashMap HashSet LinkedList Mutex OnceCell "
    "OnceLock PathBuf Rc RefCell RwLock VecDeque"
).split()
"""Types of which only that they are made by ``new`` is said here."""

OWN_MEMBERS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(_MADE, frozenset({"new"})),
    **dict.fromkeys(("str", "String"), _TEXTS),
    **dict.fromkeys((COLLECTION, "Vec"), _LISTS),
    **dict.fromkeys("i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize".split(), _INTEGERS),
    **dict.fromkeys(("f32", "f64"), _FLOATS),
    "char": _CHARACTERS,
    "bool": _BOOLEANS,
    **dict.fromkeys(POINTERS, _POINTERS),
    "Option": _OPTIONS,
    "Result": _RESULTS,
}
"""By the name that terms have for a type, or by its own name."""

_OF_ITERATORS = frozenset(
    (
        "all any by_ref chain cloned collect copied count cycle enumerate eq extend filter filter_map find find_map "
        "flat_map flatten fold for_each fuse ge gt inspect into_iter is_sorted last le lt map map_while max max_by "
        "max_by_key min min_by min_by_key ne next next_back nth nth_back partial_cmp partition peek peekable position "
        "product reduce rev rfind rfold rposition scan size_hint skip skip_while step_by sum take take_while try_fold "
        "try_for_each unzip zip"
    ).split()
)
_OF_TRAITS = frozenset("as_mut as_ref clone cmp default deref eq fmt hash into to_owned to_string try_into".split())
_OF_MAPS = frozenset(
    (
        "clear contains contains_key drain entry extend first_key_value get get_key_value get_mut insert into_keys "
        "into_values is_empty is_subset iter iter_mut keys last_key_value len lock pop_first pop_last range remove "
        "remove_entry retain send recv try_lock union values values_mut"
    ).split()
)

_MAKING = ("new", "from", "with_", "default")
"""How the names of functions begin that are called by a path, which says of what type they are."""

COMMON: Final = frozenset(
    name
    for name in frozenset().union(*OWN_MEMBERS.values(), _OF_ITERATORS, _OF_TRAITS, _OF_MAPS)
    if not name.startswith(_MAKING)
)
"""Names of methods that many types of the standard library have."""
