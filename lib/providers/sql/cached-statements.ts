/**
 * Longer statements, in characters, are neither cached as prepared statements nor in the result cache: they take
 * several times the memory of their text, and filters with a thousand values rarely repeat.
 */
export const MAX_CACHED_STATEMENT_LENGTH = 50_000
