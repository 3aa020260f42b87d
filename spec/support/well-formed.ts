import { parseXml } from '../../lib/xml/parse-xml.js'
import type { Answer } from './http-exchange.js'

/** What stands in an expected file could be wrong in itself. */
export function checkWellFormed({ headers, text }: Answer): void {
  const type = headers['content-type'] ?? ''
  if (type.includes('xml')) parseXml(text)
  if (type.includes('json')) JSON.parse(text)
}
