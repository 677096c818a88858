-- Whether the request of an operation may still be executed. What a person linked, or what was taken for ours by
-- its content alone, does not prove that the request was: it may arrive later all the same.
ALTER TABLE operations ADD COLUMN may_arrive INTEGER NOT NULL DEFAULT 0 CHECK (may_arrive IN (0, 1));
UPDATE operations SET may_arrive = 1
    WHERE may_have_left = 1 AND sent_at IS NOT NULL AND kind IN ('post', 'image')
    AND NOT EXISTS (SELECT 1 FROM history WHERE history.op_id = operations.op_id AND code IN ('created', 'adopted'));
