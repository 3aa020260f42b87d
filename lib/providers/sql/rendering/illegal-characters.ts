const nonCharacters = [Buffer.from('\ufffe'), Buffer.from('\uffff')]

/** Whether a text has characters that XML knows as none and a database takes for others. */
export function hasNonCharacters(text: Buffer): boolean {
  return nonCharacters.some((one) => text.includes(one))
}
