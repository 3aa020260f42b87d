import express from 'express'
import type { AccessRights, EdmModel, ModelDefinition, Operation, Provider } from '../../lib/index.js'
import { defineModel, edm, memoryProvider, odataV2 } from '../../lib/index.js'
import { batchBody, written } from '../support/batch-exchange.js'
import { TestServer } from '../support/http-exchange.js'
import { fc, runs, seed } from '../support/random.js'

const hidden: Readonly<Record<string, AccessRights['hidden']>> = {
  Staff: ['Salary', 'Home/Zip', 'Locked'],
  Vaults: ['Code'],
}

function hideColumns({ entitySet }: Operation): AccessRights | undefined {
  return { hidden: hidden[entitySet ?? ''] }
}

/** @param isWhole false for the model without the hidden columns */
function firmModel(isWhole: boolean): EdmModel {
  const whole = <T>(member: T): T | undefined => (isWhole ? member : undefined)
  const ends = (Vault: string): object => ({
    Person: { type: 'Person', multiplicity: '*' },
    Vault: { type: 'Vault', multiplicity: Vault },
  })
  return defineModel<ModelDefinition>({
    namespace: 'Firm',
    complexTypes: { Address: { properties: { City: edm.String(), ...whole({ Zip: edm.String() }) } } },
    entityTypes: {
      Person: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          Name: edm.String(),
          ...whole({ Salary: edm.Int32({ defaultValue: '7' }) }),
          Home: { type: 'Address' },
          Version: edm.Int32({ concurrencyMode: 'Fixed' }),
          BossID: edm.Int32(),
          VaultID: edm.Int32(),
        },
        navigationProperties: {
          Boss: { relationship: 'Hierarchy', fromRole: 'Report', toRole: 'Boss' },
          Reports: { relationship: 'Hierarchy', fromRole: 'Boss', toRole: 'Report' },
          Vault: { relationship: 'Owner', fromRole: 'Person', toRole: 'Vault' },
          ...whole({ Locked: { relationship: 'Lock', fromRole: 'Person', toRole: 'Vault' } }),
        },
      },
      Vault: {
        key: ['ID'],
        properties: {
          ID: edm.Int32({ nullable: false }),
          ...whole({ Code: edm.String() }),
          Label: edm.String(),
        },
        navigationProperties: { Owners: { relationship: 'Owner', fromRole: 'Vault', toRole: 'Person' } },
      },
    },
    associations: {
      Hierarchy: {
        ends: {
          Boss: { type: 'Person', multiplicity: '0..1' },
          Report: { type: 'Person', multiplicity: '*' },
        },
        referentialConstraint: {
          principal: { role: 'Boss', properties: ['ID'] },
          dependent: { role: 'Report', properties: ['BossID'] },
        },
      },
      Owner: {
        ends: ends('0..1'),
        referentialConstraint: {
          principal: { role: 'Vault', properties: ['ID'] },
          dependent: { role: 'Person', properties: ['VaultID'] },
        },
      },
      Lock: { ends: ends('*') },
    },
    entityContainer: {
      entitySets: { Staff: { entityType: 'Person' }, Vaults: { entityType: 'Vault' } },
      associationSets: {
        Hierarchy: { association: 'Hierarchy', ends: { Boss: 'Staff', Report: 'Staff' } },
        Owner: { association: 'Owner', ends: { Person: 'Staff', Vault: 'Vaults' } },
        Lock: { association: 'Lock', ends: { Person: 'Staff', Vault: 'Vaults' } },
      },
      functionImports: {
        Everybody: { returnType: 'Collection(Person)', entitySet: 'Staff', httpMethod: 'POST' },
      },
    },
  } as ModelDefinition)
}

const wholeModel = firmModel(true)
const smallModel = firmModel(false)

/** @param secrets the hidden values; undefined for rows without them */
function rows(secrets?: Secrets): Record<string, Record<string, unknown>[]> {
  const { code, locked, salary, zip } = secrets ?? {}
  const hide = (values: Record<string, unknown>): object => (secrets === undefined ? {} : values)
  const home = (City: string): object => ({ City, ...hide({ Zip: zip }) })
  return {
    Staff: [
      { ID: 1, Name: 'Ada', Home: home('Bern'), Version: 1, BossID: null, VaultID: 1 },
      { ID: 2, Name: 'Bob', Home: home('Basel'), Version: 1, BossID: 1, VaultID: 2 },
      { ID: 3, Name: 'Cid', Home: null, Version: 1, BossID: 2, VaultID: null },
    ].map((row) => ({ ...row, ...hide({ Salary: salary, Locked: locked === true ? [{ ID: 1 }] : [] }) })),
    Vaults: [
      { ID: 1, Label: 'x', ...hide({ Code: code }) },
      { ID: 2, Label: 'y', ...hide({ Code: 'b' }) },
    ],
  }
}

