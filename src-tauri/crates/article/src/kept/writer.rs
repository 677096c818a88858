//! Kept blocks become text again.

use super::{Attributes, Kept};
use crate::block::{Piece, Writer, push_json_characters, push_json_string};
use crate::compose::ComposeError;

impl Writer<'_> {
    /// Writes a block with the delimiters that its author wrote, and nothing more between them.
    pub(crate) fn kept(
        &mut self,
        kept: &Kept,
        pieces: &[Piece],
        marker: Option<&str>,
    ) -> Result<(), ComposeError> {
        self.out.push_str("<!-- wp:");
        self.out.push_str(&kept.name);
        if !kept.attributes.is_empty() || marker.is_some() {
            self.out.push(' ');
            self.kept_attributes(&kept.attributes, marker)?;
        }
        if kept.is_void {
            self.out.push_str(" /-->");
            return Ok(());
        }
        self.out.push_str(" -->");
        // One by one: what stands between blocks is among them.
        for piece in pieces {
            self.pieces(std::slice::from_ref(piece))?;
        }
        self.out.push_str("<!-- /wp:");
        self.out.push_str(&kept.name);
        self.out.push_str(" -->");
        Ok(())
    }

    fn kept_attributes(
        &mut self,
        attributes: &[Attributes],
        marker: Option<&str>,
    ) -> Result<(), ComposeError> {
        let start = self.out.len();
        for piece in attributes {
            match piece {
                Attributes::Json(json) => self.out.push_str(json),
                Attributes::ImageId(index) => {
                    let id = self.image(*index)?.id.to_string();
                    self.out.push_str(&id);
                }
                Attributes::ImageUrl(index) => {
                    let url = &self.image(*index)?.url;
                    push_json_characters(&mut self.out, url);
                }
            }
        }
        if let Some(marker) = marker {
            let is_object = self.out.len() > start && self.out.pop() == Some('}');
            if !is_object {
                self.out.push('{');
            }
            let mut first = self.out[start..].trim() == "{";
            self.attribute_name(&mut first, "ichido");
            push_json_string(&mut self.out, marker);
            self.out.push('}');
        }
        Ok(())
    }
}
