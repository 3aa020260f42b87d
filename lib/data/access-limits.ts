import { ODataError } from '../errors/odata-error.js'

/** Limits of the work that the service does for providers that cannot do it themselves. */
export interface AccessLimits {
  /** Maximum number of rows that a request reads to filter, sort, skip or count them. Default: 1,000,000. */
  readonly scannedRows: number
  /** Maximum number of rows in memory for sorting. Default: 100,000. */
  readonly sortedRows: number
  /** Maximum number of related entities in a response, over all levels of `$expand`. Default: 100,000. */
  readonly expandedRows: number
  /** Entities of an export. Default: 1,000,000. */
  readonly exportRows: number
  /** Groups of rows that the service builds in memory. Default: 100,000. */
  readonly groups: number
}

const deeds: Readonly<Record<keyof AccessLimits, string>> = {
  groups: 'grouped',
  scannedRows: 'looked at',
  sortedRows: 'sorted',
  expandedRows: 'shown inline',
  exportRows: 'exported',
}
const remedies: Readonly<Record<keyof AccessLimits, string>> = {
  scannedRows: 'by $filter or a shorter path',
  sortedRows: 'by $filter or a shorter path',
  expandedRows: 'by $filter, $top or fewer levels of $expand',
  exportRows: 'by $filter or $top',
  groups: 'by $filter or fewer properties in $select',
}

/** Returns the error of a request that would cost more than a limit allows. */
export function limitExceeded(limit: keyof AccessLimits, limits: AccessLimits): ODataError {
  return new ODataError('LimitExceeded', {
    message:
      `More than ${limits[limit]} entities would have to be ${deeds[limit]}, which is the limit '${limit}' of this ` +
      `service. Narrow the request ${remedies[limit]}.`,
    details: { limit },
  })
}