interface Secrets {
  readonly salary: number | null
  readonly zip: string | null
  readonly code: string | null
  readonly locked: boolean
}

const secrets: fc.Arbitrary<Secrets> = fc.record({
  salary: fc.constantFrom(null, 0, 9000, 2_147_483_647),
  zip: fc.constantFrom(null, '', '3000'),
  code: fc.constantFrom(null, 'Ada', 'x'),
  locked: fc.boolean(),
})

const key = fc.constantFrom('1', '2', '3', '9')
const names = [
  'ID',
  'Name',
  'Salary',
  'Salry',
  'Home',
  'Home/Zip',
  'Home/City',
  'Version',
  'BossID',
  'VaultID',
]
const links = ['Boss', 'Reports', 'Vault', 'Locked', 'Lockd', 'Owners', 'Code', 'Label']
const anyName = fc.constantFrom(...names, ...links)
const uri = fc.constantFrom(
  'Vaults(1)',
  'Staff(2)',
  'Staff(1)/Locked(1)',
  'Staff(2)/Vault',
  'http://firm.test/Staff(3)',
)
const bound = uri.map((one) => ({ __metadata: { uri: one } }))
const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, 1, 'x', 9000, { City: 'Rom' }, { City: 'Rom', Zip: '1' }, []),
  bound,
  bound.map((one) => [one]),
  fc.constantFrom(
    [{ ID: 70, Name: 'x' }],
    [{ ID: 71, Salary: 1 }],
    { ID: 72, Label: 'z' },
    { ID: 73, Code: 'z' },
  ),
  fc.constant({ __deferred: { uri: 'Staff(1)/Locked' } }),
)
const valid = fc.oneof(
  fc.constantFrom({ Name: 'Eve' }, { Home: { City: 'Rom' } }, { Name: null, VaultID: 2 }, { Label: 'q' }),
  bound.map((Boss) => ({ Boss })),
)
const body = fc.oneof(
  valid,
  fc.dictionary(
    anyName.filter((name) => !name.includes('/')),
    value,
    { maxKeys: 3 },
  ),
)
const path = fc.oneof(
  key.map((one) => `Staff(${one})`),
  key.map((one) => `Vaults(${one})`),
  key.map((one) => `Staff(${one})/Boss`),
  fc.tuple(key, anyName).map(([one, name]) => `Staff(${one})/${name}`),
)
const collection = fc.oneof(
  fc.constantFrom('Staff', 'Vaults'),
  fc.tuple(key, fc.constantFrom(...links)).map(([one, name]) => `Staff(${one})/${name}`),
  key.map((one) => `Vaults(${one})/Owners`),
)
const linkPath = fc
  .tuple(key, fc.constantFrom(...links), fc.constantFrom('', '(1)', '(2)'))
  .map(([one, name, other]) => `Staff(${one})/$links/${name}${other}`)
const headers = fc.constantFrom<Record<string, string>>(
  { 'If-Match': '*' },
  { 'If-Match': '*', Prefer: 'return=representation' },
  { 'If-Match': 'W/"1"' },
  {},
)

interface Sent {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

const sent = (
  methods: readonly string[],
  target: fc.Arbitrary<string>,
  content: fc.Arbitrary<unknown> = body,
): fc.Arbitrary<Sent> =>
  fc.tuple(fc.constantFrom(...methods), target, content, headers).map(([method, at, given, more]) => ({
    method,
    path: at,
    body: method === 'GET' ? '' : JSON.stringify(given),
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...more },
  }))

const withId = fc
  .tuple(body, fc.integer({ min: 10, max: 60 }))
  .map(([one, ID]) => (Object.hasOwn(one, 'ID') ? one : { ...one, ID }))
