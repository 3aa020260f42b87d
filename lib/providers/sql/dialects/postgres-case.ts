import type { RunStatement } from '../database-schema.js'
import type { SqlDialect, SqlValue } from '../dialect.js'
import type { Sql } from '../sql-text.js'
import { raw, sql } from '../sql-text.js'

type CaseFunction = 'toupper' | 'tolower'

/** Code points that JavaScript converts and the database does not, and their conversions. */
interface Additions {
  readonly from: string
  readonly to: string
}

/** The additions to each function; undefined if the database converts a code point differently. */
type CaseMapping = Readonly<Record<CaseFunction, Additions | undefined>>

/** Letters with two cases are among the first two planes of Unicode. */
const LAST_CODE_POINT = 0x1ffff

/** By the versions of the server and of its ICU library: services of one process mostly share a server. */
const mappings = new Map<string, Promise<CaseMapping>>()

/** Selects no row if the database has no ICU library, or another encoding than UTF-8. */
const versionStatement = sql`select concat(version(), ' ', pg_collation_actual_version(oid)) as version
  from pg_catalog.pg_collation where collname = 'und-x-icu' and getdatabaseencoding() = 'UTF8'`

const mappedStatement = sql`select c, u, l from (
    select chr(i) as c, upper(chr(i) collate "und-x-icu") as u, lower(chr(i) collate "und-x-icu") as l
    from generate_series(1, ${raw(String(LAST_CODE_POINT))}) as i
    where i not between 13312 and 40959 and i not between 44032 and 63743 and i not between 94208 and 111359
    offset 0
  ) as letters where u <> c or l <> c`

/**
 * Adds `toupper` and `tolower` to the dialect if the ICU library of the database converts all letters as JavaScript does.
 * The locale of the database has other rules. Letters that only the newer Unicode version of Node has are translated.
 */
export async function withPostgresCase(dialect: SqlDialect, run: RunStatement): Promise<SqlDialect> {
  const mapping = await detectMapping(dialect, run)
  if (mapping === undefined) return dialect
  return {
    ...dialect,
    call(name, parameters) {
      if (name !== 'toupper' && name !== 'tolower') return dialect.call(name, parameters)
      const [text] = parameters
      const additions = mapping[name]
      // The dialect declines strings that it cannot convert exactly.
      if (text === undefined || additions === undefined || dialect.call('trim', parameters) === undefined)
        return undefined
      return converted(name, text, additions)
    },
  }
}

function converted(name: CaseFunction, { sql: text, nullable }: SqlValue, additions: Additions): SqlValue {
  const builtIn = raw(name === 'toupper' ? 'upper' : 'lower')
  const result = sql`(${builtIn}((${withAdditions(text, additions)}) collate "und-x-icu") collate "C")`
  return { sql: result, type: 'Edm.String', nullable }
}

/** `translate` takes a microsecond per character, so that only strings with such letters are translated. */
function withAdditions(text: Sql, { from, to }: Additions): Sql {
  if (from === '') return text
  const hasNone = sql`octet_length(${text}) = length(${text}) or ${text} !~ ${raw(`'[${from}]'`)}`
  return sql`case when ${hasNone} then ${text} else translate(${text}, ${raw(`'${from}'`)}, ${raw(`'${to}'`)}) end`
}

async function detectMapping(dialect: SqlDialect, run: RunStatement): Promise<CaseMapping | undefined> {
  try {
    const [row] = await run(versionStatement)
    if (typeof row?.version !== 'string') return undefined
    const key = row.version
    const mapping = mappings.get(key) ?? readMapping(run)
    mappings.set(key, mapping)
    return await mapping.catch((error: unknown) => {
      mappings.delete(key)
      throw error
    })
  } catch (error) {
    // Databases that only share the protocol may lack the catalog.
    if (dialect.writes?.classifyError(error)?.kind === 'away') throw error
    return undefined
  }
}

async function readMapping(run: RunStatement): Promise<CaseMapping> {
  const known = new Map<string, { readonly upper: string; readonly lower: string }>()
  for (const { c, u, l } of await run(mappedStatement)) {
    known.set(String(c), { upper: String(u), lower: String(l) })
  }
  return {
    toupper: additionsOf(
      (letter) => letter.toUpperCase(),
      (letter) => known.get(letter)?.upper ?? letter,
    ),
    tolower: additionsOf(
      (letter) => letter.toLowerCase(),
      (letter) => known.get(letter)?.lower ?? letter,
    ),
  }
}

function additionsOf(
  ours: (letter: string) => string,
  theirs: (letter: string) => string,
): Additions | undefined {
  let from = ''
  let to = ''
  for (let point = 1; point <= LAST_CODE_POINT; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue
    const letter = String.fromCodePoint(point)
    const converted = ours(letter)
    const found = theirs(letter)
    if (found === converted) continue
    const isOneToOne = [...converted].length === 1 && found === letter && theirs(converted) === converted
    if (!isOneToOne) return undefined
    from += letter
    to += converted
  }
  return { from, to }
}
