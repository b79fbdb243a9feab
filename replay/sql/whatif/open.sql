-- Purpose: room for what a policy makes, and for its parameters, in memory. It stays for the next policy: when a database is detached, DuckDB gives
--   all free memory of the process back to the system, which takes 5 ms, and asks for it again.
-- Grain:   two catalogs, next and param.
-- Inputs:  none
-- Outputs: none
ATTACH IF NOT EXISTS ':memory:' AS next;
ATTACH IF NOT EXISTS ':memory:' AS param;
