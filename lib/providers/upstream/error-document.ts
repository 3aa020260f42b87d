import type { ODataErrorDetail } from '../../errors/odata-error.js'
import { isRecord } from '../../util/is-record.js'
import { parseXml, XmlError } from '../../xml/parse-xml.js'
import type { XmlElement } from '../../xml/xml-element.js'
import { childElements, textOf } from '../../xml/xml-element.js'

/** The content of an error document. */
interface ErrorDocument {
  readonly code?: string | undefined
  readonly message?: string | undefined
  readonly target?: string | undefined
  readonly details?: readonly ODataErrorDetail[]
}

/** The longest message of an upstream service that is passed on. */
export const MAX_MESSAGE_LENGTH = 2_000

/** Reads an error document: JSON of OData V4 or V2, or the XML with which V2 services respond if they ignore `Accept`. */
export function readErrorDocument(text: string): ErrorDocument {
  const isXml = text.trimStart().startsWith('<')
  const error = isXml ? errorInXml(text) : errorInJson(text)
  if (!isRecord(error)) return {}
  const { code, message, target, details, innererror } = error
  const all = details ?? (isRecord(innererror) ? innererror.errordetails : undefined)
  return {
    code: stringOf(code),
    // In OData V2, the message has a language, and the details are those of SAP.
    message: stringOf(isRecord(message) ? message.value : message),
    target: stringOf(target),
    details: Array.isArray(all) ? all.filter(isRecord).flatMap(detailOf) : [],
  }
}

function errorInJson(text: string): unknown {
  const body = jsonOf(text)
  return isRecord(body) ? body.error : undefined
}

/** Parses JSON; returns undefined for other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function errorInXml(text: string): unknown {
  try {
    const root = parseXml(text)
    if (root.name !== 'error') return undefined
    const details = childElements(root)
      .filter(({ name }) => name === 'innererror')
      .flatMap((inner) => childElements(inner))
      .filter(({ name }) => name === 'errordetails')
      .flatMap((list) => childElements(list).map(membersOf))
    return { ...membersOf(root), details }
  } catch (error) {
    if (error instanceof XmlError) return undefined
    throw error
  }
}

function membersOf(element: XmlElement): Record<string, unknown> {
  return Object.fromEntries(childElements(element).map((one) => [one.name, textOf(one)]))
}

function detailOf({ code, message, target, propertyref }: Record<string, unknown>): ODataErrorDetail[] {
  const text = stringOf(message)
  return text === undefined
    ? []
    : [{ code: stringOf(code) ?? '', message: text, target: stringOf(target) ?? stringOf(propertyref) }]
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_MESSAGE_LENGTH) : undefined
}
