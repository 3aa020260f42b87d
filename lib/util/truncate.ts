/** Truncates a string of a client for an error message; an ellipsis marks the omitted end. */
export function truncate(text: string, maxLength = 100): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text
}
