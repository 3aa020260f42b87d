import { format } from 'node:util'

/** Statements of a contract that are not true of a provider, by their title, each with the reason. */
export type ExpectedDifferences = Readonly<Record<string, string>>

/**
 * Defines the statements of a contract. Those with an expected difference must fail: a difference that has gone must be
 * removed from the list.
 */
export function withDifferences(differences: ExpectedDifferences, define: () => void): void {
  const original = globalThis.it
  const used = new Set<string>()
  const one = (title: string, test: jest.ProvidesCallback, timeout?: number): void => {
    if (Object.hasOwn(differences, title)) {
      used.add(title)
      original.failing(title, test, timeout)
    } else original(title, test, timeout)
  }
  const each =
    (rows: readonly unknown[]) =>
    (title: string, test: (...values: unknown[]) => Promise<void>, timeout?: number): void => {
      for (const row of rows) {
        const values: readonly unknown[] = Array.isArray(row) ? row : [row]
        const placeholders = title.match(/%[a-z]/g)?.length ?? 0
        const full = format(title.replaceAll('%p', '%j'), ...values.slice(0, placeholders))
        one(full, () => test(...values), timeout)
      }
    }
  globalThis.it = Object.assign(one, original, { each })
  try {
    define()
  } finally {
    globalThis.it = original
  }
  original('MUST list differences of known statements only', () => {
    expect(Object.keys(differences).filter((title) => !used.has(title))).toEqual([])
  })
}
