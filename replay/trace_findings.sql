-- Purpose: what a reader of a trace must know before trusting its figures: what was wrong with the input, and where
--          invariants of the lineage do not hold.
-- Grain:   one row per problem and per finding.
-- Inputs:  problem, finding, app, source
-- Outputs: class (problem or invariant); kind (of problem, or the invariant's name); app; file; line (of the file's
--          text, from 1); byte_offset (bytes); seq (line over all parts of the log); skipped_bytes (bytes); event; detail
SELECT 'problem' AS class, kind, app, file, line, byte_offset, seq, skipped_bytes, nullif(event, '') AS event, detail
FROM problem
UNION ALL
SELECT 'invariant', finding.check_name, finding.app, source.path, finding.seq - source.first_seq + 1, NULL, finding.seq, NULL, NULL, finding.detail
FROM finding
JOIN app USING (app)
LEFT JOIN source
    ON source.log = app.log
    AND finding.seq >= source.first_seq
    AND finding.seq < source.first_seq + source.lines
ORDER BY class DESC, app, seq, kind, detail, file, byte_offset
