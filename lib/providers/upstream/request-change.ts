import type { ProviderCall } from '../../provider/provider-call.js'
import type { ChangeResult, UpstreamChange } from './upstream-change.js'
import { headersOfChange, resultOf } from './upstream-change.js'
import type { UpstreamClient } from './upstream-client.js'
import type { UpstreamProtocol } from './upstream-protocol.js'

/** Sends a change as a request of its own. @throws ODataError for a response that is not successful */
export async function requestChange(
  client: UpstreamClient,
  protocol: UpstreamProtocol,
  change: UpstreamChange,
  call: ProviderCall,
): Promise<ChangeResult> {
  const { method, path, body } = change
  const response = await client.send({
    method,
    path,
    headers: headersOfChange(change, protocol),
    body: body === undefined ? undefined : JSON.stringify(body),
    call,
  })
  return resultOf(response, change, call)
}
