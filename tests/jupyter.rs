//! The kernel of Jupyter, as Jupyter's own tools see it: where `VJP_JUPYTER_PYTHON` names a Python that has
//! `jupyter_kernel_test` and `nbconvert`, and `cargo build -p vjp-kernel` has built the kernel.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn install(vjp: &Path, data: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(vjp);
    command.args(["kernel", "install"]).args(options).env("JUPYTER_DATA_DIR", data);
    command.output().unwrap()
}

fn spec(data: &Path) -> Value {
    let text = fs::read_to_string(data.join("kernels/vjp/kernel.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_kernel_that_jupyter_starts_stands_beside_vjp() {
    let folder = tempfile::tempdir().unwrap();
    let vjp = folder.path().join("vjp");
    // A link would be followed.
    fs::hard_link(env!("CARGO_BIN_EXE_vjp"), &vjp)
        .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_vjp"), &vjp).map(drop))
        .unwrap();
    let data = folder.path().join("jupyter");
    let missing = install(&vjp, &data, &[]);
    let says = String::from_utf8_lossy(&missing.stderr);
    assert!(!missing.status.success() && says.contains("there is no vjp-kernel beside"), "{says}");
    assert!(says.contains("help  cargo build --release -p vjp-kernel"), "{says}");
    assert!(!data.exists());
    let kernel = folder.path().join("vjp-kernel");
    fs::write(&kernel, "").unwrap();
    for options in [&[][..], &["--strict", "--dtype", "float32"]] {
        let done = install(&vjp, &data, options);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let mut argv = vec![kernel.to_str().unwrap()];
        argv.extend_from_slice(options);
        argv.push("{connection_file}");
        assert_eq!(spec(&data)["argv"], json!(argv));
        let says = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(says.starts_with("installed in ") && says.ends_with(": choose vjp in Jupyter\n"));
    }
    assert_eq!(fs::read_dir(data.join("kernels/vjp")).unwrap().count(), 1);
    let lost = Command::new(&vjp).args(["kernel", "install"]).env_clear().output().unwrap();
    let says = String::from_utf8_lossy(&lost.stderr);
    assert!(says.starts_with("error  the folder of Jupyter is unknown\n"), "{says}");
}

#[test]
fn a_kernel_that_cannot_be_reached_says_why() {
    let Some(kernel) = kernel() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("connection.json");
    let says = |words: &[&str]| {
        let done = Command::new(&kernel).args(words).output().unwrap();
        assert_eq!(done.status.code(), Some(1));
        String::from_utf8_lossy(&done.stderr).into_owned()
    };
    let help = "\n  help  Jupyter starts this program after vjp kernel install\n";
    assert_eq!(says(&[]), format!("error  vjp-kernel needs a connection file{help}"));
    assert_eq!(says(&["a", "b"]), format!("error  vjp-kernel takes one connection file{help}"));
    let path = file.to_str().unwrap();
    for (text, wanted) in [
        (r#"{"transport": "ipc"}"#, "the transport ipc is not tcp"),
        (
            r#"{"transport": "tcp", "key": "a", "signature_scheme": "hmac-md5"}"#,
            "messages are signed by hmac-md5, not by hmac-sha256",
        ),
    ] {
        fs::write(&file, text).unwrap();
        assert_eq!(says(&[path]), format!("error  {wanted}{help}"));
    }
}

/// The kernel, where it is built.
fn kernel() -> Option<PathBuf> {
    let kernel = Path::new(env!("CARGO_BIN_EXE_vjp")).with_file_name("vjp-kernel");
    if !kernel.is_file() {
        eprintln!("SKIPPED: there is no kernel; cargo build -p vjp-kernel makes it");
        return None;
    }
    Some(kernel)
}

#[test]
fn jupyter_s_own_tools_are_content() {
    if kernel().is_none() {
        return;
    }
    let python = std::env::var("VJP_JUPYTER_PYTHON").ok().filter(|p| !p.is_empty());
    let Some(python) = python else {
        eprintln!(
            "SKIPPED: VJP_JUPYTER_PYTHON names no Python with jupyter_kernel_test and nbconvert"
        );
        return;
    };
    let vjp = Path::new(env!("CARGO_BIN_EXE_vjp"));
    let data = tempfile::tempdir().unwrap();
    assert!(install(vjp, data.path(), &[]).status.success());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jupyter/kernel.py");
    let done = Command::new(python)
        .arg(script)
        .env("JUPYTER_DATA_DIR", data.path())
        .env("VJP", vjp)
        .output()
        .unwrap();
    eprint!("{}", String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
}
