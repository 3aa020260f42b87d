import { fc, runs } from '../../support/random.js'
import { valueViolation } from '../../../lib/edm/check-value.js'
import { defineModel, edm } from '../../../lib/edm/define-model.js'
import type { EdmModel, EntitySet, Property } from '../../../lib/edm/edm-model.js'
import { isPrimitive } from '../../../lib/edm/edm-model.js'
import { keyShape, keyText } from '../../../lib/evaluation/key-text.js'
import type { Row } from '../../../lib/evaluation/row.js'
import { typeOfRow } from '../../../lib/evaluation/row.js'
import { generateData, memoryProvider } from '../../../lib/index.js'
import { northwindModel } from '../../../sample-app/northwind/northwind-service.js'
import { randomModel } from './random-models.js'

type Rows = Readonly<Record<string, readonly Row[]>>

const generated = (model: EdmModel, options = {}): Rows => generateData(model, options)
const setsOf = (model: EdmModel): readonly EntitySet[] =>
  model.entityContainers.flatMap((one) => one.entitySets)

function errorsIn(rows: readonly Row[], { entityType }: EntitySet): unknown[] {
  return rows.flatMap((row) =>
    typeOfRow(row, entityType).properties.flatMap((property) => errorsOf(property, row[property.name])),
  )
}

function errorsOf(property: Property, value: unknown): unknown[] {
  const { type } = property
  if (!isPrimitive(type))
    return type.properties.flatMap((one) => errorsOf(one, (value as Row | null)?.[one.name]))
  const error = valueViolation(property, value)
  return error === undefined ? [] : [`${property.name} ${error}`]
}

/** Rows that refer to what is not there, or to nothing though they must. */
function danglingIn(model: EdmModel, data: Rows): unknown[] {
  return model.entityContainers
    .flatMap(({ associationSets }) => associationSets)
    .flatMap(({ association, ends }) => {
      const constraint = association.referentialConstraint
      if (constraint === undefined) return []
      const rowsAt = (role: string): readonly Row[] =>
        data[ends.find((end) => end.role === role)?.entitySet.path ?? ''] ?? []
      const dependent = keyShape(constraint.dependentProperties)
      const principal = keyShape(constraint.principalProperties)
      const known = new Set(
        rowsAt(constraint.principal.role).map((row) => keyText(row, principal.names, principal.types)),
      )
      return rowsAt(constraint.dependent.role).filter((row) => {
        const text = keyText(row, dependent.names, dependent.types)
        return text === undefined ? constraint.principal.multiplicity === '1' : !known.has(text)
      })
    })
}

/** Entities of types without a foreign key that are not linked though they must be. */
function unlinkedIn(model: EdmModel, data: Rows): unknown[] {
  return setsOf(model).flatMap((set) =>
    set.entityType.navigationProperties.flatMap((navigation) => {
      const { association, toEnd, partner } = navigation
      const target = set.targetOf(navigation)
      if (
        association.referentialConstraint !== undefined ||
        toEnd.multiplicity !== '1' ||
        target === undefined
      )
        return []
      const shape = keyShape(set.entityType.key)
      const back = (data[target.path] ?? []).flatMap((row) => {
        const member = partner === undefined ? undefined : row[partner.name]
        return (Array.isArray(member) ? member : member === undefined ? [] : [member]) as Row[]
      })
      const linked = new Set(back.map((key) => keyText(key, shape.names, shape.types)))
      return (data[set.path] ?? []).filter(
        (row) => row[navigation.name] === undefined && !linked.has(keyText(row, shape.names, shape.types)),
      )
    }),
  )
}

describe('Generated data', () => {
  it('MUST be data that a memory provider takes, within all facets, whatever the model', () => {
    fc.assert(
      fc.property(randomModel, fc.integer({ min: 0, max: 30 }), fc.nat(), (definition, rows, seed) => {
        const model = defineModel(definition)
        const data = generated(model, { rows, seed })
        memoryProvider(model, data)
        for (const set of setsOf(model)) {
          const own = data[set.path] ?? []
          expect(own.length).toBeLessThanOrEqual(rows)
          expect(errorsIn(own, set)).toEqual([])
        }
        expect(danglingIn(model, data)).toEqual([])
        expect(unlinkedIn(model, data)).toEqual([])
      }),
      { numRuns: runs(300) },
    )
  })

  it('MUST be the same for the same seed, and others for another', () => {
    fc.assert(
      fc.property(randomModel, fc.nat(), (definition, seed) => {
        const model = defineModel(definition)
        expect(generated(model, { seed })).toEqual(generated(model, { seed }))
      }),
      { numRuns: runs(50) },
    )
    expect(generated(northwindModel, { seed: 1 })).not.toEqual(generated(northwindModel, { seed: 2 }))
  })

  it('MUST have the number of rows that is wanted, in every set', () => {
    const data = generated(northwindModel, { rows: 50 })
    expect(Object.values(data).map((rows) => rows.length)).toEqual(Object.values(data).map(() => 50))
  })

  it('MUST match the names of properties', () => {
    const { Suppliers: [first] = [] } = generated(northwindModel)
    const { Employees: [employee] = [] } = generated(northwindModel)
    expect(first?.CompanyName).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+ \w+$/)
    expect(employee?.Email).toBe(
      `${String(employee?.FirstName)}.${String(employee?.LastName)}`.toLowerCase() +
        String(employee?.Email).replace(/^[^@]*/, ''),
    )
  })

  it('MUST refer to the given rows, which stay unchanged', () => {
    const Categories = [{ CategoryID: 77, CategoryName: 'Cheese' }]
    const data = generated(northwindModel, { data: { Categories } })
    expect(data.Categories).toBe(Categories)
    expect(new Set(data.Products?.map((row) => row.CategoryID).filter((one) => one !== null))).toEqual(
      new Set([77]),
    )
  })

  it('MUST have the rows to which those refer that are there', () => {
    const Products = [{ ProductID: 1, ProductName: 'Gouda', CategoryID: 4711 }]
    const data = generated(northwindModel, { rows: 3, data: { Products } })
    expect(data.Categories?.map((row) => row.CategoryID)).toEqual([4711, 1, 2])
  })

  it('MUST stay without rows where rows are needed that there are not', () => {
    const data = generated(northwindModel, { data: { Orders: [] } })
    expect(data.Order_Details).toEqual([])
    expect(data.Products).toHaveLength(20)
  })

  it('MUST have the type of the model that was defined', () => {
    const model = defineModel({
      namespace: 'Shop',
      entityTypes: {
        Product: { key: ['ID'], properties: { ID: edm.Int32(), Name: edm.String({ nullable: false }) } },
      },
      entityContainer: { entitySets: { Products: { entityType: 'Product' } } },
    })
    const data = generateData(model, { rows: 1 })
    const name: string | undefined = data.Products[0]?.Name
    expect(name?.length).toBeGreaterThan(0)
    memoryProvider(model, data)
  })

  it.each([
    [{ row: 1 }, "there is no option 'row'"],
    [{ rows: -1 }, 'rows must be a whole number of rows, not -1'],
    [{ rows: 1.5 }, 'rows must be a whole number of rows, not 1.5'],
  ])('MUST reject %j with a suggestion', (options: object, message) => {
    expect(() => generateData(northwindModel, options)).toThrow(message)
  })
})
