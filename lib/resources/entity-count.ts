import { ODataError } from '../errors/odata-error.js'
import { PLAIN_TEXT_TYPE } from '../formats/plain-text.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { CollectionSource, EntitySource } from '../query/request-target.js'
import { hasChangeOption } from './change-token.js'
import { isCollection } from '../query/request-target.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import type { RequestSession, ResourceMethods, ResourceRead } from './request-session.js'

/** URI 15 and 16: a number in digits. @spec MS-ODATA 2.2.6.5.10 */
export const entityCount: ResourceMethods<'EntityCount'> = {
  reads: ({ of }) => countRead(of),
  GET: ({ of }, session) => countResponse(of, session),
}

export function countRead(source: CollectionSource | EntitySource): ResourceRead {
  return isCollection(source) ? { authorizes: 'count' } : {}
}

export function countResponse(
  of: CollectionSource | EntitySource,
  session: RequestSession,
): PromiseOrValue<ODataResponse> {
  if (session.service.tracked.size > 0 && hasChangeOption(session.binding.plan.options))
    throw new ODataError('BadRequest', { message: 'Changes cannot be counted: remove the options with !.' })
  const counting = mapValue(session.reader(), (data) =>
    isCollection(of) ? data.count(of, session.authorized) : data.countEntity(of, session.query.filter),
  )
  return mapValue(counting, (count) => ({
    status: 200,
    headers: session.headers(PLAIN_TEXT_TYPE),
    body: String(count),
  }))
}
