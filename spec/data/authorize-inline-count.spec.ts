import request from 'supertest'
import { ODataError } from '../../lib/errors/odata-error.js'
import type { Authorize, Operation } from '../../lib/provider/authorize.js'
import type { Provider } from '../../lib/provider/provider.js'
import { filter } from '../../lib/provider/authorize.js'
import { contractMemory, depot } from '../support/contract-memory.js'
import { contractRows } from '../contracts/contract-data.js'
import { plainProvider } from '../support/plain-provider.js'

const providers: readonly [name: string, provider: () => Provider][] = [
  ['one that counts', () => contractMemory()],
  ['one that does nothing', () => plainProvider(contractRows)],
]

describe.each(providers)('authorize and $inlinecount, for %s', (_name, provider) => {
  async function countOf(authorize: Authorize, query: string): Promise<unknown> {
    const app = depot({ authorize }, provider())
    const { status, body } = await request(app)
      .get(`/depot/Products?$format=json&$inlinecount=allpages${query}`)
      .set('MaxDataServiceVersion', '2.0')
    expect(status).toBe(200)
    return (body as { d: { __count: string } }).d.__count
  }

  it('MUST respond with 403 if the entities must not be counted', async () => {
    const authorize = ({ kind }: Operation): undefined => {
      if (kind === 'count') throw new ODataError('Forbidden')
      return undefined
    }
    const app = depot({ authorize }, provider())
    expect((await request(app).get('/depot/Products/$count')).status).toBe(403)
    expect((await request(app).get('/depot/Products?$inlinecount=allpages')).status).toBe(403)
    expect((await request(app).get('/depot/Products?$inlinecount=none')).status).toBe(200)
    expect((await request(app).get('/depot/Products')).status).toBe(200)
  })

  it.each(['', '&$top=1', '&$orderby=Name', '&$top=0', '&$skip=2'])(
    'MUST count the entities that may be both read and counted: %s',
    async (query) => {
      expect(await countOf(({ kind }) => (kind === 'count' ? 'ID le 3' : 'ID ge 2'), query)).toBe('2')
      expect(await countOf(({ kind }) => (kind === 'count' ? filter`ID le ${3}` : undefined), query)).toBe(
        '3',
      )
      expect(await countOf(() => 'ID le 2', query)).toBe('2')
    },
  )

  it('MUST ask for both, with the same place', async () => {
    const operations: Operation[] = []
    await countOf((operation) => void operations.push(operation), '')
    expect(operations).toEqual([
      { kind: 'read', entitySet: 'Products', expandDepth: 0 },
      { kind: 'count', entitySet: 'Products', expandDepth: 0 },
    ])
  })
})
