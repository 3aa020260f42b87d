import { plainTextType } from '../formats/raw-value.js'
import type { ResourceMethods } from './resource-context.js'

/** URI 15 and 16: a number in digits. @spec MS-ODATA 2.2.6.5.10 */
export const entityCount: ResourceMethods<'EntityCount'> = {
  async GET({ of }, context) {
    const data = await context.data()
    const count = await data.count(of, context.query)
    return { status: 200, headers: context.headers(plainTextType), body: String(count) }
  },
}
