/** Within so many bytes an XML declaration has ended. */
const declarationLength = 200

/**
 * The text of an XML document: in UTF-16 where it begins with the mark of that, else in the encoding that it names,
 * else in UTF-8.
 */
export function decodeDocument(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const start = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.length, declarationLength),
  ).toString('latin1')
  const encoding = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start.replace(/^ï»¿/, ''))?.[1]
  return decoderOf(encoding ?? 'utf-8').decode(bytes)
}

/** What declares an encoding that it cannot be written in is written in UTF-8. */
function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  if (/^utf-?16/i.test(encoding)) return new TextDecoder()
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder()
  }
}
