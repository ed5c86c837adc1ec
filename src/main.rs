//! Exit status only: everything else is `shell::cli`.

#[global_allocator]
static ALLOCATOR: vjp::tensor::budget::Counting = vjp::tensor::budget::Counting;

fn main() -> std::process::ExitCode {
    vjp::shell::cli::main()
}
