import type { RelativeAddress } from './address.js'
import { formatAddress } from './address.js'
import type { App } from './app.js'
import type { Entity } from './payload.js'
import { errorOf, pageOf, parseDocument } from './payload.js'

/**
 * Reads some properties of the entities that a query selects, from all its pages.
 *
 * @param max the largest number of entities
 * @throws Error with the message of the service
 */
export async function readEntities(
  app: App,
  { path, options }: RelativeAddress,
  names: readonly string[],
  max: number,
): Promise<readonly Entity[]> {
  const query = ['$filter', 'search'].map((name) => [name, options.get(name) ?? ''] as const)
  const limits = [['$select', [...new Set(names)].join(',')] as const, ['$top', String(max)] as const]
  const entities: Entity[] = []
  let next: string | undefined = formatAddress(path, [...query, ...limits])
  while (next !== undefined && entities.length < max) {
    const exchange = await app.client.send(next)
    const error = errorOf(exchange)
    if (error !== undefined) throw new Error(error.message)
    const page = pageOf(parseDocument(exchange.text))
    entities.push(...(page?.entities ?? []))
    next = app.client.relative(page?.next)
  }
  return entities
}
