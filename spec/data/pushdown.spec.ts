import express from 'express'
import request from 'supertest'
import { odataV2 } from '../../lib/odata-v2.js'
import type { ODataV2Options } from '../../lib/odata-v2.js'
import type {
  CountQuery,
  EntitySetProvider,
  KeyQuery,
  Pushdown,
  ReadQuery,
  RelatedQuery,
} from '../../lib/provider/provider.js'
import type { Expression } from '../../lib/query/expression.js'
import type { AnythingFor } from '../support/shelves.js'
import { shelves, shelvesModel } from '../support/shelves.js'

/** The parts of a query that a provider received, in a form that a test can compare. */
type Given = Readonly<Record<string, unknown>>

function givenIn(query: ReadQuery): Given {
  const { filter, orderBy, seek, skip, top, source, properties } = query
  const all = {
    filter: filter && textOf(filter),
    orderBy: orderBy?.map(({ expression, descending }) => textOf(expression) + (descending ? ' desc' : '')),
    seek,
    skip,
    top,
    source: source && [source.entitySet, source.navigation.name, source.row.ID],
    properties: properties && [...properties].sort(),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Expressions of the shapes that are used here. */
function textOf(expression: Expression): string {
  switch (expression.kind) {
    case 'Literal':
      return String(expression.value)
    case 'PropertyPath':
      return [...expression.steps.map(stepName), expression.property.name].join('/')
    case 'Binary':
      return `(${textOf(expression.left)} ${expression.operator} ${textOf(expression.right)})`
    case 'Unary':
      return `${expression.operator} ${textOf(expression.operand)}`
    case 'Call':
      return `${expression.name}(${expression.arguments.map(textOf).join()})`
    default:
      return expression.kind
  }
}

function stepName(step: { readonly kind: string; readonly navigation?: { readonly name: string } }): string {
  return step.navigation?.name ?? step.kind
}

const rows = [1, 2, 3, 4].map((ID) => ({ ID, Name: `item ${ID}`, ShelfID: ID < 4 ? 1 : 2 }))

/** Returns the queries that a provider receives for a request. The rows that it returns do not affect them. */
async function givenFor(
  path: string,
  pushdown: Pushdown,
  more: AnythingFor<EntitySetProvider> = {},
  options: ODataV2Options = {},
): Promise<{ readonly reads: readonly Given[]; readonly offered: readonly string[] }> {
  const reads: Given[] = []
  const offered: string[] = []
  const provider = shelves({
    read(query: ReadQuery) {
      reads.push(givenIn(query))
      return query.source === undefined ? rows : rows.slice(0, 1)
    },
    pushdown: {
      ...pushdown,
      filter(condition: Expression) {
        offered.push(textOf(condition))
        return pushdown.filter?.(condition) ?? false
      },
    },
    ...more,
  })
  const app = express().use('/', odataV2(shelvesModel, provider, { onError: () => undefined, ...options }))
  const response = await request(app).get(path)
  expect([path, response.status]).toEqual([path, 200])
  return { reads, offered }
}

const encoded = encodeURIComponent
const everything: Pushdown = {
  filter: () => true,
  orderBy: () => true,
  navigation: () => true,
  paging: true,
}

describe('A provider', () => {
  it('MUST receive empty queries when it does not declare push-down', async () => {
    const path = `/Items?$filter=${encoded('ID gt 1 and ID lt 9')}&$orderby=Name&$skip=1&$top=1`
    expect((await givenFor(path, {})).reads).toEqual([{}])
  })

  it('MUST be given every part that it accepts', async () => {
    const path = `/Items?$filter=${encoded('ID gt 1')}&$orderby=${encoded('Name desc')}&$skip=1&$top=2`
    expect((await givenFor(path, everything)).reads).toEqual([
      { filter: '(ID gt 1)', orderBy: ['Name desc', 'ID'], skip: 1, top: 2 },
    ])
  })

  it('MUST be offered the conditions of a conjunction one by one, and given those that it accepts', async () => {
    const filter = "ID gt 1 and (Name ne 'x' or ID eq 2) and (ID lt 9 and startswith(Name,'item'))"
    const { reads, offered } = await givenFor(`/Items?$filter=${encoded(filter)}`, {
      ...everything,
      filter: (condition) => condition.kind === 'Binary' && condition.operator !== 'or',
    })
    expect(offered).toEqual(['(ID gt 1)', '((Name ne x) or (ID eq 2))', '(ID lt 9)', 'startswith(Name,item)'])
    // The part of the filter that is left to the service precedes paging, so paging is left to the service
    // too.
    expect(reads).toEqual([{ filter: '((ID gt 1) and (ID lt 9))', orderBy: ['ID'] }])
  })

  it('MUST be given the conditions that it narrows, which the service evaluates again', async () => {
    const narrowing: Pushdown = { ...everything, filter: ({ kind }) => (kind === 'Call' ? 'narrow' : true) }
    const path = `/Items?$filter=${encoded("ID gt 0 and startswith(Name,'item 2')")}&$top=1`
    expect((await givenFor(path, narrowing)).reads).toEqual([
      { filter: '((ID gt 0) and startswith(Name,item 2))', orderBy: ['ID'] },
    ])
    // This provider returns all entities.
    const provider = shelves({ read: () => rows, pushdown: narrowing })
    const app = express().use('/', odataV2(shelvesModel, provider))
    const response = await request(app).get(`${path}&$format=json&$inlinecount=allpages`)
    expect(response.body).toMatchObject({ d: { __count: '1', results: [{ ID: 2 }] } })
    const count = await request(app).get(`/Items/$count?$filter=${encoded("startswith(Name,'item 2')")}`)
    expect(count.text).toBe('1')
  })

  it('MUST be offered the filter of the application like any other', async () => {
    const { offered } = await givenFor(
      '/Items?$filter=ID%20gt%201',
      everything,
      {},
      {
        authorize: () => "Name ne 'x' and ID lt 9",
      },
    )
    expect(offered).toEqual(['(Name ne x)', '(ID lt 9)', '(ID gt 1)'])
  })

  it('MUST not receive skip and top when it does not sort', async () => {
    const { reads } = await givenFor('/Items?$skip=1&$top=2', { ...everything, orderBy: () => false })
    expect(reads).toEqual([{}])
  })

  it('MUST be requested one row more than the page size, and no more than the client requests', async () => {
    const paged = async (query: string): Promise<readonly Given[]> =>
      (await givenFor(`/Items${query}`, everything, {}, { pageSize: 3 })).reads
    expect(await paged('')).toEqual([{ orderBy: ['ID'], top: 4 }])
    expect(await paged('?$top=10')).toEqual([{ orderBy: ['ID'], top: 4 }])
    expect(await paged('?$top=3')).toEqual([{ orderBy: ['ID'], top: 3 }])
    expect(await paged('?$top=2')).toEqual([{ orderBy: ['ID'], top: 2 }])
    const { reads } = await givenFor('/Items', everything, {}, { pageSize: 0 })
    expect(reads).toEqual([{ orderBy: ['ID'] }])
  })

  it('MUST receive the start of a page as values of the terms of the order', async () => {
    const { reads } = await givenFor("/Items?$orderby=Name%20desc&$skiptoken='item%203',3", everything)
    expect(reads).toEqual([{ orderBy: ['Name desc', 'ID'], seek: ['item 3', 3], top: 1001 }])
    const seeking = await givenFor('/Items?$orderby=Name&$skiptoken=null,3', {
      ...everything,
      orderBy: () => false,
    })
    expect(seeking.reads).toEqual([{}])
  })

  it('MUST receive the properties that are read, including those of keys, joins and conditions', async () => {
    const { reads } = await givenFor(`/Items?$select=Name&$filter=${encoded('ShelfID gt 0')}`, {
      ...everything,
      filter: () => false,
    })
    expect(reads[0]?.properties).toEqual(['ID', 'Name', 'ShelfID'])
    expect((await givenFor('/Items?$select=Name', everything)).reads[0]?.properties).toEqual(['ID', 'Name'])
    const joined = await givenFor('/Items?$select=Shelf&$expand=Shelf', everything)
    expect(joined.reads[0]?.properties).toEqual(['ID', 'Shelf', 'ShelfID'])
    const ordered = await givenFor('/Items?$select=ID&$orderby=Name', {})
    expect(ordered.reads[0]?.properties).toEqual(['ID', 'Name'])
    expect((await givenFor('/Items', everything)).reads[0]).not.toHaveProperty('properties')
    expect((await givenFor('/Items?$select=*', everything)).reads[0]?.properties).toEqual([
      'ID',
      'Name',
      'Shelf',
      'ShelfID',
    ])
  })

  it('MUST receive the properties that are read by key', async () => {
    const queries: KeyQuery[] = []
    const readByKey = (_key: unknown, query: KeyQuery): unknown => {
      queries.push(query)
      return rows[0]
    }
    await givenFor('/Items(1)?$select=Name', {}, { readByKey })
    await givenFor('/Items(1)', {}, { readByKey })
    await givenFor('/Items(1)/Name', {}, { readByKey })
    expect(queries.map(({ properties }) => properties && [...properties].sort())).toEqual([
      ['ID', 'Name'],
      undefined,
      ['ID', 'Name'],
    ])
  })

  it('MUST be given the entity to start from when it accepts the navigation property', async () => {
    const path = '/Shelves(1)/Items?$orderby=Name&$top=1'
    expect((await givenFor(path, everything)).reads).toEqual([
      { source: ['Shelves', 'Items', 1], orderBy: ['Name', 'ID'], top: 1 },
    ])
  })

  it('MUST be given a condition instead when it does not, and all the rest that it accepts with it', async () => {
    const path = '/Shelves(1)/Items?$orderby=Name&$top=1'
    const { reads } = await givenFor(path, { ...everything, navigation: () => false })
    expect(reads).toEqual([{ filter: '(ShelfID eq 1)', orderBy: ['Name', 'ID'], top: 1 }])
    const none = await givenFor(path, { orderBy: () => true, paging: true })
    expect(none.reads).toEqual([{ orderBy: ['Name', 'ID'] }])
  })

  it('MUST be called once for the related entities of many entities', async () => {
    const queries: RelatedQuery[] = []
    const readRelated = (query: RelatedQuery): unknown => {
      queries.push(query)
      return query.sources.rows.map(() => [])
    }
    await givenFor('/Shelves?$expand=Items', everything, { readRelated }, { pageSize: 2 })
    expect(queries.map(({ sources, top }) => [sources.navigation.name, sources.rows.length, top])).toEqual([
      ['Items', 2, 3],
    ])
    const joined = await givenFor('/Shelves?$expand=Items', { filter: () => true })
    expect(joined.reads).toEqual([{ filter: '((ShelfID eq 1) or (ShelfID eq 2))' }])
    const restricted = await givenFor(
      '/Shelves?$expand=Items',
      { filter: (condition) => textOf(condition).startsWith('(ID') },
      {},
      { authorize: ({ entitySet }) => (entitySet === 'Items' ? "ID lt 9 and Name ne 'x'" : undefined) },
    )
    expect(restricted.reads).toEqual([{ filter: '(ID lt 9)' }])
    const oneByOne = await givenFor('/Shelves?$expand=Items', everything)
    expect(oneByOne.reads.map(({ source }) => source)).toEqual([
      ['Shelves', 'Items', 1],
      ['Shelves', 'Items', 2],
    ])
  })

  it('MUST count only for conditions that it accepts entirely', async () => {
    const counted: CountQuery[] = []
    const count = (query: CountQuery): number => counted.push(query)
    const path = `/Items/$count?$filter=${encoded('ID gt 1 and ID lt 9')}`
    expect((await givenFor(path, everything, { count })).reads).toEqual([])
    expect(counted.map(({ filter }) => filter && textOf(filter))).toEqual(['((ID gt 1) and (ID lt 9))'])
    const { reads } = await givenFor(
      path,
      { filter: (condition) => condition.kind === 'Binary' && condition.operator === 'gt' },
      { count },
    )
    expect(reads).toEqual([{ filter: '(ID gt 1)' }])
    expect(counted).toHaveLength(1)
  })

  it('MAY be a class, whose methods use its fields', async () => {
    class Table {
      private readonly names = ['ID']
      filter(condition: Expression): boolean {
        return (
          condition.kind === 'Binary' &&
          condition.left.kind === 'PropertyPath' &&
          this.names.includes(condition.left.property.name)
        )
      }
    }
    class Items {
      readonly pushdown = new Table()
      readonly seen: string[] = []
      read({ filter }: ReadQuery): unknown {
        this.seen.push(filter === undefined ? '' : textOf(filter))
        return filter === undefined ? rows : rows.slice(1)
      }
    }
    const items = new Items()
    const base = shelves()
    const entitySets = { ...base.entitySets, Items: items as unknown as EntitySetProvider }
    const provider = { ...base, entitySets }
    const app = express().use('/', odataV2(shelvesModel, provider))
    const filter = encoded("ID gt 1 and Name ne 'x'")
    expect((await request(app).get(`/Items/$count?$filter=${filter}`)).text).toBe('3')
    expect((await request(app).get(`/Items?$filter=${filter}&$inlinecount=allpages`)).status).toBe(200)
    expect(items.seen).toEqual(['(ID gt 1)', '(ID gt 1)'])
  })

  it('MUST not receive parts of a query for which its push-down functions do not return true', async () => {
    const later = {
      filter: () => Promise.resolve(true),
      orderBy: () => 1,
      navigation: () => 'yes',
      paging: 1,
    }
    const { reads } = await givenFor('/Shelves(1)/Items?$filter=ID%20gt%201', later as unknown as Pushdown)
    expect(reads).toEqual([{}])
  })
})
