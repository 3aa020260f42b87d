import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel } from '../../../lib/edm/edm-model.js'
import type { Row } from '../../../lib/evaluation/row.js'
import type { Provider } from '../../../lib/provider/provider.js'
import { memoryProvider } from '../../../lib/providers/memory/memory-provider.js'
import { callWith } from '../../support/provider-call.js'

const call = callWith()

const model = defineModel({
  namespace: 'Test',
  complexTypes: {
    Place: { properties: { City: edm.String({ defaultValue: 'Bern' }), At: { type: 'Point' } } },
    Point: { properties: { X: edm.Double(), Y: edm.Double() } },
  },
  entityTypes: {
    Thing: {
      key: ['ID'],
      properties: {
        ID: edm.Int32(),
        Name: edm.String({ nullable: false }),
        Rating: edm.Int16({ defaultValue: '3' }),
        Big: edm.Int64(),
        Price: edm.Decimal(),
        Ratio: edm.Single(),
        Made: edm.DateTime(),
        Changed: edm.DateTimeOffset(),
        Opens: edm.Time(),
        Code: edm.Guid(),
        Bytes: edm.Binary(),
        Home: { type: 'Place' },
      },
    },
    Special: { baseType: 'Thing', properties: { Extra: edm.String() } },
    Draft: { baseType: 'Thing', abstract: true },
    Pair: { key: ['A', 'B'], properties: { A: edm.String(), B: edm.DateTime() } },
  },
  entityContainers: {
    Main: {
      default: true,
      entitySets: { Things: { entityType: 'Thing' }, Pairs: { entityType: 'Pair' } },
      functionImports: { Best: { returnType: 'Thing', entitySet: 'Things' } },
    },
    Archive: { entitySets: { Things: { entityType: 'Thing' } } },
  },
})

type Data = Record<string, readonly Record<string, unknown>[]>

/** The same model for data that no type checks. */
const untyped = model as EdmModel

function provided(data: Data): Provider<EdmModel> {
  return memoryProvider(untyped, data)
}

async function rowsOf(provider: Provider<EdmModel>, set: string): Promise<readonly Row[]> {
  return (await provider.entitySets[set]?.read({ entitySet: set }, call)) as readonly Row[]
}

function faultsOf(data: Data, of: EdmModel = untyped): string[] {
  try {
    memoryProvider(of, data)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
      .split('\n')
      .slice(1)
      .map((line) => line.slice(2))
  }
  return []
}

