import type { MemoryData } from '../../../lib/providers/memory/memory-data.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { describeWriteContract } from '../../contracts/write-contract.js'
import { serveUpstream } from '../../support/upstream-v2.js'

const several = 'The change takes several requests, which can only be made together in one change set: 501.'
const defaults =
  'PUT leaves absent values to the service, which may have defaults that its model does not state.'
const unread =
  'Requests of a change set cannot read entities that earlier ones insert: they are sent together.'

describeWriteContract('openV2', {
  create: (model, rows) =>
    serveUpstream(model, memoryProvider(model, rows as MemoryData), { dialect: 'complete' }),
  fractionDigits: 3,
  without: ['open change sets'],
  differences: {
    'MUST link entities that are added through a navigation property': several,
    'MUST link inline entities to existing entities': several,
    'MUST add nothing and roll back all changes when a referenced entity does not exist': several,
    'MUST link inline and existing entities through link tables': several,
    'MUST leave no links when the last change fails': several,
    'MUST be changed by updates at single ends': several,
    'MUST let several entities share one target, from a derived type too': several,
    'MUST roll back links with the other changes': several,
    'MUST lead to the expected state, one by one': several,
    'PUT MUST reset absent properties to their default or null': defaults,
    'PUT MUST respond with 400 when a required value is absent, and change nothing': defaults,
    'MUST change the properties of a derived type, but not the type': defaults,
    'MUST resolve Content-ID references to created entities, in addresses and in bodies': unread,
    'MUST lead to the expected state in change sets, each as a whole or not at all': unread,
    'MUST preserve concurrent changes of other members of a complex value':
      'A complex value is merged with the one that was read before, and sent as a whole.',
    'MUST compare the ETag and change the entity atomically':
      'The provider has ETags of its own: conditions are ETags, not versions.',
    'MUST be rolled back with a change set that fails':
      'Media resources are streamed, and cannot be part of a change set: 501.',
  },
})
