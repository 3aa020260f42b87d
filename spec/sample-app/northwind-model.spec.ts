import { inflateSync } from 'node:zlib'
import type { FunctionHandler } from 'express-odata-v2'
import { readEdmx, writeEdmx } from 'express-odata-v2'
import type { EntitySet, Property } from '../../lib/edm/edm-model.js'
import { isPrimitive } from '../../lib/edm/edm-model.js'
import { primitiveTypeNames } from '../../lib/edm/primitive-types/primitive-type-name.js'
import { primitiveTypes } from '../../lib/edm/primitive-types/primitive-types.js'
import type { Row } from '../../lib/evaluation/row.js'
import { typeOfRow } from '../../lib/evaluation/row.js'
import { parseXml } from '../../lib/xml/parse-xml.js'
import type { XmlElement } from '../../lib/xml/xml-element.js'
import { northwindEdmx } from '../../sample-app/northwind/northwind-edmx.js'
import {
  northwindData,
  northwindFunctions,
  northwindModel,
} from '../../sample-app/northwind/northwind-service.js'
import { callWith } from '../support/provider-call.js'

const data: Readonly<Record<string, readonly Row[]>> = northwindData
const sets = northwindModel.defaultContainer.entitySets

function rowsOf(set: EntitySet): readonly Row[] {
  return data[set.path] ?? []
}

/** Every attribute and text of a document with the way to its element, as one line each. */
function factsOf(element: XmlElement, parent = ''): string[] {
  const name = element.attributes.find((one) => one.name === 'Name' || one.name === 'Role')?.value ?? ''
  const path = `${parent}/${element.name}[${name}]`
  return [
    path,
    ...element.attributes.map((one) => `${path}@${one.namespace}#${one.name}=${one.value}`),
    ...element.children.flatMap((child) =>
      typeof child === 'string' ? (child.trim() === '' ? [] : [`${path}=${child}`]) : factsOf(child, path),
    ),
  ].filter((fact) => !fact.endsWith('#Nullable=true'))
}

function valuesAt(row: Row, properties: readonly Property[]): string | undefined {
  const values = properties.map(({ name }) => row[name])
  return values.includes(null) || values.includes(undefined) ? undefined : JSON.stringify(values)
}

describe('The model of the catalogue', () => {
  it('MUST have types and container in two schemas', () => {
    expect(northwindModel.schemas.map(({ namespace }) => namespace)).toEqual([
      'NorthwindModel',
      'ODataWeb.Northwind',
    ])
    expect(northwindModel.defaultContainer.qualifiedName).toBe('ODataWeb.Northwind.NorthwindEntities')
    expect(northwindModel.dataServiceVersion).toBe('2.0')
  })

  it('MUST be the same after serialization and parsing', () => {
    const written = writeEdmx(northwindModel)
    expect(writeEdmx(readEdmx(written))).toBe(written)
    const facts = new Set(factsOf(parseXml(written)))
    expect(factsOf(parseXml(northwindEdmx)).filter((fact) => !facts.has(fact))).toEqual([])
  })

  it('MUST have a nullable property of every simple type', () => {
    const properties = northwindModel.entityTypes.get('NorthwindModel.SimpleValues')?.properties ?? []
    const nullable = properties.filter((property) => property.nullable).map(({ type }) => type)
    expect([...nullable].sort()).toEqual([...primitiveTypeNames].sort())
  })

  it('MUST link every navigation property to a set, and back', () => {
    for (const set of sets) {
      for (const navigation of set.entityType.navigationProperties) {
        expect([navigation.name, set.targetOf(navigation)?.path]).toEqual([
          navigation.name,
          expect.any(String),
        ])
        expect([navigation.name, navigation.partner?.name]).toEqual([navigation.name, expect.any(String)])
      }
    }
  })
})

