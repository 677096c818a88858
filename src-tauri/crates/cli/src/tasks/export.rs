//! `export`: operations and history for other programs.

use ichido_engine::{Engine, Form};

use crate::failure::Failure;
use crate::out::Out;

pub(crate) fn run(out: &Out, engine: &Engine, csv: bool) -> Result<u8, Failure> {
    let journal = engine.journal()?;
    let form = if csv { Form::Csv } else { Form::Json };
    ichido_engine::export(&journal, form, &mut |line| {
        out.raw(line);
        !out.is_gone()
    })?;
    Ok(0)
}
