//! The two HTTP clients.

use crate::errors::ClientError;
use crate::options::Options;

#[derive(Debug)]
pub(crate) struct Wire {}

impl Wire {
    pub(crate) fn new(_encrypted: bool, _options: &Options) -> Result<Self, ClientError> {
        Ok(Self {})
    }
}
