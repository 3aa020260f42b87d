import { ExpressionCompiler } from '../../lib/evaluation/compile-expression.js'
import { withoutNavigation } from '../../lib/evaluation/evaluation-context.js'
import type { Row } from '../../lib/evaluation/row.js'
import { instanceTest, memberOf, memberReader, typeOfRow } from '../../lib/evaluation/row.js'
import type { EntityType } from '../../lib/edm/edm-model.js'
import { filterOn } from '../support/expressions.js'
import { protocolModel, setNamed } from '../support/protocol-model.js'

function typeNamed(name: string): EntityType {
  const type = protocolModel.entityTypes.get(name)
  if (type === undefined) throw new Error(`There is no type '${name}'.`)
  return type
}

const party = typeNamed('NW.Party')
const person = typeNamed('NW.Person')

describe('Types of rows', () => {
  it('MUST be the type of the set by default', () => {
    expect(typeOfRow({ ID: 1 }, party)).toBe(party)
    expect(typeOfRow({ $type: 'NW.Party' }, party)).toBe(party)
    expect(typeOfRow({ $type: 'NW.Person' }, party)).toBe(person)
  })

  it('MUST NOT be a type that the set cannot contain', () => {
    const message = "The provider returned an entity of type 'NW.Photo', not 'NW.Party'."
    expect(() => typeOfRow({ $type: 'NW.Photo' }, party)).toThrow(new TypeError(message))
    expect(() => typeOfRow({ $type: 'NW.Party' }, person)).toThrow(TypeError)
  })

  it('MUST be instances of their type and its base types', () => {
    expect(instanceTest(party, party)({})).toBe(true)
    expect(instanceTest(party, person)({})).toBe(false)
    expect(instanceTest(party, person)({ $type: 'NW.Person' })).toBe(true)
    expect(instanceTest(person, party)({})).toBe(true)
    expect(instanceTest(party, setNamed('Photos').entityType)({})).toBe(false)
  })

  it('MUST report navigation that is not supported', () => {
    const compiler = new ExpressionCompiler(setNamed('Products').entityType, withoutNavigation)
    expect(() => compiler.condition(filterOn('Products', 'Category/ID eq 1'))).toThrow(
      "'Category' cannot be followed here.",
    )
  })
})

describe('Members of rows', () => {
  it.each(['toString', 'constructor', 'hasOwnProperty', '__proto__'])(
    'MUST be own properties when the name is %s',
    (name) => {
      const row = Object.fromEntries([[name, 'own']])
      for (const read of [memberReader(name), (one: Row) => memberOf(one, name)]) {
        expect(read(row)).toBe('own')
        expect(read({})).toBeUndefined()
      }
    },
  )

  it('MUST include getters of classes', () => {
    class Item {
      get Name(): string {
        return 'x'
      }
    }
    const row = new Item() as unknown as Row
    expect([memberReader('Name')(row), memberOf(row, 'Name')]).toEqual(['x', 'x'])
  })
})
