//! How the engine travels with a page: compressed, as text.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// Where a page finds what runs it.
pub enum Engine {
    /// Nowhere: the page only reads.
    None,
    /// In the page itself, [`packed`].
    Inside(String),
    /// In a script beside the page: its name.
    Beside(String),
}

/// Signs of a piece of the engine.
const PIECE: usize = 1 << 17;

impl Engine {
    pub(crate) fn html(&self) -> String {
        match self {
            Engine::None => String::new(),
            // In pieces, each of whole bytes: the page starts with one while it reads the next.
            Engine::Inside(text) => {
                let pieces = text.as_bytes().chunks(PIECE).map(String::from_utf8_lossy);
                pieces
                    .map(|piece| format!("<script>{}</script>\n", Engine::script(&piece)))
                    .collect()
            }
            Engine::Beside(file) => format!("<script src=\"{file}\"></script>\n"),
        }
    }

    /// How that script begins.
    pub const FIRST: &str = "vjpEngine(\"";

    /// The script that several pages share. A page that was opened from a disk may read a script beside
    /// it, and no other file.
    pub fn script(packed: &str) -> String {
        format!("{}{packed}\");\n", Engine::FIRST)
    }
}

/// Bytes compressed by gzip and written in base64.
pub fn packed(bytes: &[u8], level: u32) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    base64(&encoder.finish().unwrap_or_default())
}

fn base64(bytes: &[u8]) -> String {
    const SIGNS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let at = |k: usize| u32::from(group.get(k).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for k in 0..4 {
            let sign = SIGNS[(bits >> (18 - 6 * k) & 63) as usize];
            out.push(if k <= group.len() { char::from(sign) } else { '=' });
        }
    }
    out
}
