/** The names of the primitive types of CSDL 2.0. */
export const primitiveTypeNames = [
  'Edm.Binary',
  'Edm.Boolean',
  'Edm.Byte',
  'Edm.DateTime',
  'Edm.DateTimeOffset',
  'Edm.Decimal',
  'Edm.Double',
  'Edm.Guid',
  'Edm.Int16',
  'Edm.Int32',
  'Edm.Int64',
  'Edm.SByte',
  'Edm.Single',
  'Edm.String',
  'Edm.Time',
] as const

/**
 * The name of a primitive type: `Edm.String`.
 *
 * @example const type: PrimitiveTypeName = 'Edm.String'
 */
export type PrimitiveTypeName = (typeof primitiveTypeNames)[number]

const names: ReadonlySet<string> = new Set(primitiveTypeNames)

export function isPrimitiveTypeName(name: string): name is PrimitiveTypeName {
  return names.has(name)
}

const integerNames = ['Edm.Byte', 'Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64'] as const
const numericNames = [...integerNames, 'Edm.Decimal', 'Edm.Double', 'Edm.Single'] as const
const integers: ReadonlySet<unknown> = new Set(integerNames)
export const numericTypes: ReadonlySet<unknown> = new Set(numericNames)

export function isInteger(type: unknown): type is (typeof integerNames)[number] {
  return integers.has(type)
}

export function isNumeric(type: unknown): type is (typeof numericNames)[number] {
  return numericTypes.has(type)
}
