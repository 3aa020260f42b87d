/**
 * Characters of the longest statement that is kept prepared, or whose results are: a prepared statement takes several
 * times the memory of its text, and long ones, of filters with a thousand values, rarely come again.
 */
export const MAX_CACHED_STATEMENT_LENGTH = 50_000
