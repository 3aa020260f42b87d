import { UsageError } from './faults.js'
import type { OptionRow } from './option-table.js'

/** The columns of keys by the name of the view or table. */
export type KeysOfViews = Readonly<Record<string, readonly string[]>>

export const keyOption = {
  type: 'string',
  multiple: true,
  value: '<view>=<column>,...',
  text: 'the key of a view, or of a table without primary key, of a database; may be given several times',
} as const satisfies OptionRow

/** @param given `Totals=Year,Month`, each @throws UsageError for what is not written like that */
export function keysOfViews(given: readonly string[] = []): KeysOfViews {
  return Object.fromEntries(
    given.map((text) => {
      const [view = '', columns = '', ...others] = text.split('=')
      const names = columns.split(',').map((name) => name.trim())
      if (view === '' || names.includes('') || others.length > 0) {
        throw new UsageError(`--key must be written <view>=<column>,<column>..., not '${text}'.`)
      }
      return [view, names] as const
    }),
  )
}
