import { ODataError } from '../errors/odata-error.js'

/** The identification of a request that a client may send again. */
export interface Repeatability {
  readonly id: string
  /** The identifier of the client; empty without one. */
  readonly client: string
  /** When the request was sent first, in milliseconds since 1970. */
  readonly firstSent: number
  /** The response header that tells whether the request was accepted. */
  readonly resultHeader: string
}

const MAX_ID_LENGTH = 256

const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/
const isoDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d)?$/

const OASIS_RESULT = 'Repeatability-Result'
const SAP_RESULT = 'RepeatabilityResult'

/**
 * Reads the headers of a repeatable request: those of OASIS Repeatable Requests, or those of SAP. A `RequestID` without
 * `RepeatabilityCreation` only correlates requests.
 *
 * @param header returns a header by its name in lower case
 * @returns undefined for a request that is not repeatable
 * @throws ODataError BadRequest if one of two headers is missing or malformed
 */
export function repeatabilityOf(header: (name: string) => string | undefined): Repeatability | undefined {
  const id = header('repeatability-request-id')
  const firstSent = header('repeatability-first-sent')
  if (id !== undefined || firstSent !== undefined) {
    const time = firstSent !== undefined && httpDate.test(firstSent) ? Date.parse(firstSent) : NaN
    if (Number.isNaN(time))
      throw rejected(
        'Repeatability-First-Sent must be a date such as Mon, 23 Nov 2026 09:00:00 GMT.',
        OASIS_RESULT,
      )
    const client = header('repeatability-client-id') ?? ''
    if (client.length > MAX_ID_LENGTH)
      throw rejected('Repeatability-Client-ID must have at most 256 characters.', OASIS_RESULT)
    return {
      id: checkedId('Repeatability-Request-ID', id, OASIS_RESULT),
      client,
      firstSent: time,
      resultHeader: OASIS_RESULT,
    }
  }
  const requestId = header('requestid')
  const creation = header('repeatabilitycreation')
  if (requestId === undefined || creation === undefined) return undefined
  const [, zone] = isoDate.exec(creation) ?? []
  const time = isoDate.test(creation) ? Date.parse(zone === undefined ? `${creation}Z` : creation) : NaN
  if (Number.isNaN(time))
    throw rejected('RepeatabilityCreation must be a date in UTC such as 2026-11-23T09:00:00.', SAP_RESULT)
  return {
    id: checkedId('RequestID', requestId, SAP_RESULT),
    client: '',
    firstSent: time,
    resultHeader: SAP_RESULT,
  }
}

function checkedId(name: string, id: string | undefined, resultHeader: string): string {
  if (id !== undefined && id !== '' && id.length <= MAX_ID_LENGTH) return id
  throw rejected(`${name} must have 1 to ${String(MAX_ID_LENGTH)} characters.`, resultHeader)
}

/** Creates the error for a request that is not executed because of its identification. */
export function rejected(
  message: string,
  resultHeader: string,
  code: 'BadRequest' | 'PreconditionFailed' = 'BadRequest',
): ODataError {
  return new ODataError(code, { message, details: { repeatability: resultHeader } })
}
