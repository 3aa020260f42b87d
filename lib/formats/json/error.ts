import type { ODataError } from '../../errors/odata-error.js'

/** @spec MS-ODATA 2.2.8.1 */
export function errorDocument({ code, message, innererror }: ODataError): string {
  const error = { code, message: { lang: 'en', value: message } }
  if (innererror === undefined) return JSON.stringify({ error })
  try {
    return JSON.stringify({ error: { ...error, innererror } }, bigintAsText)
  } catch {
    // What goes in circles or throws cannot be written; the error itself is worth more.
    return JSON.stringify({ error })
  }
}

function bigintAsText(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