describe('The rows of the catalogue', () => {
  it('MUST fill several pages', () => {
    expect(Object.keys(data).sort()).toEqual(sets.map(({ path }) => path).sort())
    const { Order_Details: lines = [], ...rest } = data
    expect(Object.fromEntries(Object.entries(rest).map(([name, rows]) => [name, rows.length]))).toEqual({
      Categories: 8,
      Products: 77,
      Suppliers: 29,
      Customers: 60,
      Orders: 300,
      Employees: 9,
      Territories: 20,
      Contacts: 8,
      AllTypes: 14,
    })
    expect(lines.length).toBeGreaterThan(700)
    expect(lines.length).toBeLessThan(900)
  })

  it('MUST have unique keys', () => {
    for (const set of sets) {
      const keys = new Set(rowsOf(set).map((row) => valuesAt(row, set.entityType.key)))
      expect([set.path, keys.size, keys.has(undefined)]).toEqual([set.path, rowsOf(set).length, false])
    }
  })

  it('MUST conform to the types and facets of their properties', () => {
    for (const set of sets) {
      for (const row of rowsOf(set)) {
        const type = typeOfRow(row, set.entityType)
        const navigations = type.navigationProperties.map(({ name }) => name)
        expect(errorsOf(row, type.properties, [...navigations, '$type', '$media'])).toEqual([])
      }
    }
  })

  it('MUST refer to existing rows by every foreign key', () => {
    let checked = 0
    for (const { association, ends } of northwindModel.defaultContainer.associationSets) {
      const constraint = association.referentialConstraint
      if (constraint === undefined) continue
      const setOf = (role: string) => rowsOf(ends.find((end) => end.role === role)?.entitySet ?? fail(role))
      const principals = setOf(constraint.principal.role)
      const known = new Set(principals.map((row) => valuesAt(row, constraint.principalProperties)))
      for (const row of setOf(constraint.dependent.role)) {
        const foreignKey = valuesAt(row, constraint.dependentProperties)
        if (foreignKey === undefined) continue
        checked++
        expect([association.name, foreignKey, known.has(foreignKey)]).toEqual([
          association.name,
          foreignKey,
          true,
        ])
      }
    }
    expect(checked).toBeGreaterThan(2_000)
  })

  it('MUST link employees to existing territories', () => {
    const known = new Set(northwindData.Territories.map(({ TerritoryID }) => TerritoryID))
    const linked = northwindData.Employees.flatMap(({ Territories }) => Territories)
    expect(linked.length).toBeGreaterThan(15)
    for (const { TerritoryID } of linked) expect(known).toContain(TerritoryID)
  })

  it('MUST have a different photo in PNG for every employee', () => {
    const photos = northwindData.Employees.map(({ $media }) => Buffer.from($media.bytes))
    expect(new Set(photos.map((bytes) => bytes.toString('hex'))).size).toBe(photos.length)
    for (const bytes of photos) {
      expect(bytes.subarray(1, 4).toString()).toBe('PNG')
      const data = bytes.indexOf('IDAT')
      const pixels = inflateSync(bytes.subarray(data + 4, data + 4 + bytes.readUInt32BE(data - 4)))
      expect(pixels.length).toBe(bytes.readUInt32BE(20) * (1 + Math.ceil(bytes.readUInt32BE(16) / 8)))
    }
  })

  it('MUST contain null for every kind of nullable property', () => {
    expect(northwindData.Products.some(({ CategoryID }) => CategoryID === null)).toBe(true)
    expect(northwindData.Orders.some(({ CustomerID }) => CustomerID === null)).toBe(true)
    expect(northwindData.Orders.some(({ EmployeeID }) => EmployeeID === null)).toBe(true)
    expect(northwindData.Orders.some(({ ShippedDate }) => ShippedDate === null)).toBe(true)
  })
})

