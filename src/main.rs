//! Exit status only: everything else is `shell::cli`.

#[global_allocator]
static ALLOCATOR: vjp::maths::budget::Counting = vjp::maths::budget::Counting;

fn main() -> std::process::ExitCode {
    vjp::shell::cli::main()
}
