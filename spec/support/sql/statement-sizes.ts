import express from 'express'
import { odataV2 } from '../../../lib/odata-v2.js'
import { TestServer } from '../http-exchange.js'
import { alikeModel } from './alike-model.js'
import { alikeDatabase } from './alike-services.js'
import type { AnyDatabase, DatabaseKind } from './model-tables.js'

const nothing = { Categories: [], Products: [], Manuals: [], successions: [] }

/** Builds a filter of the given number of parts, either nested or in sequence. */
type Growing = (parts: number) => string

const nested =
  (start: string, inner: string, end: string): Growing =>
  (parts) =>
    start.repeat(parts) + inner + end.repeat(parts)

const filters: readonly (readonly [what: string, filter: Growing])[] = [
  ['and', nested('', 'ID eq 1', ' and ID eq 1')],
  ['or of and', nested('(ID eq 1 and ', 'Active', ' or Active)')],
  ['eq of what is true or false', nested('(', 'Active', ' eq true)')],
  ['ne of what is true or false', nested('(', 'Active', ' ne false)')],
  ['eq with what is true or false on both sides', nested('((ID gt 1) eq ', 'Active', ')')],
  ['not', nested('not (', 'Active', ')')],
  ['not of eq', nested('not (', 'Active', ' eq (ID gt 1))')],
  ['and within eq', nested('((', 'Active', ' and Active) eq Active)')],
  ['add', (parts) => `Rating${' add 1'.repeat(parts)} gt 1`],
  ['mod', (parts) => `ID${' mod 7'.repeat(parts)} gt 1`],
  ['div', (parts) => `ID${' div 2'.repeat(parts)} gt 1`],
  ['minus', (parts) => `${'-('.repeat(parts)}Rating${')'.repeat(parts)} gt 1`],
  ['numbers of other types', (parts) => `Small${' add Rating sub Tiny'.repeat(parts)} gt 1`],
  ['concat', (parts) => `${nested('concat(Name,', 'Name', ')')(parts)} eq 'a'`],
  ['trim', (parts) => `${nested('trim(', 'Name', ')')(parts)} eq 'a'`],
  ['replace', (parts) => `${nested('replace(', 'Name', ",'b','a')")(parts)} eq 'a'`],
  ['startswith', (parts) => `startswith(Name,${nested('trim(', 'Name', ')')(parts)})`],
  [
    'endswith',
    (parts) => `endswith(${nested('trim(', 'Name', ')')(parts)},${nested('trim(', 'Name', ')')(parts)})`,
  ],
  ['indexof', (parts) => `indexof(${nested('trim(', 'Name', ')')(parts)},'a') gt 1`],
  ['length', (parts) => `length(${nested('concat(Name,', 'Name', ')')(parts)}) gt 1`],
  ['eq of startswith', (parts) => `${'('.repeat(parts)}Active${" eq startswith(Name,'a'))".repeat(parts)}`],
]

/** A database whose statements are noted. */
interface NotedDatabase {
  readonly db: AnyDatabase
  /** Statements since the last call. */
  readonly statements: () => string[]
  readonly close: () => Promise<void>
}

/** The number of entities that are expanded. */
const many = 3_000

/** States how large statements become, and that none is too large for the database. */
export function describeStatementSizes(kind: DatabaseKind, open: () => Promise<NotedDatabase>): void {
  describe(`Statements for ${kind}`, () => {
    let server: TestServer
    let noted: NotedDatabase

    beforeAll(async () => {
      noted = await open()
      const provider = await alikeDatabase(noted.db, kind, nothing)
      const limits = { expandedRows: 10 * many }
      const service = odataV2(alikeModel(), provider, { pageSize: { Categories: 0, Products: 0 }, limits })
      server = await TestServer.start(express().use('/s', service))
    })

    afterAll(async () => {
      await server.stop()
      await noted.close()
    })

    async function sizeFor(filter: string): Promise<number> {
      noted.statements()
      const { status, text } = await server.send(`/s/Products?$filter=${encodeURIComponent(filter)}`)
      expect([status, status === 200 ? '' : text]).toEqual([200, ''])
      return noted.statements().join('').length
    }

    it.each(filters)('MUST grow no more than the filter does: %s', async (_what, filter) => {
      const [four, eight, sixteen] = [
        await sizeFor(filter(4)),
        await sizeFor(filter(8)),
        await sizeFor(filter(16)),
      ]
      expect(four).toBeGreaterThan(0)
      // Twice as many parts may add twice as much, and SQLite the prefix of statements for long filters.
      expect(sixteen - eight).toBeLessThanOrEqual(2.5 * Math.max(eight - four, 100))
    })

    it.each(filters)('MUST not be too much for the database at the limits: %s', async (_what, filter) => {
      for (const parts of [90, 160, 240, 480]) {
        const { status, text } = await server.send(`/s/Products?$filter=${encodeURIComponent(filter(parts))}`)
        expect([parts, status < 500 ? '' : text]).toEqual([parts, ''])
      }
    })

    describe('with thousands of entities', () => {
      beforeAll(async () => {
        const { db } = noted
        for (let from = 1; from <= many; from += 500) {
          const keys = Array.from({ length: 500 }, (_, index) => from + index)
          await db
            .insertInto('Categories')
            .values(keys.map((ID) => ({ ID, Name: `c${ID}`, ParentID: 1 + (ID % 7) })))
            .execute()
          await db
            .insertInto('Products')
            .values(keys.map((ID) => ({ ID, Name: `p${ID}`, CategoryID: ID })))
            .execute()
          await db
            .insertInto('Succession')
            .values(keys.map((ID) => ({ Old_ID: ID, New_ID: many + 1 - ID })))
            .execute()
        }
      })

      it.each([
        ['Categories?$expand=Products', many * 2],
        ['Products?$expand=Category,Successor,Manual', many * 3],
        ['Products?$expand=Category/Parent/Products', many * 4],
        ['Categories?$expand=Parent&$orderby=Parent/Name desc', many * 2],
      ])('MUST read the related entities of all of them: %s', async (path, entities) => {
        noted.statements()
        const { status, text } = await server.send(`/s/${path.replaceAll(' ', '%20')}`, {
          headers: { Accept: 'application/json' },
        })
        expect([status, status === 200 ? '' : text]).toEqual([200, ''])
        expect(text.match(/"type":"NW\./g)).toHaveLength(entities)
        expect(noted.statements().length).toBeLessThan(200)
      })

      it('MUST look for as many keys as a filter may name', async () => {
        const filter = Array.from({ length: 240 }, (_, index) => `ID eq ${index * 10 + 1}`).join(' or ')
        const target = `/s/Products/$count?$filter=${filter.replaceAll(' ', '%20')}`
        expect((await server.send(target)).text).toBe('240')
        const strings = Array.from({ length: 160 }, (_, index) => `Name eq 'p${index}'`).join(' or ')
        const { text } = await server.send(`/s/Products/$count?$filter=${strings.replaceAll(' ', '%20')}`)
        expect(text).toBe('159')
      })
    })
  })
}
