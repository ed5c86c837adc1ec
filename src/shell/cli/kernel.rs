//! `vjp kernel install`: Jupyter learns how to start the kernel, a program beside this one.

use super::{complain, say};
use crate::cli::status::FAILED;
use crate::session_options::Common;
use anyhow::{Context, Result};
use serde_json::json;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use vjp_session::save::{self, Former, Stamp};
use vjp_text::visible;

/// How the kernel's program is called, without what ends the names of programs here.
const KERNEL: &str = "vjp-kernel";

/// The command that builds it.
const BUILD: &str = "cargo build --release -p vjp-kernel";

/// Writes what Jupyter calls a kernelspec.
///
/// # Errors
/// The folder cannot be found or written.
pub fn install(common: &Common) -> Result<u8> {
    let own = env::current_exe()?;
    let kernel = own.with_file_name(format!("{KERNEL}{}", env::consts::EXE_SUFFIX));
    if !kernel.is_file() {
        complain(&format!("there is no {KERNEL} beside {}", visible::name(&own)), BUILD);
        return Ok(FAILED);
    }
    let Some(folder) = folder() else {
        complain("the folder of Jupyter is unknown", "set JUPYTER_DATA_DIR");
        return Ok(FAILED);
    };
    let folder = folder.join("kernels").join("vjp");
    fs::create_dir_all(&folder).with_context(|| visible::name(&folder))?;
    let mut argv = vec![kernel.display().to_string()];
    argv.extend(common.spelled());
    argv.push("{connection_file}".to_owned());
    let spec = json!({
        "argv": argv,
        "display_name": "vjp",
        "language": "vjp",
        "interrupt_mode": "signal",
    });
    let path = folder.join("kernel.json");
    let stamp = fs::read(&path).ok().map(|former| Stamp::of(&former));
    let former = stamp.as_ref().map_or(Former::Unknown, Former::Known);
    save::save(&path, format!("{spec:#}\n").as_bytes(), former)?;
    say(&format!("installed in {}: choose vjp in Jupyter\n", visible::name(&folder)))
}

/// Where Jupyter keeps what belongs to one person.
fn folder() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = || set("HOME");
    let usual = || match env::consts::OS {
        "macos" => Some(home()?.join("Library/Jupyter")),
        _ => {
            let data = set("XDG_DATA_HOME").or_else(|| Some(home()?.join(".local/share")))?;
            Some(data.join(Path::new("jupyter")))
        }
    };
    set("JUPYTER_DATA_DIR").or_else(usual)
}
