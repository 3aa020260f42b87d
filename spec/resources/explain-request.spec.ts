import { memoryProvider } from '../../lib/index.js'
import { defineModel } from '../../lib/edm/define-model.js'
import { odataV2 } from '../../lib/odata-v2.js'
import express from 'express'
import { TestServer } from '../support/http-exchange.js'
import { describeDatabases, SqlServer } from '../support/sql/databases.js'

const model = defineModel({
  namespace: 'Shop',
  entityTypes: {
    Product: {
      key: ['Id'],
      properties: {
        Id: { type: 'Edm.Int32', nullable: false },
        Name: { type: 'Edm.String', nullable: false, maxLength: 40 },
        Rating: { type: 'Edm.Int32', nullable: false },
        Words: { type: 'Edm.String' },
      },
    },
  },
  entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
})

/** Many rows: PostgreSQL reads small tables without their indexes. */
const tables = [
  'create table products (id integer primary key, name varchar(40) not null, rating integer not null, words text)',
  `insert into products with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
    select i, 'Product ' || i, i % 50, 'ß' from n`,
]

interface Explained {
  readonly reads: readonly Readonly<Record<'provider' | 'service', readonly string[]>>[]
  readonly statements: readonly {
    readonly text: string
    readonly plan: readonly string[]
    readonly advice: readonly string[]
  }[]
}

describe('An explained request', () => {
  describeDatabases(({ kind, open }) => {
    let server: SqlServer
    beforeAll(async () => {
      const db = await open(tables)
      server = await SqlServer.start(model, db, { explain: true })
    })
    afterAll(() => server.stop())

    const explained = async (query: string): Promise<Explained> => {
      const { status, text } = await server.send('GET', `Products?${query}&explain=true`)
      expect([status, text]).toEqual([200, text])
      return JSON.parse(text) as Explained
    }

    it('MUST show the query of the provider, the statements, their plans, and the index that they need', async () => {
      const query = "$filter=Rating eq 7 and Name gt 'M'&$orderby=Name desc&$top=5".replaceAll(' ', '%20')
      const { reads, statements } = await explained(query)
      expect(reads).toEqual([
        {
          entitySet: 'Products',
          provider: ["$filter=Rating eq 7 and Name gt 'M'", '$orderby=Name desc,Id', '$top=5'],
          service: [],
        },
      ])
      // The first read of SQLite looks up how many rows a statement may read.
      const statement = statements.at(-1)
      expect(statement?.text).toMatch(/^select .* from "products" /)
      expect(statement?.plan.join('\n')).toMatch(kind === 'sqlite' ? /SCAN/ : /Seq Scan on products/)
      expect(statement?.advice).toEqual(['create index … on "products" ("rating", "name" desc, "id")'])
    })

    it('MUST NOT recommend an index where the database uses one', async () => {
      const { statements } = await explained('$filter=Id%20eq%207')
      expect(statements.map(({ advice }) => advice)).toEqual([[]])
      expect(statements[0]?.plan.join('\n')).toMatch(/SEARCH|Index Scan/)
    })

    it.each([
      '',
      '$orderby=Id%20desc',
      '$filter=length(Name)%20gt%203',
      '$filter=Id%20gt%207%20or%20Rating%20eq%207',
    ])('MUST NOT recommend an index that the table has for its key: %p', async (query) => {
      const { statements } = await explained(query)
      expect(statements.map(({ advice }) => advice)).toEqual(statements.map(() => []))
    })

    it('MUST show the conditions of the service, with the reasons', async () => {
      const { reads } = await explained("$filter=isof(Words,'Edm.String')%20and%20Rating%20gt%203&$top=2")
      expect(reads[0]?.provider).toContain('$filter=Rating gt 3')
      expect(reads[0]?.service).toEqual([
        "$filter=isof(Words,'Edm.String'): the provider does not evaluate it exactly as OData does, or not at all.",
        '$skip and $top: the service evaluates conditions before it.',
      ])
    })

    it('MUST be a read outside of batches, with the value true', async () => {
      expect(await server.refusal('POST', 'Products?explain=true', { Id: 1, Name: 'x' })).toEqual([
        400,
        'Only requests that read can be explained.',
      ])
      expect(await server.refusal('GET', 'Products?explain=yes')).toEqual([
        400,
        "'explain' must be true or false, not 'yes'.",
      ])
      const plain = await server.send('GET', 'Products?$top=1&explain=false')
      expect((plain.json as { readonly results?: unknown[] }).results).toHaveLength(1)
    })
  })

  it('MUST NOT exist without the option, so that applications can use the name', async () => {
    const service = odataV2(model, memoryProvider(model, { Products: [] }))
    const server = await TestServer.start(express().use(service))
    expect((await server.send('/Products?explain=true')).text).toContain('<feed')
    await server.stop()
  })
})
