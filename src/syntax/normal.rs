//! Names that are written differently and are one for Python: `ﬁ` is `fi`.

#[cfg(not(target_arch = "wasm32"))]
pub fn nfkc(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfkc().collect()
}

/// A page leaves that to its browser, which has Unicode's tables anyway.
#[cfg(target_arch = "wasm32")]
pub fn nfkc(text: &str) -> String {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        /// Reads so many bytes at `from`, writes what they are at `to`, and gives its length.
        #[link_name = "nfkc"]
        fn normal(from: *const u8, length: usize, to: *mut u8) -> usize;
    }
    // No text becomes more than 11 times as long.
    let mut room = vec![0; 11 * text.len()];
    // SAFETY: the page reads `text` and writes no more than `room` holds.
    let length = unsafe { normal(text.as_ptr(), text.len(), room.as_mut_ptr()) };
    room.truncate(length);
    String::from_utf8(room).unwrap_or_default()
}
