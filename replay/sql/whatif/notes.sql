-- Purpose: what a policy has to say besides.
-- Grain:   one row per note.
-- Inputs:  next.note
-- Outputs: note.
SELECT note::VARCHAR AS note FROM next.note WHERE note IS NOT NULL ORDER BY note;
