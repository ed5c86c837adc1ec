//! The prompt in a page: the same crates, compiled for the browser. The browser lends a clock and the normal
//! form of names; three functions are all else that passes between the page and them: [`room`] for a question, [`ask`], and [`answer`]. Questions and
//! answers are JSON; [`questions`] has them.

mod questions;

use std::cell::RefCell;

#[global_allocator]
static ALLOCATOR: vjp_tensor::budget::Counting = vjp_tensor::budget::Counting;

thread_local! {
    static QUESTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Where the page writes its question of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    QUESTION.with_borrow_mut(|question| {
        question.clear();
        question.resize(bytes, 0);
        question.as_mut_ptr()
    })
}

/// Answers what stands in the [`room`]; gives the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    let question = QUESTION.take();
    let answer = questions::answer(&question);
    ANSWER.with_borrow_mut(|place| {
        *place = answer;
        place.len()
    })
}

/// Where the answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
