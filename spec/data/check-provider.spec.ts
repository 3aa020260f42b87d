import { defineModel, edm } from '../../lib/edm/define-model.js'
import { checkProvider } from '../../lib/data/check-provider.js'
import { inTransaction } from '../../lib/provider/in-transaction.js'
import type { Provider } from '../../lib/provider/provider.js'
import { shelves, shelvesModel } from '../support/shelves.js'

const read = (): [] => []
/** Handlers of all function imports. */
const functions = { Newest: read, All: read, Names: read }
const both = { Shelves: { read }, Items: { read } }

function errorsOf(provider: unknown): string {
  try {
    checkProvider(provider as Provider, shelvesModel)
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as Error).message
  }
  return ''
}

describe('A provider without the members that its model requires', () => {
  it.each([undefined, null, 'provider', 7, [], {}, { entitySets: null }, { entitySets: 'x' }])(
    'MUST be rejected at start-up, with a suggestion: %p',
    (provider) => {
      expect(errorsOf(provider)).toBe(
        'the second argument must be a provider: { entitySets: { Name: { read } } }.',
      )
    },
  )

  it.each<[what: string, provider: unknown, error: string]>([
    [
      'a set that is missing',
      { entitySets: { Items: { read } } },
      "entitySets.Shelves is missing; at least its 'read' is needed.",
    ],
    [
      'a misspelt set',
      { entitySets: { ...both, Itens: { read } } },
      "The model has no entity set 'Itens'. Did you mean 'Items'?",
    ],
    [
      'a set that is a function',
      { entitySets: { ...both, Items: read } },
      "entitySets.Items must be an object with a method 'read'.",
    ],
    [
      'a set that cannot be read',
      { entitySets: { ...both, Items: {} } },
      'entitySets.Items.read must be a function.',
    ],
    [
      'rows instead of a function',
      { entitySets: { ...both, Items: { read: [] } } },
      'entitySets.Items.read must be a function.',
    ],
    [
      'an autocommit that does not say what it replaces',
      { entitySets: { ...both, Items: { read, autocommit: { insert: read } } } },
      'entitySets.Items.autocommit.replaces must be an object.',
    ],
    [
      'an autocommit that is a function',
      { entitySets: { ...both, Items: { read, autocommit: read } } },
      'entitySets.Items.autocommit must be an object.',
    ],
    [
      'a misspelt member',
      { entitySets: { ...both, Items: { read, readbyKey: read } } },
      "entitySets.Items.readbyKey is not a member of a provider. Did you mean 'readByKey'?",
    ],
    [
      'a misspelt member of the provider itself',
      { entitySets: both, beginChangeset: read },
      "beginChangeset is not a member of a provider. Did you mean 'beginChangeSet'?",
    ],
    [
      'a method that is not a function',
      { entitySets: { ...both, Items: { read, readByKey: true } } },
      'entitySets.Items.readByKey must be a function.',
    ],
    [
      'a number for a count',
      { entitySets: { ...both, Items: { read, count: 3 } } },
      'entitySets.Items.count must be a function.',
    ],
    [
      'media that are not opened',
      { entitySets: { ...both, Items: { read, media: { contentType: read } } } },
      'entitySets.Items.media.open must be a function.',
    ],
    [
      'media that are not an object',
      { entitySets: { ...both, Items: { read, media: true } } },
      'entitySets.Items.media must be an object.',
    ],
    [
      'push-down with members that are not functions',
      { entitySets: { ...both, Items: { read, pushdown: { filter: true } } } },
      'entitySets.Items.pushdown.filter must be a function.',
    ],
    [
      'a set that only every object has',
      { entitySets: Object.create(both) as unknown },
      "entitySets.Items is missing; at least its 'read' is needed.",
    ],
    [
      'functions that are not an object',
      { entitySets: both, functions: 'All' },
      'functions must be an object with a handler',
    ],
    [
      'a misspelt function',
      { entitySets: both, functions: { Newst: read } },
      "The model has no function import 'Newst'. Did you mean 'Newest'?",
    ],
    [
      'a handler that is not a function',
      { entitySets: both, functions: { All: [] } },
      'functions.All must be a function.',
    ],
    [
      'a function import without a handler',
      { entitySets: both },
      "functions.Newest is missing: add a handler for the function import 'Newest' of the model.",
    ],
    [
      'a handler in a transaction of a provider that has none',
      { entitySets: both, functions: { Newest: inTransaction(read) } },
      "functions.Newest needs a transaction, but the provider has no 'beginChangeSet'. Add it, or remove inTransaction.",
    ],
  ])('MUST be rejected with a suggestion: %s', (_what, provider, error) => {
    const message = errorsOf(provider)
    expect(message).toMatch(/^the provider does not fit the model:\n- /)
    expect(message).toContain(error)
  })

  it('MUST be reported together', () => {
    const message = errorsOf({ entitySets: { Itens: {} }, functions: { ...functions, Newst: read } })
    expect(message.split('\n- ').slice(1)).toEqual([
      "The model has no entity set 'Itens'. Did you mean 'Items'?",
      "entitySets.Shelves is missing; at least its 'read' is needed.",
      "entitySets.Items is missing; at least its 'read' is needed.",
      "The model has no function import 'Newst'. Did you mean 'Newest'?",
    ])
  })
})

describe('A provider with the members that its model requires', () => {
  it('MUST need no more than to read every set, and to handle every function', () => {
    expect(errorsOf({ functions, entitySets: both })).toBe('')
    expect(errorsOf(shelves())).toBe('')
  })

  it('MUST be free to have members of its own', () => {
    expect(
      errorsOf({ functions, entitySets: { ...both, Items: { read, table: 'items', connection: {} } } }),
    ).toBe('')
  })

  it('MAY be instances of classes', () => {
    class Items {
      read(): [] {
        return []
      }
    }
    expect(errorsOf({ functions, entitySets: { ...both, Items: new Items() } })).toBe('')
  })

  it('MUST qualify sets outside of the default container by the name of the container', () => {
    const model = defineModel({
      namespace: 'N',
      entityTypes: { Thing: { key: ['ID'], properties: { ID: edm.Int32() } } },
      entityContainers: {
        Main: { default: true, entitySets: { Things: { entityType: 'Thing' } } },
        Archive: { entitySets: { Things: { entityType: 'Thing' } } },
      },
    })
    const sets = { Things: { read }, 'Archive.Things': { read } }
    expect(() => checkProvider({ entitySets: sets }, model)).not.toThrow()
    expect(() => checkProvider({ entitySets: { Things: { read } } }, model)).toThrow(
      'entitySets.Archive.Things is missing',
    )
  })
})
