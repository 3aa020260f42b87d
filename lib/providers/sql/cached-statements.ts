/**
 * Longer statements, in characters, are not cached as prepared statements: they take several times the memory of their text,
 * and filters with a thousand values rarely repeat.
 */
export const MAX_CACHED_STATEMENT_LENGTH = 50_000
