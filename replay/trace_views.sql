-- Purpose: other names for parts of a trace's tables. Every trace has them.
-- Inputs:  dataset, need, residence, output, holder

-- grain: one row per shuffle
-- The rows of dataset that are shuffles.
CREATE VIEW shuffle AS
SELECT * EXCLUDE (kind)
FROM dataset
WHERE kind = 'shuffle';

-- grain: one row per shuffle and stage attempt that reads it
-- The rows of need whose dataset is a shuffle: the edges between stages.
CREATE VIEW edge AS
SELECT need.*
FROM need
JOIN dataset USING (app, dataset)
WHERE dataset.kind = 'shuffle';
