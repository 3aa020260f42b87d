import { plainTextType } from '../formats/raw-value.js'
import type { ResourceMethods } from './request-session.js'

/** URI 15 and 16: a number in digits. @spec MS-ODATA 2.2.6.5.10 */
export const entityCount: ResourceMethods<'EntityCount'> = {
  async GET({ of }, session) {
    const data = await session.reader()
    const count = await data.count(of, session.query)
    return { status: 200, headers: session.headers(plainTextType), body: String(count) }
  },
}
