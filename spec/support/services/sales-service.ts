import express from 'express'
import type { Provider, Row, ServiceOptions } from '../../../lib/index.js'
import { memoryProvider, odataV2, readEdmx } from '../../../lib/index.js'
import { TestServer } from '../http-exchange.js'

const property = (name: string, type: string, sap = ''): string =>
  `<Property Name="${name}" Type="Edm.${type}"${sap === '' ? '' : ` ${sap}`}/>`

/** An analytical set, and an ordinary set that leads to it. */
export const salesModel = readEdmx(`<?xml version="1.0" encoding="utf-8"?>
<edmx:Edmx Version="1.0" xmlns:edmx="http://schemas.microsoft.com/ado/2007/06/edmx">
  <edmx:DataServices xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata" m:DataServiceVersion="2.0">
    <Schema Namespace="A" xmlns="http://schemas.microsoft.com/ado/2008/09/edm" xmlns:sap="http://www.sap.com/Protocols/SAPData">
      <EntityType Name="Sale" sap:semantics="aggregate">
        <Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.String" Nullable="false"/>
        ${property('TotaledProperties', 'String', 'sap:aggregation-role="totaled-properties-list"')}
        ${property('Country', 'String', 'sap:aggregation-role="dimension"')}
        ${property('Customer', 'String', 'sap:aggregation-role="dimension"')}
        ${property('Currency', 'String', 'sap:semantics="currency-code"')}
        ${property('Amount', 'Decimal', 'Precision="15" Scale="2" sap:aggregation-role="measure" sap:unit="Currency"')}
        ${property('Mean', 'Decimal', 'Precision="15" Scale="2" sap:aggregation-role="measure"')}
        ${property('Best', 'Decimal', 'Precision="15" Scale="2" sap:aggregation-role="measure"')}
        ${property('Least', 'Decimal', 'Precision="15" Scale="2" sap:aggregation-role="measure"')}
        ${property('Weight', 'Double', 'sap:aggregation-role="measure"')}
        ${property('Quantity', 'Int32', 'sap:aggregation-role="measure"')}
        ${property('Items', 'Int32', 'sap:aggregation-role="measure"')}
        ${property('Customers', 'Int32', 'sap:aggregation-role="measure"')}
        <NavigationProperty Name="Region" Relationship="A.RegionSales" FromRole="Sale" ToRole="Region"/>
      </EntityType>
      <EntityType Name="Region">
        <Key><PropertyRef Name="Name"/></Key>
        <Property Name="Name" Type="Edm.String" Nullable="false"/>
        <NavigationProperty Name="Sales" Relationship="A.RegionSales" FromRole="Region" ToRole="Sale"/>
      </EntityType>
      <Association Name="RegionSales">
        <End Role="Region" Type="A.Region" Multiplicity="0..1"/>
        <End Role="Sale" Type="A.Sale" Multiplicity="*"/>
        <ReferentialConstraint>
          <Principal Role="Region"><PropertyRef Name="Name"/></Principal>
          <Dependent Role="Sale"><PropertyRef Name="Country"/></Dependent>
        </ReferentialConstraint>
      </Association>
      <EntityContainer Name="C" m:IsDefaultEntityContainer="true">
        <EntitySet Name="Sales" EntityType="A.Sale"/>
        <EntitySet Name="Regions" EntityType="A.Region"/>
        <AssociationSet Name="RegionSales" Association="A.RegionSales">
          <End Role="Region" EntitySet="Regions"/>
          <End Role="Sale" EntitySet="Sales"/>
        </AssociationSet>
      </EntityContainer>
    </Schema>
  </edmx:DataServices>
</edmx:Edmx>`)

