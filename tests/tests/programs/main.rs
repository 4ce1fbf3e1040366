//! Programs that libraries assemble, link and run.

mod assemble;
mod launch;
mod machine;
mod saxpy;
