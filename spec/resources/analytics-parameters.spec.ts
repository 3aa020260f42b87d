import express from 'express'
import type { AggregateQuery, Provider, Row } from '../../lib/index.js'
import { defineModel, edm, odataV2 } from '../../lib/index.js'
import { TestServer } from '../support/http-exchange.js'

const model = defineModel({
  namespace: 'A',
  entityTypes: {
    SalesParameters: {
      key: ['Year'],
      sap: { semantics: 'parameters' },
      properties: { Year: edm.String({ nullable: false, sap: { parameter: 'mandatory' } }) },
      navigationProperties: {
        Results: { relationship: 'Results', fromRole: 'Parameters', toRole: 'Results' },
      },
    },
    Sale: {
      key: ['ID'],
      sap: { semantics: 'aggregate' },
      properties: {
        ID: edm.String({ nullable: false }),
        Country: edm.String({ sap: { aggregationRole: 'dimension' } }),
        Amount: edm.Int32({ sap: { aggregationRole: 'measure' }, aggregate: 'sum' }),
      },
    },
  },
  associations: {
    Results: {
      ends: {
        Parameters: { type: 'SalesParameters', multiplicity: '1' },
        Results: { type: 'Sale', multiplicity: '*' },
      },
    },
  },
  entityContainer: {
    entitySets: { SalesParameters: { entityType: 'SalesParameters' }, SalesResults: { entityType: 'Sale' } },
  },
})

const rows = [
  { Year: '2024', Country: 'DE', Amount: 1 },
  { Year: '2024', Country: 'DE', Amount: 2 },
  { Year: '2024', Country: 'FR', Amount: 4 },
  { Year: '2025', Country: 'DE', Amount: 8 },
]

function rowsOf(row: Row | undefined): readonly Row[] {
  return rows.filter(({ Year }) => Year === row?.Year)
}

/** Groups by country without code of the library. */
function groupsOf({ source }: AggregateQuery): readonly Row[] {
  const countries = [...new Set(rowsOf(source?.row).map(({ Country }) => Country))]
  return countries.map((Country) => ({
    Country,
    Amount: rowsOf(source?.row)
      .filter((one) => one.Country === Country)
      .reduce((sum, { Amount }) => sum + Number(Amount), 0),
  }))
}

const parameters: Provider['entitySets'][string] = {
  read: () => [],
  // Every combination of parameters exists.
  readByKey: (key) => key,
}
const navigation = (): boolean => true

const providers: Readonly<Record<string, Provider>> = {
  'read of the provider': {
    entitySets: {
      SalesParameters: parameters,
      SalesResults: { read: ({ source }) => rowsOf(source?.row), pushdown: { navigation } },
    },
  },
  'aggregate of the provider': {
    entitySets: {
      SalesParameters: parameters,
      SalesResults: {
        read: () => [],
        aggregate: groupsOf,
        pushdown: {
          navigation,
          aggregation: ({ groupBy, orderBy }) => groupBy.length > 0 && orderBy === undefined,
        },
      },
    },
  },
}

describe.each(Object.entries(providers))('Parameters of an analytical set in %s', (_name, provider) => {
  let server: TestServer
  beforeAll(async () => {
    server = await TestServer.start(express().use('/a', odataV2(model, provider as never)))
  })
  afterAll(() => server.stop())

  const groupsAt = async (path: string): Promise<unknown> => {
    const { text } = await server.send(`/a/${path}`, { headers: { Accept: 'application/json' } })
    const { d } = JSON.parse(text) as { d: { results: Row[]; __count?: string } }
    return [d.__count, d.results.map(({ Amount, Country }) => [Country, Amount])]
  }

  it('MUST choose the rows that are grouped', async () => {
    const query = '$select=Country,Amount&$orderby=Amount%20desc&$inlinecount=allpages'
    expect(await groupsAt(`SalesParameters('2024')/Results?${query}`)).toEqual([
      '2',
      [
        ['FR', 4],
        ['DE', 3],
      ],
    ])
    expect(await groupsAt(`SalesParameters('2025')/Results?${query}`)).toEqual(['1', [['DE', 8]]])
  })

  it('MUST be announced in $metadata', async () => {
    const { text } = await server.send('/a/$metadata')
    expect(text).toContain('<EntityType Name="SalesParameters" sap:semantics="parameters">')
    expect(text).toContain('sap:parameter="mandatory"')
  })
})
