import { messageHeader } from '../http/message-header.js'
import { DerivedRequest } from '../http/derived-request.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { Repeatability } from '../http/repeatability.js'
import { repeatabilityOf } from '../http/repeatability.js'
import { readBody } from '../http/request-body.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { waitOrAbort } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import { partResponse } from './part-response.js'
import { outsideOfChangeSets, RepeatableRequests } from './repeatable-requests.js'
import type { RequestSession } from './request-session.js'
import { visibleMessages } from './visible-messages.js'

type Handle = (session: RequestSession) => PromiseOrValue<ODataResponse>

/**
 * Responds to a repeatable request that is not part of a change set: in a change set of its own, with its record.
 *
 * @returns undefined for other requests
 * @throws ODataError BadRequest for malformed headers
 */
export function repeatRequest(session: RequestSession, handle: Handle): Promise<ODataResponse> | undefined {
  const { binding, request, scope, service } = session
  const { method, plan } = binding
  const isRead = method === 'GET' || method === 'HEAD' || plan.target.kind === 'Batch'
  if (service.repeatable === undefined || isRead || scope?.changeSet !== undefined) return undefined
  const sent = repeatabilityOf((name) => request.header(name))
  return sent && executeOnce(session, new RepeatableRequests(session, service.repeatable), sent, handle)
}

async function executeOnce(
  session: RequestSession,
  repeatable: RepeatableRequests,
  sent: Repeatability,
  handle: Handle,
): Promise<ODataResponse> {
  const { binding, request, scope, settings } = session
  const { batchBytes, bodyBytes, mediaBytes } = settings.limits
  // Resolves the context, which may refuse the request.
  const caller = await repeatable.caller()
  // Handlers check the limit of their body.
  const body = await readBody(request.body(), Math.max(bodyBytes, Math.min(mediaBytes, batchBytes)))
  const whole = new DerivedRequest(request, body)
  const { relativeUri, signal } = request
  const content = { method: binding.method, relativeUri, body }
  const identified = repeatable.identify(sent, caller, content)
  const messageCount = session.messages?.all.length ?? 0
  const [response] = await repeatable.execute([identified], signal, async (changeSet, [observe]) => {
    session.messages?.truncateTo(messageCount)
    const own = { ...outsideOfChangeSets, ...scope, changeSet, onAuthorized: observe }
    const leave = session.enter(own, whole)
    try {
      const handling = session.within(changeSet, () => handle(session))
      const handled = withMessages(await waitOrAbort(Promise.resolve(handling), signal), session)
      const part = { method: request.method, headers: new Map<string, string>(), partContentId: undefined }
      return [await partResponse(handled, part, workOf(session), true)]
    } finally {
      leave()
    }
  })
  const { status, headers, body: responseBody } = required(response)
  return { status, headers, body: responseBody }
}

/** Adds the messages of a request, which its repetitions do not create again. */
function withMessages(response: ODataResponse, session: RequestSession): ODataResponse {
  const { messages, settings } = session
  if (messages === undefined || response.status >= 400) return response
  const header = messageHeader(visibleMessages(messages.all, session), settings.limits.messageBytes)
  if (header === undefined) return response
  return { ...response, headers: { ...response.headers, 'sap-message': header } }
}

function workOf({ request }: RequestSession): Parameters<typeof partResponse>[2] {
  return {
    get signal() {
      return request.signal
    },
    get isAborted() {
      return request.isAborted
    },
    pause: (waiting) => waiting,
  }
}
