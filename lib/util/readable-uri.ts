/** Decodes percent-encoded UTF-8 for messages. @returns the text itself if it is not */
export function readableUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
