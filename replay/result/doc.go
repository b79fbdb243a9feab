// Package result declares what the loss queries of package replay answer: a
// row type and a table declaration for each. It links no DuckDB, so that
// packages analysis and plots can use it.
package result
