import express from 'express'
import type {
  EdmModel,
  EntitySetProvider,
  ODataV2Options,
  Provider,
  ProviderCall,
  ReadQuery,
} from '../../lib/index.js'
import { defineModel, edm, odataV2 } from '../../lib/index.js'
import { TestServer } from './http-exchange.js'
import { withHandlers } from './with-handlers.js'

export const libraryModel = defineModel({
  namespace: 'Library',
  entityTypes: {
    Shelf: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Room: edm.String(),
        Version: edm.Int32({ nullable: false, concurrencyMode: 'Fixed' }),
      },
      navigationProperties: { Books: { relationship: 'ShelfBooks', fromRole: 'Shelf', toRole: 'Book' } },
    },
    Book: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Title: edm.String(),
        Owner: edm.String(),
        ShelfID: edm.Int32(),
      },
      navigationProperties: { Shelf: { relationship: 'ShelfBooks', fromRole: 'Book', toRole: 'Shelf' } },
    },
  },
  associations: {
    ShelfBooks: {
      ends: { Shelf: { type: 'Shelf', multiplicity: '0..1' }, Book: { type: 'Book', multiplicity: '*' } },
      referentialConstraint: {
        principal: { role: 'Shelf', properties: ['ID'] },
        dependent: { role: 'Book', properties: ['ShelfID'] },
      },
    },
  },
  entityContainer: {
    entitySets: { Shelves: { entityType: 'Shelf' }, Books: { entityType: 'Book' } },
    associationSets: {
      ShelfBooksSet: { association: 'ShelfBooks', ends: { Shelf: 'Shelves', Book: 'Books' } },
    },
    functionImports: { Newest: { returnType: 'Collection(Book)', entitySet: 'Books', httpMethod: 'GET' } },
  },
})

export const json = { Accept: 'application/json' }

type Version = string | number | undefined

/** A provider that counts its reads, and services on it. */
export class Library {
  reads = 0
  version: () => Version | Promise<Version> = () => 1
  readonly versionedSets: (readonly string[])[] = []
  onRead: (call: ProviderCall, query: ReadQuery) => unknown = () => undefined
  books: readonly Record<string, unknown>[] = [
    { ID: 1, Title: 'Emma', Owner: 'ada', ShelfID: 1 },
    { ID: 2, Title: 'Persuasion', Owner: 'bob', ShelfID: 1 },
    { ID: 3, Title: 'Ωmega', Owner: 'ada', ShelfID: 2 },
  ]

  private readonly shelves = [
    { ID: 1, Room: 'A', Version: 7 },
    { ID: 2, Room: 'B', Version: 8 },
  ]

  private set(rows: () => readonly Record<string, unknown>[]): EntitySetProvider {
    return {
      read: async (query, call) => {
        this.reads++
        await this.onRead(call, query)
        return rows()
      },
    }
  }

  readonly provider: Provider = {
    entitySets: { Books: this.set(() => this.books), Shelves: this.set(() => this.shelves) },
    functions: {
      Newest: () => {
        this.reads++
        return this.books.slice(-1)
      },
    },
    dataVersion: (entitySets) => {
      this.versionedSets.push(entitySets)
      return this.version()
    },
  }

  private readonly servers: TestServer[] = []

  /** Starts a service at `/s`. */
  async start(options: ODataV2Options = {}, provider = this.provider): Promise<TestServer> {
    const service = odataV2(libraryModel as EdmModel, withHandlers(provider, libraryModel as EdmModel), {
      onError: () => undefined,
      ...options,
    })
    const server = await TestServer.start(express().use('/s', service))
    this.servers.push(server)
    return server
  }

  async stop(): Promise<void> {
    for (const server of this.servers.splice(0)) await server.stop()
  }

  /** Sends requests and returns, for each, true if it called the provider. */
  async areRead(
    server: TestServer,
    path: string,
    count = 4,
    headers: Readonly<Record<string, string>> = json,
  ): Promise<boolean[]> {
    const reads: boolean[] = []
    for (let time = 0; time < count; time++) {
      const before = this.reads
      const { status } = await server.send(`/s${path}`, { headers })
      if (status !== 200) throw new Error(`${path}: ${String(status)}`)
      reads.push(this.reads > before)
    }
    return reads
  }
}

export const libraryPages = [
  '/Books',
  '/Books?$format=atom',
  "/Books?$filter=Shelf/Room%20eq%20'A'&$orderby=Shelf/Room,Title",
  '/Books?$inlinecount=allpages&$top=1',
  '/Books?$select=Title',
  '/Books?$skiptoken=1',
  '/Books?$expand=Shelf',
  '/Books?$expand=Shelf&$format=atom',
  '/Shelves?$expand=Books',
  '/Shelves(1)?$expand=Books',
  '/Shelves(1)/Books',
  '/Shelves(1)/$links/Books',
  '/Books(1)/$links/Shelf',
  '/Books/$count',
  "/Books/$count?$filter=Owner%20eq%20'ada'",
  '/Shelves(1)/Books/$count',
]
