import { ODataError } from '../errors/odata-error.js'

/** What the service may do for providers that cannot do it themselves. */
export interface AccessLimits {
  /** How many rows may be looked at to filter, sort, skip or count. */
  readonly scannedRows: number
  /** How many rows may be held at once to sort them. */
  readonly sortedRows: number
}

const deeds: Readonly<Record<keyof AccessLimits, string>> = { scannedRows: 'looked at', sortedRows: 'sorted' }

/** The error of a request that would cost more than a limit allows. */
export function limitExceeded(limit: keyof AccessLimits, limits: AccessLimits): ODataError {
  return new ODataError('LimitExceeded', {
    message:
      `More than ${limits[limit]} entities would have to be ${deeds[limit]}, which is the limit '${limit}' of this ` +
      'service. Narrow the request by $filter or a shorter path.',
    details: { limit },
  })
}