describe('Rows of the memory provider', () => {
  it('MUST have every property of the model in its order, null or the default where nothing was given', async () => {
    const provider = provided({
      Things: [
        { Name: 'x', ID: 1 },
        { ID: 2, Rating: null },
      ],
    })
    const [first, second] = await rowsOf(provider, 'Things')
    expect(Object.keys(first ?? {})).toEqual(
      model.entityTypes.get('Test.Thing')?.properties.map(({ name }) => name),
    )
    expect(first).toEqual({
      ID: 1,
      Name: 'x',
      Rating: 3,
      Big: null,
      Price: null,
      Ratio: null,
      Made: null,
      Changed: null,
      Opens: null,
      Code: null,
      Bytes: null,
      Home: { City: 'Bern', At: { X: null, Y: null } },
    })
    // The file service does it too: what cannot be read is null, whatever the model says.
    expect(second).toMatchObject({ Name: null, Rating: null })
  })

  it('MUST hold each value in one form, whichever form it was given in', async () => {
    const guid = 'ABCDEF00-0000-0000-0000-000000000000'
    const provider = provided({
      Things: [
        { ID: 1n, Big: 7, Price: 1e21, Ratio: 0.1, Made: '2020-01-02T03:04', Opens: '9:30', Code: guid },
        { ID: 2, Big: '9007199254740993', Price: '2.50', Made: '2020-01-02T03:04:05.0000001' },
        { ID: 3, Big: 5n, Price: 1e-7, Changed: '2020-01-02T03:04:05+02:00' },
      ],
    })
    expect(await rowsOf(provider, 'Things')).toMatchObject([
      {
        ID: 1,
        Big: 7n,
        Price: '1000000000000000000000',
        Ratio: Math.fround(0.1),
        Made: new Date('2020-01-02T03:04:00Z'),
        Opens: '09:30:00',
        Code: guid.toLowerCase(),
      },
      { ID: 2, Big: 9007199254740993n, Price: '2.50', Made: '2020-01-02T03:04:05.0000001' },
      { ID: 3, Big: 5n, Price: '0.0000001', Changed: '2020-01-02T03:04:05+02:00' },
    ])
  })

  it('MUST be copies: nothing that the application does to its objects later is seen', async () => {
    const thing = { ID: 1, Name: 'x', Made: new Date(0), Bytes: new Uint8Array([1]), Home: { City: 'Rom' } }
    const given = JSON.stringify(thing)
    const provider = provided({ Things: [thing] })
    expect(JSON.stringify(thing)).toBe(given)
    thing.Name = 'y'
    thing.Made.setTime(1)
    thing.Bytes[0] = 2
    thing.Home.City = 'Ulm'
    expect(await rowsOf(provider, 'Things')).toMatchObject([
      { Name: 'x', Made: new Date(0), Bytes: new Uint8Array([1]), Home: { City: 'Rom' } },
    ])
  })

  it('MUST name their type when it is a derived one', async () => {
    const provider = provided({
      Things: [{ ID: 1 }, { $type: 'Test.Special', ID: 2, Extra: 'e' }, { $type: 'Test.Thing', ID: 3 }],
    })
    const rows = await rowsOf(provider, 'Things')
    expect(rows.map(({ $type }) => $type)).toEqual([undefined, 'Test.Special', undefined])
    expect(rows[1]).toMatchObject({ ID: 2, Extra: 'e' })
  })

  it('MUST belong to the set that the container in front says', async () => {
    const provider = provided({ 'Archive.Things': [{ ID: 1 }] })
    expect(await rowsOf(provider, 'Things')).toEqual([])
    expect(await rowsOf(provider, 'Archive.Things')).toMatchObject([{ ID: 1 }])
  })

  it('MUST come from the row itself, not from what it inherits', async () => {
    const names = defineModel({
      namespace: 'N',
      entityTypes: {
        T: {
          key: ['ID'],
          properties: { ID: edm.Int32(), constructor: edm.String(), __proto__: edm.String() },
        },
        U: { key: ['__proto__'], properties: { ['__proto__']: edm.String(), toString: edm.String() } },
      },
      entityContainer: { entitySets: { Ts: { entityType: 'T' }, Us: { entityType: 'U' } } },
    }) as EdmModel
    const us = [JSON.parse('{ "__proto__": "p" }') as Record<string, unknown>]
    const provider = memoryProvider(names, { Ts: [{ ID: 1 }], Us: us })
    expect((await rowsOf(provider, 'Ts'))[0]?.constructor).toBeNull()
    const [row] = await rowsOf(provider, 'Us')
    expect(Object.entries(row ?? {})).toEqual([
      ['__proto__', 'p'],
      ['toString', null],
    ])
  })
})

