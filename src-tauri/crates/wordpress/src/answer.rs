//! What the answer to a creating request proves.
