import type { RunStatement } from '../../database-schema.js'
import type { SqlDialect, SqlValue } from '../../dialect.js'
import type { Sql } from '../../sql-text.js'
import { raw, sql } from '../../sql-text.js'

type CaseFunction = 'toupper' | 'tolower'

/** Letters that JavaScript converts and the database does not: the arguments of `translate`. */
interface MissingLetters {
  readonly from: string
  readonly to: string
}

/** The letters to translate before each function; undefined if the database converts a letter differently. */
type CaseMapping = Readonly<Record<CaseFunction, MissingLetters | undefined>>

/** The end of the second plane of Unicode. Later planes have no letters with two cases. */
const LAST_CODE_POINT = 0x1ffff

/** Caches case mappings by the versions of the server and its ICU library, because services often share a server. */
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
 * Adds `toupper` and `tolower` to the dialect if the ICU library of the database converts letters as JavaScript does.
 * The functions use the ICU collation instead of the locale of the database, whose rules differ. Letters that only the
 * newer Unicode version of Node.js converts are translated first.
 */
export async function withPostgresCase(dialect: SqlDialect, run: RunStatement): Promise<SqlDialect> {
  const mapping = await detectMapping(dialect, run)
  if (mapping === undefined) return dialect
  return {
    ...dialect,
    call(name, parameters) {
      if (name !== 'toupper' && name !== 'tolower') return dialect.call(name, parameters)
      const [text] = parameters
      const missing = mapping[name]
      // `trim` has the same precondition: the dialect declines it for strings that it cannot compare exactly.
      if (text === undefined || missing === undefined || dialect.call('trim', parameters) === undefined)
        return undefined
      return convertCase(name, text, missing)
    },
  }
}

function convertCase(
  name: CaseFunction,
  { sql: text, nullable }: SqlValue,
  { from, to }: MissingLetters,
): SqlValue {
  const builtIn = raw(name === 'toupper' ? 'upper' : 'lower')
  const unicode = (of: Sql): Sql => sql`${builtIn}((${of}) collate "und-x-icu") collate "C"`
  return { sql: from === '' ? sql`(${unicode(text)})` : translated(), type: 'Edm.String', nullable }

  /**
   * Calls `translate` only for strings that contain missing letters, because it takes a microsecond per character, and the
   * ICU library only for strings with other letters than those of ASCII, because it takes twice as long.
   */
  function translated(): Sql {
    const hasNone = sql`${text} !~ ${raw(`'[${from}]'`)}`
    const replaced = sql`translate(${text}, ${raw(`'${from}'`)}, ${raw(`'${to}'`)})`
    const isAscii = sql`octet_length(${text}) = length(${text})`
    const ofOthers = unicode(sql`case when ${hasNone} then ${text} else ${replaced} end`)
    return sql`(case when ${isAscii} then ${builtIn}((${text}) collate "C") else ${ofOthers} end)`
  }
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
    // Databases that imitate PostgreSQL may lack this catalog.
    if (dialect.classifyError(error)?.kind === 'away') throw error
    return undefined
  }
}

async function readMapping(run: RunStatement): Promise<CaseMapping> {
  const known = new Map<string, { readonly upper: string; readonly lower: string }>()
  for (const { c, u, l } of await run(mappedStatement)) {
    known.set(String(c), { upper: String(u), lower: String(l) })
  }
  return {
    toupper: findMissingLetters(
      (letter) => letter.toUpperCase(),
      (letter) => known.get(letter)?.upper ?? letter,
    ),
    tolower: findMissingLetters(
      (letter) => letter.toLowerCase(),
      (letter) => known.get(letter)?.lower ?? letter,
    ),
  }
}

function findMissingLetters(
  convert: (letter: string) => string,
  convertInDatabase: (letter: string) => string,
): MissingLetters | undefined {
  let from = ''
  let to = ''
  for (let point = 1; point <= LAST_CODE_POINT; point++) {
    if (point >= 0xd800 && point <= 0xdfff) continue
    const letter = String.fromCodePoint(point)
    const expected = convert(letter)
    const actual = convertInDatabase(letter)
    if (actual === expected) continue
    const isOneToOne =
      [...expected].length === 1 && actual === letter && convertInDatabase(expected) === expected
    if (!isOneToOne) return undefined
    from += letter
    to += expected
  }
  return { from, to }
}