describe('Faults in the data of the memory provider', () => {
  it('MUST be reported all at once at start-up, each with its place and what to write instead', () => {
    const faults = faultsOf({
      Thing: [],
      Things: [
        { ID: 1, Nmae: 'x' },
        { ID: 1 },
        { Name: 'no key' },
        { Id: 2 },
        { ID: '3' },
        { ID: 4, Price: 'cheap', Made: new Date(Number.NaN), Home: { Ctiy: 'Rom' }, Big: 2 ** 53 },
        { ID: 5, $type: 'Test.Specail' },
        { ID: 6, $type: 'Test.Draft' },
        { ID: 7, $media: { contentType: 'text/plain', bytes: new Uint8Array(0) } },
        { ID: 8, Home: 'Rom' },
      ],
    })
    expect(faults).toEqual([
      "Thing: there is no such entity set. Did you mean 'Things'?",
      "Things[0]: 'Test.Thing' has no property 'Nmae'. Did you mean 'Name'?",
      'Things[1]: there already is Things(1): row 0 has the same key.',
      'Things[2].ID: it is part of the key and must have a value.',
      "Things[3]: 'Test.Thing' has no property 'Id'. Did you mean 'ID'?",
      "Things[3].ID: it is part of the key and must have a value. Did you mean 'Id'?",
      "Things[4].ID: '3' is no Edm.Int32. Write a whole number from -2147483648 to 2147483647.",
      'Things[5].Big: 9007199254740992 is no Edm.Int64. Write a bigint, a safe integer or a string of digits.',
      "Things[5].Price: 'cheap' is no Edm.Decimal. Write a string of digits such as '2.50', or a number.",
      "Things[5].Made: an invalid Date is no Edm.DateTime. Write a Date or an ISO string such as '2012-05-29T09:13:28'.",
      "Things[5].Home: 'Test.Place' has no property 'Ctiy'. Did you mean 'City'?",
      "Things[6].$type: there is no type 'Test.Specail' here. Write 'Test.Thing' or 'Test.Special'.",
      "Things[7].$type: 'Draft' is abstract. Write 'Test.Thing' or 'Test.Special'.",
      "Things[8].$media: entities of 'Test.Thing' have no media resource: set HasStream in the model.",
      "Things[9].Home: 'Rom' is no Test.Place. Write an object.",
    ])
  })

  it('MUST NOT be listed without end', () => {
    const faults = faultsOf({ Things: Array.from({ length: 30 }, () => ({ ID: 1 })) })
    expect(faults).toHaveLength(21)
    expect(faults.at(-1)).toBe('and 9 more')
  })

  it('MUST be seen in values, rows and sets of any form', () => {
    const wrong = { Things: [null, [], 'x'], Pairs: {} } as unknown as Data
    expect(faultsOf(wrong)).toEqual([
      'Things[0]: null is no row. Write an object.',
      'Things[1]: an array is no row. Write an object.',
      "Things[2]: 'x' is no row. Write an object.",
      'Pairs: an object is no array of rows.',
    ])
    expect(() => memoryProvider(untyped, [] as never)).toThrow(/must be an object of the form/)
    expect(() => memoryProvider({} as never)).toThrow(/must be what defineModel or readEdmx returned/)
  })

  it('MUST be seen in compound keys, which are equal when all their values are', () => {
    const faults = faultsOf({
      Pairs: [
        { A: 'a', B: new Date('2020-01-01T00:00:00Z') },
        { A: 'b', B: '2020-01-01T00:00' },
        { A: 'a', B: '2020-01-01T00:00' },
      ],
    })
    expect(faults).toEqual([
      "Pairs[2]: there already is Pairs(A='a',B=datetime'2020-01-01T00:00:00'): row 0 has the same key.",
    ])
  })

  it('MUST be seen in options and functions', () => {
    expect(() => memoryProvider(untyped, {}, { function: {} } as never)).toThrow(
      "there is no option 'function'. Did you mean 'functions'?",
    )
    expect(() => memoryProvider(untyped, {}, { functions: { Bset: () => null } })).toThrow(
      "the model has no function import 'Bset'. Did you mean 'Best'?",
    )
    expect(() => memoryProvider(untyped, {}, { functions: { Best: 1 as never } })).toThrow(
      'functions.Best: 1 is no function.',
    )
  })

  it('MUST NOT be seen in functions without handler', () => {
    expect(memoryProvider(untyped).functions).toBeUndefined()
    const Best = () => null
    expect(memoryProvider(untyped, {}, { functions: { Best } }).functions).toEqual({ Best })
  })
})