/** Returns the statements that create its tables: without ids, which groups have instead. */
export function saleTables(kind: 'sqlite' | 'postgres' | 'mysql'): readonly string[] {
  const number = kind === 'postgres' ? 'numeric(15,2)' : 'decimal(15,2)'
  const text = kind === 'mysql' ? 'varchar(100) character set utf8mb4' : 'text'
  const quote = kind === 'mysql' ? '`' : '"'
  const columns = [
    ...['Country', 'Customer', 'Currency'].map((name) => [name, text]),
    ...['Amount', 'Best'].map((name) => [name, number]),
    ['Quantity', 'integer'],
    ['Weight', 'double precision'],
  ].map(([name, type]) => `${quote}${name}${quote} ${type}`)
  return [
    `create table ${quote}Sales${quote} (${columns.join(', ')})`,
    `create table ${quote}Regions${quote} (${quote}Name${quote} varchar(100) primary key)`,
  ]
}

export const saleRows: readonly Row[] = [
  { Country: 'DE', Customer: 'Anna', Amount: '10.00', Currency: 'EUR', Quantity: 1, Weight: 0.1 },
  { Country: 'FR', Customer: 'Cleo', Amount: '7.50', Currency: 'EUR', Quantity: null, Weight: null },
  { Country: 'DE', Customer: 'Anna', Amount: '20.00', Currency: 'EUR', Quantity: 2, Weight: 0.2 },
  { Country: 'DE', Customer: 'Ben', Amount: '5.00', Currency: 'USD', Quantity: 4, Weight: 0.3 },
]

const regions: readonly Row[] = [{ Name: 'DE' }, { Name: 'FR' }, { Name: 'IT' }]

export const salesOptions: ServiceOptions<unknown, typeof salesModel> = {
  analytics: {
    Sales: {
      measures: {
        Mean: { average: 'Amount' },
        Best: { max: 'Amount' },
        Least: { min: 'Amount' },
        Items: 'count',
        Customers: { countDistinct: 'Customer' },
      },
    },
  },
}

/** Providers of the rows: memory, and one that only reads. */
export const salesProviders: Readonly<
  Record<'memory' | 'a provider that only reads', (rows?: readonly Row[]) => Provider>
> = {
  memory: (rows = saleRows) => memoryProvider(salesModel, { Sales: rows, Regions: regions }),
  'a provider that only reads': (rows = saleRows) => ({
    entitySets: { Sales: { read: () => rows }, Regions: { read: () => regions } },
  }),
}

/** A feed or entry of the service. */
export interface GroupFeed {
  readonly d: {
    readonly results: readonly (Readonly<Record<string, unknown>> & {
      readonly __metadata: { readonly uri: string }
    })[]
    readonly __count?: string
    readonly __next?: string
  }
}

/** A service with an analytical set. */
export class SalesServer {
  private constructor(private readonly server: TestServer) {}

  static async start(provider: Provider, options: ServiceOptions = {}): Promise<SalesServer> {
    const app = express()
    app.use('/a', odataV2(salesModel, provider, { ...salesOptions, ...options }))
    return new SalesServer(await TestServer.start(app))
  }

  stop(): Promise<void> {
    return this.server.stop()
  }

  send(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
    const accept = path === '$metadata' ? 'application/xml' : 'application/json'
    const headers = { Accept: accept, 'Content-Type': 'application/json' }
    const encoded = encodeURI(decodeURI(path))
    return this.server.send(`/a/${encoded}`, { method, headers, ...(body === undefined ? {} : { body }) })
  }

  async get<T = GroupFeed>(path: string): Promise<T> {
    const { status, text } = await this.send('GET', path)
    if (status !== 200) throw new Error(`${status} ${text}`)
    return JSON.parse(text) as T
  }

  /** The values of the groups, without their ids. */
  async groups(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { d } = await this.get(path)
    return d.results.map((group) =>
      Object.fromEntries(Object.entries(group).filter(([name]) => name !== 'ID' && name !== '__metadata')),
    )
  }

  /** Follows an address that the service has sent. */
  follow<T = GroupFeed>(address: string): Promise<T> {
    return this.get<T>(decodeURI(address).replace(/^.*?\/a\//, ''))
  }
}