describe('The functions of the catalogue', () => {
  const call = callWith()
  const invoke = (name: keyof typeof northwindFunctions, parameters: Row = {}): unknown =>
    (northwindFunctions[name] as FunctionHandler)(parameters, undefined, call)

  it('MUST each have a function import', () => {
    const names = northwindModel.defaultContainer.functionImports.map(({ name }) => name)
    expect(Object.keys(northwindFunctions).sort()).toEqual([...names].sort())
  })

  it('MUST return products below a level of stock', () => {
    const found = invoke('ProductsBelowStock', { min: 10 }) as typeof northwindData.Products
    expect(found.length).toBeGreaterThan(2)
    for (const { UnitsInStock } of found) expect(UnitsInStock).toBeLessThan(10)
    expect(invoke('ProductsBelowStock', { min: 0 })).toEqual([])
  })

  it('MUST compute average prices exactly', () => {
    const prices = northwindData.Products.filter(({ CategoryID }) => CategoryID === 1).map((row) =>
      Number(row.UnitPrice),
    )
    const average = prices.reduce((sum, price) => sum + price, 0) / prices.length
    expect(Number(invoke('AveragePrice', { categoryID: 1 }))).toBeCloseTo(average, 3)
    expect(invoke('AveragePrice', { categoryID: null })).toMatch(/^\d+\.\d{4}$/)
    expect(invoke('AveragePrice', { categoryID: 99 })).toBeNull()
  })

  it('MUST list each country once', () => {
    const countries = invoke('CustomerCountries') as string[]
    expect(countries).toContain('Ghana')
    expect(new Set(countries).size).toBe(countries.length)
  })

  it('MUST find the latest order of a customer', () => {
    const order = invoke('LatestOrder', { customerID: "O'NEI" }) as (typeof northwindData.Orders)[number]
    const dates = northwindData.Orders.filter((one) => one.CustomerID === "O'NEI").map((one) => one.OrderDate)
    expect(order.OrderDate.getTime()).toBe(Math.max(...dates.map((date) => date.getTime())))
    expect(invoke('LatestOrder', { customerID: 'NONE' })).toBeNull()
  })

  it('MUST quote a discounted price, except for discontinued products', () => {
    const quote = { ProductID: 1, Quantity: 100, UnitPrice: '46.0000', Discount: 0.1, Total: '4140.0000' }
    expect(invoke('RequestQuote', { productID: 1, quantity: 100 })).toEqual(quote)
    const codeOf = (productID: number, quantity: number): unknown => {
      try {
        return invoke('RequestQuote', { productID, quantity })
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    expect(codeOf(999, 1)).toBe('ResourceNotFound')
    expect(codeOf(1, 0)).toBe('BadRequest')
    expect(codeOf(9, 1)).toBe('Conflict')
  })
})

/** Returns the violations of the type of a structural value, as strings. */
function errorsOf(value: Row, properties: readonly Property[], others: readonly string[] = []): string[] {
  const known = new Set([...properties.map(({ name }) => name), ...others])
  const unknown = Object.keys(value).filter((name) => !known.has(name))
  return [
    ...unknown.map((name) => `${name} is no property`),
    ...properties.flatMap((property) => violationsOf(value[property.name], property)),
  ]
}

function violationsOf(value: unknown, property: Property): string[] {
  const { name, type, nullable, maxLength } = property
  if (value === undefined) return [`${name} is missing`]
  if (!isPrimitive(type)) {
    return value === null ? [`${name} is a null`] : errorsOf(value as Row, type.properties)
  }
  if (value === null) return nullable ? [] : [`${name} must not be null`]
  if (primitiveTypes[type].toOperand(value) === undefined)
    return [`${name} is no ${type}: ${JSON.stringify(value)}`]
  if (typeof value !== 'string') return []
  const tooLong = typeof maxLength === 'number' && value.length > maxLength
  const tooFine = type === 'Edm.Decimal' && !fits(value, property)
  return tooLong || tooFine ? [`${name} does not fit its facets: ${value}`] : []
}

function fits(digits: string, { precision = 0, scale = 0 }: Property): boolean {
  const [whole = '', fraction = ''] = digits.replace('-', '').split('.')
  return fraction.length <= scale && whole.length <= precision - scale
}

function fail(role: string): never {
  throw new Error(`There is no set for the role '${role}'.`)
}
