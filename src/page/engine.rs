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

/// The engine without the home folder of whoever built it, which the places of panics name: as many bytes
/// as before.
fn without_home(bytes: &[u8]) -> Vec<u8> {
    const SOURCES: &[u8] = b"/.cargo/registry/src/";
    const HOMES: [&[u8]; 3] = [b"/root", b"/home/", b"/Users/"];
    const LONGEST: usize = 64;
    let mut out = bytes.to_vec();
    let found = |part: &&[u8], home: &[u8]| part.windows(home.len()).rposition(|w| w == home);
    for at in (0..bytes.len()).filter(|at| bytes[*at..].starts_with(SOURCES)) {
        let before = &bytes[at.saturating_sub(LONGEST)..at];
        let Some(home) = HOMES.iter().filter_map(|home| found(&before, home)).max() else {
            continue;
        };
        let start = at - before.len() + home;
        out[start..at + SOURCES.len()].fill(b'/');
    }
    out
}

/// Bytes compressed by gzip and written in base64.
pub fn packed(bytes: &[u8], level: u32) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(level));
    // Writing to memory cannot fail.
    let _ = encoder.write_all(&without_home(bytes));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_names_no_home() {
        let built =
            b"a/home/anna/.cargo/registry/src/index/nom-8/lib.rs\0/root/.cargo/registry/src/i/x.rs";
        let shared = without_home(built);
        assert_eq!(shared.len(), built.len());
        let text = String::from_utf8_lossy(&shared);
        assert!(!text.contains("anna") && !text.contains("root"), "{text}");
        assert!(text.starts_with('a') && text.contains("/index/nom-8/lib.rs\0/"), "{text}");
    }
}
