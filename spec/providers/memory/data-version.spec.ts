import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { EntitySetProvider } from '../../../lib/provider/provider.js'
import { openMemory } from '../../../lib/providers/memory/memory-provider.js'
import { callWith } from '../../support/provider-call.js'
import { photoData, photoModel } from '../../support/services/photo-service.js'
import type { SentRequest } from './service-responses.js'
import { RespondingService } from './service-responses.js'

const model = photoModel as EdmModel
const call = callWith()
const headers = { accept: 'application/json', 'content-type': 'application/json' }

function start() {
  const { provider } = openMemory(model, photoData(), {})
  const service = new RespondingService(model, provider)
  const { Counters } = provider.entitySets as Readonly<Record<string, EntitySetProvider>>
  if (Counters?.update === undefined) throw new Error('There are no counters to update.')
  return {
    provider,
    service,
    counters: Counters,
    version: (...paths: string[]) => provider.dataVersion?.(paths, call) as number | undefined,
  }
}

const link = { target: '/Counters(1)/$links/Photos', headers }
const changes: readonly (readonly [
  what: string,
  changed: readonly string[],
  requests: readonly SentRequest[],
])[] = [
  [
    'an update',
    ['Counters'],
    [
      {
        method: 'MERGE',
        target: '/Counters(1)',
        headers: { ...headers, 'if-match': '*' },
        body: '{"Value":5}',
      },
    ],
  ],
  [
    'an insert',
    ['Counters'],
    [{ method: 'POST', target: '/Counters', headers, body: '{"ID":2,"Value":1,"Version":1}' }],
  ],
  ['a deletion', ['Photos'], [{ method: 'DELETE', target: '/Photos(1)' }]],
  [
    'new bytes of a media resource',
    ['Photos'],
    [{ method: 'PUT', target: '/Photos(1)/$value', headers: { 'content-type': 'image/png' }, body: 'new' }],
  ],
  [
    'a link',
    ['Counters', 'Photos'],
    [{ ...link, method: 'POST', body: '{"uri":"http://localhost/shop/Photos(1)"}' }],
  ],
]

describe('The version of committed data', () => {
  it.each(changes)('MUST increase with %s, for the changed sets only', async (_, changed, requests) => {
    const { service, version } = start()
    const before = ['Counters', 'Photos'].map((path) => [path, version(path) ?? 0] as const)
    const both = version('Counters', 'Photos')
    for (const one of requests) expect((await service.send(one)).status).toBeLessThan(300)
    for (const [path, old] of before) {
      if (changed.includes(path)) expect(version(path)).toBeGreaterThan(old)
      else expect(version(path)).toBe(old)
    }
    expect(version('Counters', 'Photos')).toBeGreaterThan(both ?? 0)
  })

  it('MUST stay the same while nothing changes', async () => {
    const { service, version } = start()
    const before = version('Counters', 'Photos')
    await service.send({ target: '/Counters?$expand=Photos', headers })
    expect((await service.send({ method: 'DELETE', target: '/Photos(9)' })).status).toBe(404)
    expect(version('Counters', 'Photos')).toBe(before)
  })

  it.each(['commit', 'rollBack'] as const)(
    'MUST be undefined until %s, and greater afterwards',
    async (end) => {
      const { provider, counters, version } = start()
      const before = version('Counters')
      const changeSet = await provider.beginChangeSet?.(call)
      expect(version('Counters')).toBeUndefined()
      await counters.update?.({ ID: 1 }, { Value: 5 }, {}, { ...call, changeSet })
      expect(version('Counters')).toBeUndefined()
      await changeSet?.[end]()
      expect(version('Counters')).toBeGreaterThan(before ?? 0)
    },
  )
})
