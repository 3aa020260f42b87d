import { integerRanges } from '../../../edm/primitive-types/integer.js'
import { integerText } from '../../../util/number-text.js'
import { hasNumbers } from '../column-fit.js'
import type { SqlDialect } from '../dialect.js'
import { raw, sql } from '../sql-text.js'

/** The greatest integer up to which JavaScript numbers are exact. */
const EXACT_LIMIT = raw(String(Number.MAX_SAFE_INTEGER))
/** The cells of SQLite: how they are selected, and how they are converted. Each cell has a type of its own. */
export const sqliteCells: Pick<SqlDialect, 'selected' | 'reader' | 'plainText'> = {
  selected(column, reference) {
    const { type } = column
    // Columns without text affinity, such as `json`, have converted digits to numbers.
    if (type === 'Edm.String' && hasNumbers(column)) return sql`cast(${reference} as text)`
    // The driver would return the nearest JavaScript number for longer integers.
    const isExact = sql`${reference} between -${EXACT_LIMIT} and ${EXACT_LIMIT}`
    if (type === 'Edm.Int64')
      return sql`case when ${isExact} then ${reference} else cast(${reference} as text) end`
    if (type === 'Edm.Decimal') {
      return sql`case when ${isExact} or typeof(${reference}) <> 'integer' then ${reference} else cast(${reference} as text) end`
    }
    return reference
  },

  reader({ type }) {
    switch (type) {
      case 'Edm.Boolean':
        // Values other than 0 and 1 are passed on unchanged and rejected like other invalid values.
        return (value) => booleans.get(value) ?? value
      case 'Edm.Byte':
      case 'Edm.SByte':
      case 'Edm.Int16':
      case 'Edm.Int32':
        return (value) => (typeof value === 'bigint' ? Number(value) : value)
      case 'Edm.Int64':
        return (value) => (typeof value === 'number' ? String(value) : value)
      default:
        return undefined
    }
  },

  plainText({ type }) {
    switch (type) {
      case 'Edm.Boolean':
        return (cell) => (cell === 1 ? 'true' : cell === 0 ? 'false' : undefined)
      case 'Edm.Byte':
      case 'Edm.SByte':
      case 'Edm.Int16':
      case 'Edm.Int32':
        return shortInteger(...integerRanges[type])
      case 'Edm.Int64':
        return (cell) => {
          if (typeof cell === 'number') return Number.isSafeInteger(cell) ? integerText(cell) : undefined
          return typeof cell === 'string' && canonicalInteger.test(cell) ? cell : undefined
        }
      default:
        return undefined
    }
  },
}

/** Returns the {@link SqlDialect.plainText} of integers of up to 32 bits. */
function shortInteger(least: number, greatest: number): (cell: unknown) => string | undefined {
  return (cell) => {
    if (typeof cell !== 'number') return undefined
    const integer = cell | 0
    return cell === integer && integer >= least && integer <= greatest ? `${integer}` : undefined
  }
}

/** Whole numbers of up to 18 digits, which are within 64 bits, as they are serialized. */
const canonicalInteger = /^(?:0|-?[1-9]\d{0,17})$/

const booleans: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [0, false],
  [0n, false],
  [1, true],
  [1n, true],
])
