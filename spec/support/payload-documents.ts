import type { Format, WriteContext } from '../../lib/formats/format.js'
import type { EntityPayload, ReadOptions } from '../../lib/formats/payload.js'
import { atomFormat } from '../../lib/formats/atom/atom-format.js'
import { jsonFormat } from '../../lib/formats/json/json-format.js'
import type { Row } from '../../lib/index.js'
import type { Projection } from '../../lib/query/projection.js'
import type { RowBatch } from '../../lib/data/row-batch.js'
import { setNamed } from './protocol-model.js'

/** How bodies are read, unless a statement is about something else. */
export const readOptions: ReadOptions = { ignoreUnknown: false, depth: 5, service: 'http://h/n/' }

/** How documents are written that are to be read again. */
export const writeContext: WriteContext = {
  root: 'http://h/n/',
  version: '2.0',
  updated: '2024-01-02T03:04:05Z',
  doubleAsNumber: false,
  media: () => undefined,
}

/** Reads a JSON object, given as data or as text, as an entity of a set of the protocol model. */
export function readJsonEntity(
  set: string,
  body: unknown,
  options: Partial<ReadOptions> = {},
): EntityPayload {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return jsonFormat.read.entity(text, setNamed(set).entityType, { ...readOptions, ...options })
}

const namespaces =
  'xmlns="http://www.w3.org/2005/Atom" ' +
  'xmlns:d="http://schemas.microsoft.com/ado/2007/08/dataservices" ' +
  'xmlns:m="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata"'

/** The part of a relation before the name of a navigation property. */
export const related = 'http://schemas.microsoft.com/ado/2007/08/dataservices/related/'

/** An Atom entry with the usual prefixes. */
export function entryOf(content: string): string {
  return `<entry ${namespaces}>${content}</entry>`
}

/** Reads the content of an Atom entry as an entity of a set of the protocol model. */
export function readAtomEntity(
  set: string,
  content: string,
  options: Partial<ReadOptions> = {},
): EntityPayload {
  return atomFormat.read.entity(entryOf(content), setNamed(set).entityType, { ...readOptions, ...options })
}

/** The document of one row, in which related rows stand by the name of their navigation property. */
export function serializedEntity(format: Format, projection: Projection, row: Row): string {
  return format.entry(projection, batchOf([row], projection), writeContext)
}

function batchOf(rows: readonly Row[], projection: Projection): RowBatch {
  const expansions = projection.expansions.map(({ navigation, projection: inner }) => {
    const offsets = [0]
    const related: Row[] = []
    for (const row of rows) {
      related.push(...[(row[navigation.name] ?? []) as Row | readonly Row[]].flat())
      offsets.push(related.length)
    }
    return { batch: batchOf(related, inner), offsets, truncated: new Set<number>() }
  })
  return { rows, expansions }
}

/** The projection of a set that shows related entities inline, by paths such as `Products/Category`. */
export function expanding(set: string, ...paths: string[]): Projection {
  const { entityType } = setNamed(set)
  const names = [...new Set(paths.map((path) => path.split('/')[0] ?? ''))]
  const expansions = names.map((name) => {
    const navigation = entityType.navigationProperty(name)
    const target = navigation === undefined ? undefined : setNamed(set).targetOf(navigation)
    if (navigation === undefined || target === undefined) throw new Error(`There is no '${name}' to expand.`)
    const inner = paths
      .filter((path) => path.startsWith(`${name}/`))
      .map((path) => path.slice(name.length + 1))
    return { navigation, projection: expanding(target.path, ...inner), expandText: '', selectText: '' }
  })
  return { set: setNamed(set), entityType, selected: undefined, expansions }
}
