import type { MediaStore } from '../../provider/media-store.js'
import type { EntitySetProvider, Provider } from '../../provider/provider.js'
import { membersOf } from './members.js'
import { storeMedia } from './stored-media.js'

/**
 * Stores the media resources of a provider in a {@link MediaStore}. Instead of the bytes, the provider stores a reference of
 * up to 80 bytes, in its own transactions: the object is stored before the change set begins, and deleted when the change
 * set is rolled back; the object that it replaces is deleted after the commit. Media resources that the provider has stored
 * before are served from the provider.
 *
 * @param provider with change sets: `memoryProvider`, `sqlProvider`, or your own
 * @param store where the bytes are stored, such as {@link objectStorage}
 * @returns a provider with the other members of `provider`
 * @throws TypeError if the provider has no `beginChangeSet`, or if none of its entity sets can write media resources
 * @example
 * const storage = objectStorage({ client: s3, bucket: 'shop' })
 * const provider = withMediaStore(memoryProvider(model), storage)
 * app.use('/shop', odataV2(model, provider))
 * @spec MS-ODATA 2.2.7.3 (update of a media resource)
 */
export function withMediaStore<P extends Pick<Provider<never, never>, 'beginChangeSet'>>(
  provider: P,
  store: MediaStore,
): P {
  const inner = provider as unknown as Provider
  if (inner.beginChangeSet === undefined) {
    throw new TypeError('withMediaStore: the provider must have change sets (beginChangeSet).')
  }
  let isUsed = false
  const entitySets: Record<string, EntitySetProvider> = {}
  for (const [name, set] of Object.entries(inner.entitySets)) {
    const stored = storeMedia(set, inner, store)
    isUsed ||= stored !== undefined
    entitySets[name] = stored ?? set
  }
  if (!isUsed) {
    throw new TypeError(
      'withMediaStore: no entity set of the provider can write media resources (hasStream).',
    )
  }
  const check: Provider['check'] = async (call) => {
    await inner.check?.(call)
    await store.check?.(call.signal)
  }
  // These compare the provider that they are called on, or its entity sets, with their own.
  const dataVersion: Provider['dataVersion'] = (names, call) => inner.dataVersion?.(names, call)
  const setAggregated: Provider['setAggregated'] = (properties) => inner.setAggregated?.(properties)
  return {
    ...membersOf(inner),
    ...(inner.dataVersion === undefined ? {} : { dataVersion }),
    ...(inner.setAggregated === undefined ? {} : { setAggregated }),
    entitySets,
    check,
  } as unknown as P
}
