//! No permit, no creating request.

use crate::id::OpId;
use crate::operation::Kind;

/// Allows one creating request, once.
///
/// It exists only after the operation's `sending` row is durable. It is consumed by the request and
/// can be neither cloned nor read from anywhere.
#[derive(Debug)]
#[must_use = "a permit that is dropped leaves an operation in doubt that was never sent"]
pub struct SendPermit {
    op_id: OpId,
    kind: Kind,
}

impl SendPermit {
    /// Grants a permit. Only the journal calls this (a lint holds it), after its commit of `sending`.
    pub const fn after_durable_commit(op_id: OpId, kind: Kind) -> Self {
        Self { op_id, kind }
    }

    /// Returns the operation that this permit is for.
    #[must_use]
    pub const fn op_id(&self) -> OpId {
        self.op_id
    }

    /// Returns what the operation creates.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }
}
