/** A string in SQL, with the character set of MySQL before it, or the type of PostgreSQL after it. */
const literal = String.raw`(?:_\w+)?\\?'(?:[^'\\]|'')*\\?'(?:::[\w ]+)?`
const listed = new RegExp(
  String.raw`^\(*([\w"` +
    '`' +
    String.raw`[\] ]+?)\)*(?:::[\w ]+)?\)*\s*(?:=\s*any\s*\(+array\[|in\s*\()\s*(${literal}(?:\s*,\s*${literal})*)\s*[\])](?:[)\s]|::[\w ]+(?:\[\])?)*$`,
  'i',
)

/** Returns the strings that a check allows for a column, if it is a list: `status in ('open', 'closed')`. */
export function membersOfChecks(checks: readonly string[], column: string): readonly string[] | undefined {
  for (const check of checks) {
    const [, name = '', list] = listed.exec(check.trim()) ?? []
    if (list === undefined || name.replace(/["`[\]]/g, '').trim() !== column) continue
    return [...list.matchAll(/'((?:[^']|'')*?)\\?'(?!')/g)].map(([, text = '']) => text.replaceAll("''", "'"))
  }
  return undefined
}

/** Returns the sentence for a value that is not a member of an enumeration. */
export function notOneOf(members: readonly string[]): string {
  return `it must be one of ${listOf(members)}`
}

const MAX_LISTED = 20

export function listOf(members: readonly string[]): string {
  const shown = members.slice(0, MAX_LISTED).map((member) => `'${member}'`)
  return members.length > MAX_LISTED ? `${shown.join(', ')}, …` : shown.join(', ')
}

/** Returns why a string is not JSON. */
export function jsonError(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return 'it is not valid JSON'
  }
}
