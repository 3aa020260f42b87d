import { parseXml } from '../../lib/xml/parse-xml.js'
import type { HttpResponse } from './http-exchange.js'

/** Checks that an expected document is itself well-formed: the recorded files could be wrong. */
export function checkWellFormed({ headers, text }: HttpResponse): void {
  const type = headers['content-type'] ?? ''
  if (/xml(?:;|$)/.test(type)) parseXml(text)
  if (type.includes('json')) JSON.parse(text)
}
