import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'

/** Which values rows hold: those of verbose JSON, or those that providers are given. */
export type RowValues = 'json' | 'javascript'

const common = {
  'Edm.Boolean': 'boolean',
  'Edm.Byte': 'number',
  'Edm.Decimal': 'string',
  'Edm.Guid': 'string',
  'Edm.Int16': 'number',
  'Edm.Int32': 'number',
  'Edm.SByte': 'number',
  'Edm.String': 'string',
  'Edm.Time': 'string',
} as const

/**
 * The TypeScript types of values.
 *
 * @spec MS-ODATA 2.2.6.3.4 (simple values in verbose JSON)
 */
export const typesOfValues: Readonly<Record<RowValues, Readonly<Record<PrimitiveTypeName, string>>>> = {
  json: {
    ...common,
    'Edm.Binary': 'string',
    'Edm.DateTime': 'string',
    'Edm.DateTimeOffset': 'string',
    // Some services write numbers.
    'Edm.Double': 'number | string',
    'Edm.Int64': 'string',
    'Edm.Single': 'number | string',
  },
  javascript: {
    ...common,
    'Edm.Binary': 'Uint8Array',
    'Edm.DateTime': 'Date | string',
    'Edm.DateTimeOffset': 'Date | string',
    'Edm.Double': 'number',
    'Edm.Int64': 'bigint',
    'Edm.Single': 'number',
  },
}

/** What the values of a type look like in JSON, where the TypeScript type does not tell. */
export const examplesInJson: Readonly<Partial<Record<PrimitiveTypeName, string>>> = {
  'Edm.Binary': 'base64',
  'Edm.DateTime': '/Date(1338282808000)/',
  'Edm.DateTimeOffset': '/Date(1338282808000+0000)/',
  'Edm.Time': 'PT09H13M28S',
}
