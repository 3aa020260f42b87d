import type { ODataError } from '../../errors/odata-error.js'

/** @spec MS-ODATA 2.2.8.1 */
export function errorDocument(error: ODataError): string {
  const { code, message, innererror } = error
  return JSON.stringify({
    error: {
      code,
      message: { lang: 'en', value: message },
      ...(innererror === undefined ? {} : { innererror }),
    },
  })
}
