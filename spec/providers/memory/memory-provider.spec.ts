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

/** The model without static types. */
const untyped = model as EdmModel

function provided(data: Data): Provider<EdmModel> {
  return memoryProvider(untyped, data)
}

async function rowsOf(provider: Provider<EdmModel>, set: string): Promise<readonly Row[]> {
  return (await provider.entitySets[set]?.read({ entitySet: set }, call)) as readonly Row[]
}

function errorsOf(data: Data, of: EdmModel = untyped): string[] {
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
  it('MUST have all properties in the order of the model; missing values are null or the default', async () => {
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
    // Values can be null even if the model does not allow it, as in the file service.
    expect(second).toMatchObject({ Name: null, Rating: null })
  })

  it('MUST have normalized values', async () => {
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

  it('MUST be copies that do not change with the objects of the application', async () => {
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

  it('MUST have `$type` if their type is derived', async () => {
    const provider = provided({
      Things: [{ ID: 1 }, { $type: 'Test.Special', ID: 2, Extra: 'e' }, { $type: 'Test.Thing', ID: 3 }],
    })
    const rows = await rowsOf(provider, 'Things')
    expect(rows.map(({ $type }) => $type)).toEqual([undefined, 'Test.Special', undefined])
    expect(rows[1]).toMatchObject({ ID: 2, Extra: 'e' })
  })

  it('MUST belong to the set of the container in the name', async () => {
    const provider = provided({ 'Archive.Things': [{ ID: 1 }] })
    expect(await rowsOf(provider, 'Things')).toEqual([])
    expect(await rowsOf(provider, 'Archive.Things')).toMatchObject([{ ID: 1 }])
  })

  it('MUST NOT have values that the given object inherits', async () => {
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

describe('Errors in the data of the memory provider', () => {
  it('MUST be reported together at start-up, each with its path and the accepted values', () => {
    const errors = errorsOf({
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
    expect(errors).toEqual([
      "Thing: The entity set does not exist. Did you mean 'Things'?",
      "Things[0]: 'Test.Thing' has no property 'Nmae'. Did you mean 'Name'?",
      'Things[1]: Things(1) already exists: row 0 has the same key.',
      'Things[2].ID: The key property must have a value.',
      "Things[3]: 'Test.Thing' has no property 'Id'. Did you mean 'ID'?",
      "Things[3].ID: The key property must have a value. Did you mean 'Id'?",
      "Things[4].ID: '3' is not a valid Edm.Int32. Expected a whole number from -2147483648 to 2147483647.",
      'Things[5].Big: 9007199254740992 is not a valid Edm.Int64. Expected a bigint, a safe integer or a string of digits.',
      "Things[5].Price: 'cheap' is not a valid Edm.Decimal. Expected a string of digits such as '2.50', or a number.",
      "Things[5].Made: an invalid Date is not a valid Edm.DateTime. Expected a Date or an ISO string such as '2012-05-29T09:13:28'.",
      "Things[5].Home: 'Test.Place' has no property 'Ctiy'. Did you mean 'City'?",
      "Things[6].$type: 'Test.Specail' is not a type of this entity set. Expected 'Test.Thing' or 'Test.Special'.",
      "Things[7].$type: 'Test.Draft' is an abstract type. Expected 'Test.Thing' or 'Test.Special'.",
      "Things[8].$media: 'Test.Thing' is not a media link entry. Set hasStream in the model.",
      "Things[9].Home: 'Rom' is not a Test.Place. Expected an object.",
    ])
  })

  it('MUST be listed up to a limit', () => {
    const errors = errorsOf({ Things: Array.from({ length: 30 }, () => ({ ID: 1 })) })
    expect(errors).toHaveLength(21)
    expect(errors.at(-1)).toBe('and 9 more')
  })

  it('MUST be found in rows and sets of any type', () => {
    const wrong = { Things: [null, [], 'x'], Pairs: {} } as unknown as Data
    expect(errorsOf(wrong)).toEqual([
      'Things[0]: Expected a row object, not null.',
      'Things[1]: Expected a row object, not an array.',
      "Things[2]: Expected a row object, not 'x'.",
      'Pairs: Expected an array of rows, not an object.',
    ])
    expect(() => memoryProvider(untyped, [] as never)).toThrow(/must be an object of the form/)
    expect(() => memoryProvider({} as never)).toThrow(/must be the result of defineModel or readEdmx/)
  })

  it('MUST be found in compound keys, which are equal if all their values are equal', () => {
    const errors = errorsOf({
      Pairs: [
        { A: 'a', B: new Date('2020-01-01T00:00:00Z') },
        { A: 'b', B: '2020-01-01T00:00' },
        { A: 'a', B: '2020-01-01T00:00' },
      ],
    })
    expect(errors).toEqual([
      "Pairs[2]: Pairs(A='a',B=datetime'2020-01-01T00:00:00') already exists: row 0 has the same key.",
    ])
  })

  it('MUST be found in options and functions', () => {
    expect(() => memoryProvider(untyped, {}, { function: {} } as never)).toThrow(
      "unknown option 'function'. Did you mean 'functions'?",
    )
    expect(() => memoryProvider(untyped, {}, { functions: { Bset: () => null } })).toThrow(
      "the model has no function import 'Bset'. Did you mean 'Best'?",
    )
    expect(() => memoryProvider(untyped, {}, { functions: { Best: 1 as never } })).toThrow(
      'functions.Best: expected a function, not 1.',
    )
  })

  it('MUST NOT be reported for functions without a handler', () => {
    expect(memoryProvider(untyped).functions).toBeUndefined()
    const Best = () => null
    expect(memoryProvider(untyped, {}, { functions: { Best } }).functions).toEqual({ Best })
  })
})
