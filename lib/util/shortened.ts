/**
 * A text that somebody sent, short enough for a message.
 *
 * @param most characters that are shown; what is left out is an ellipsis
 */
export function shortened(text: string, most = 100): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}
