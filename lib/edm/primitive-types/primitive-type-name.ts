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

/** The name of a primitive type: `Edm.String`. */
export type PrimitiveTypeName = (typeof primitiveTypeNames)[number]

const names: ReadonlySet<string> = new Set(primitiveTypeNames)

export function isPrimitiveTypeName(name: string): name is PrimitiveTypeName {
  return names.has(name)
}
