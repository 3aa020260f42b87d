import type { ODataError } from '../../errors/odata-error.js'
import { escapeText } from '../../xml/escape-xml.js'
import { metadataNamespace } from '../../xml/namespaces.js'
import { xmlDeclaration } from './documents.js'

/** @spec MS-ODATA 2.2.8.2 */
export function errorDocument({ code, message, innererror }: ODataError): string {
  const inner = innererror === undefined ? '' : innerError(innererror)
  return (
    `${xmlDeclaration}<error xmlns="${metadataNamespace}"><code>${escapeText(code)}</code>` +
    `<message xml:lang="en">${escapeText(message)}</message>${inner}</error>`
  )
}

const elementName = /^[A-Za-z_][\w.-]*$/

function innerError(data: unknown): string {
  try {
    return `<innererror>${contentOf(data)}</innererror>`
  } catch {
    // What goes in circles or throws cannot be written; the error itself is worth more.
    return ''
  }
}

/**
 * Plain data as elements: members by their name, items of arrays each in an element of the array's name. Only the
 * messages of `errordetails` stand within one element, each in an `errordetail`, as clients of SAP's services read them.
 */
function contentOf(data: unknown): string {
  if (typeof data === 'string') return escapeText(data)
  if (typeof data === 'number' || typeof data === 'boolean' || typeof data === 'bigint') return String(data)
  if (typeof data !== 'object' || data === null) return ''
  return Object.entries(data)
    .filter(([name, value]) => elementName.test(name) && value !== undefined)
    .flatMap(([name, value]) =>
      name === 'errordetails' && Array.isArray(value)
        ? element(name, contentOf({ errordetail: value as unknown[] }))
        : (Array.isArray(value) ? value : [value]).map((one) => element(name, contentOf(one))),
    )
    .join('')
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`
}
