import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type { EdmModel } from '../../lib/edm/edm-model.js'
import type { Provider } from '../../lib/provider/provider.js'
import type { OpenedService, V2Options } from '../../lib/v2.js'
import { openV2 } from '../../lib/v2.js'
import { FailureCauses } from './failure-causes.js'
import { LiveServer } from './live-server.js'
import { withHandlers } from './with-handlers.js'

/** A V2 service over HTTP, and the provider that reads and changes it. */
export interface ServedUpstream extends OpenedService {
  /** Without a trailing slash. */
  readonly url: string
  dispose(): Promise<void>
}

/** Serves a provider over HTTP, and opens the service. */
export async function serveUpstream(
  model: EdmModel,
  provider: Provider,
  options: V2Options = {},
  serviceOptions: ODataV2Options = {},
): Promise<ServedUpstream> {
  const causes = new FailureCauses()
  const server = await LiveServer.start()
  const settings = { onError: causes.onError, ...serviceOptions }
  server.mount('upstream', odataV2(model, withHandlers(provider, model), settings))
  const url = `http://127.0.0.1:${server.port}/upstream`
  const opened = await openV2(url, options)
  return {
    ...opened,
    url,
    async dispose() {
      opened.close()
      await server.close()
    },
  }
}
