-- Purpose: when the slots that went were there again.
-- Grain:   one row per step of explain.level at which slots went, and whose number came back.
-- Inputs:  none
-- Outputs: step; back: the first later step after which as many slots were live as just before it. Empty: explain/back_rows fills it.
CREATE OR REPLACE TABLE explain.back (step BIGINT, back BIGINT);
