//! How releases for Linux are linked: to fixed addresses, so that starting does not write to every page
//! that holds one. A tenth of a start is spent on that otherwise.

fn main() {
    println!("cargo::rerun-if-changed=src/build.rs");
    let is = |key: &str, value: &str| std::env::var(key).is_ok_and(|v| v == value);
    if is("PROFILE", "release")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
    {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
