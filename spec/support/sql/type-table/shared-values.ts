import type { StoredLiteral } from './column-type-row.js'

export const floats: readonly StoredLiteral[] = [
  ['0.1', '0.1'],
  ['1e-300', '1E-300'],
  '1.7976931348623157e308',
  '-5e-324',
  ['3', '3'],
]

/** Strings for columns of up to 80 characters. */
export const sharedStrings: readonly StoredLiteral[] = [
  ["''", ''],
  ["' a '", ' a '],
  "'007'",
  "'ä€😀'",
  ['\'{"a": 1.0}\'', '{"a": 1.0}'],
  ["'it''s\r\n<b>'", "it's\r\n<b>"],
  `'${'x'.repeat(80)}'`,
]

export const guids: readonly StoredLiteral[] = [
  ["'0f8fad5b-d9cb-469f-a165-70867728950e'", '0f8fad5b-d9cb-469f-a165-70867728950e'],
]

/** Formats of SQLite. */
export const dates: readonly StoredLiteral[] = [
  ["'2020-01-01 10:00:00.000 +00:00'", '/Date(1577872800000)/'],
  ["'2020-01-01T10:00:00.1230000Z'", '/Date(1577872800123)/'],
  "'2020-01-01 10:00:00.123000000+02:00'",
  "'2020-01-01T10:00'",
  ['1577872800123', '/Date(1577872800123)/'],
  ['-1', '/Date(-1)/'],
]