const change = fc.oneof(
  { weight: 3, arbitrary: sent(['MERGE', 'PUT', 'PATCH'], path) },
  { weight: 2, arbitrary: sent(['POST'], collection, withId) },
  sent(
    ['PUT', 'POST', 'DELETE'],
    linkPath,
    uri.map((one) => ({ uri: one })),
  ),
  sent(['DELETE'], path),
  sent(
    ['PUT', 'DELETE'],
    path.map((one) => `${one}/$value`),
  ),
  sent(['POST'], fc.constantFrom('Everybody', 'Everybody?$orderby=Salary', 'Everybody?$select=Name,Salry')),
)
const read = sent(
  ['GET'],
  fc.constantFrom(
    'Staff',
    'Staff(1)?$expand=Boss,Vault',
    'Vaults?$expand=Owners',
    'Staff?$filter=Boss/Name%20eq%20null',
  ),
)
const batch = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes): Sent => {
  const parts = changes.map((one, index) =>
    written(`${one.method} ${one.path}`, one.body, { ...one.headers, 'Content-ID': String(index) }),
  )
  return {
    method: 'POST',
    path: '$batch',
    body: batchBody(parts.slice(1), ...parts.slice(0, 1).map((one) => [one])),
    headers: { 'Content-Type': 'multipart/mixed; boundary=b' },
  }
})
const requests = fc.array(
  fc.oneof({ weight: 5, arbitrary: change }, { weight: 1, arbitrary: read }, { weight: 1, arbitrary: batch }),
  { minLength: 1, maxLength: 8 },
)

describe('Changes of a service that hides columns', () => {
  const running: TestServer[] = []

  afterEach(async () => {
    for (const server of running.splice(0)) await server.stop()
  })

  function openFirm(model: EdmModel, secrets?: Secrets): Provider {
    const data = rows(secrets)
    return memoryProvider(model, data, { functions: { Everybody: () => data.Staff as never } })
  }

  async function start(
    model: EdmModel,
    provider: Provider,
    authorize?: typeof hideColumns,
  ): Promise<TestServer> {
    const options = {
      ...(authorize && { authorize }),
      serviceRoot: 'http://firm.test/',
      onError: () => undefined,
    }
    const server = await TestServer.start(express().use('/s', odataV2(model, provider, options)))
    running.push(server)
    return server
  }

  async function responsesOf(server: TestServer, all: readonly Sent[]): Promise<unknown[]> {
    const responses: unknown[] = []
    for (const { path: at, ...given } of all) {
      const { headers: received, status, text } = await server.send(`/s/${at}`, given)
      const { date: _date, 'content-length': _length, 'content-type': type, ...others } = received
      responses.push({
        status,
        type: type?.replace(/boundary=.*/, ''),
        others,
        text: text.replace(/(?:batch|changeset)response_[\w-]+/g, 'boundary'),
      })
    }
    return responses
  }

  it('MUST have the same responses as those of a service whose model lacks the columns', async () => {
    let changed = 0
    await fc.assert(
      fc.asyncProperty(requests, secrets, async (all, given) => {
        const restricted = await start(wholeModel, openFirm(wholeModel, given), hideColumns)
        const reduced = await start(smallModel, openFirm(smallModel))
        const responses = await responsesOf(restricted, all)
        expect(responses).toEqual(await responsesOf(reduced, all))
        changed += responses.filter((one) => [201, 204].includes((one as { status: number }).status)).length
        for (const server of running.splice(0)) await server.stop()
      }),
      { seed, numRuns: runs(300) },
    )
    expect(changed).toBeGreaterThan(runs(300) / 5)
  })

  it('MUST NOT touch the hidden values of existing entities', async () => {
    const statements: Sent[] = [
      { path: 'Staff(1)', body: '{"Name":"Eve","Home":{"City":"Rom"}}' },
      { path: 'Staff(1)/Home', body: '{"Home":{"City":"Ulm"}}' },
      { path: 'Staff(1)/$links/Vault', body: '{"uri":"Vaults(2)"}' },
    ].map((one) => ({
      ...one,
      method: 'PUT',
      headers: { 'If-Match': '*', 'Content-Type': 'application/json' },
    }))
    const provider = openFirm(wholeModel, { salary: 4711, zip: '3000', code: 'c', locked: true })
    const server = await start(wholeModel, provider, hideColumns)
    for (const { path: at, ...given } of statements) {
      expect((await server.send(`/s/${at}`, given)).status).toBe(204)
    }
    const boss = await start(wholeModel, provider)
    const { text } = await boss.send('/s/Staff(1)?$expand=Locked', {
      headers: { Accept: 'application/json' },
    })
    expect(JSON.parse(text)).toMatchObject({
      d: { Salary: 4711, Home: { City: 'Ulm', Zip: '3000' }, VaultID: 2, Locked: { results: [{ ID: 1 }] } },
    })
  })
})
