import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { EdmModel, EntitySet, EntityType, StructuralType } from '../../edm/edm-model.js'
import { ODataError } from '../../errors/odata-error.js'
import { didYouMean } from '../../errors/suggestions.js'
import type { Row } from '../../evaluation/row.js'
import { isArray, isObject, JsonNumber, parseJson } from '../../formats/json/parse-json.js'
import type { FunctionHandler } from '../../provider/provider.js'
import { adaptRows } from './adapt-rows.js'
import { SourceError } from './errors.js'
import { codeOf, reasonOf } from '../../util/thrown-error.js'
import type { KnownFile } from './row-persister.js'
import { contentHash } from './row-persister.js'
import { entitySetsByPath, functionImportsOf, isPrimitive } from '../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import type { JsonObject, JsonValue } from '../../formats/json/parse-json.js'
import { parseSimpleValue } from '../../formats/json/read-simple-values.js'

/** The content of the directory of `--data`. */
export interface DirectoryRows {
  /** By the path of the entity set. */
  readonly rows: Readonly<Record<string, readonly Row[]>>
  readonly known: ReadonlyMap<string, KnownFile>
  readonly notices: readonly string[]
}

/**
 * Reads the rows of a model from `<EntitySet>.json`.
 *
 * @param isSaved true if changes are written to the files, so that nothing in them may be ignored
 * @throws SourceError with file, line and column of the error
 */
export function readDataDirectory(directory: string, model: EdmModel, isSaved = false): DirectoryRows {
  const sets = entitySetsByPath(model)
  const rows = new Map<string, readonly Row[]>()
  const known = new Map<string, KnownFile>()
  const notices: string[] = []
  for (const file of filesIn(directory)) {
    const name = file.slice(0, -'.json'.length)
    const set = sets.get(name)
    if (set === undefined) {
      notices.push(
        `${join(directory, file)} is ignored: there is no entity set '${name}'.${didYouMean(name, sets.keys())}`,
      )
      continue
    }
    const path = join(directory, file)
    const text = textOf(path)
    const { rows: read, notices: ignored } = adaptRows(rowsInText(path, text, set), set)
    if (isSaved && ignored.length > 0)
      throw new SourceError(
        `${path}: ${ignored.join(' ')} --persist would remove this content from the file.`,
      )
    notices.push(...ignored.map((notice) => `${path} is partly ignored: ${notice}`))
    rows.set(name, read)
    known.set(name, { hash: contentHash(text), mustRewrite: hasLinks(read, set) })
  }
  // Assigning the member `__proto__` would set the prototype.
  return { rows: Object.fromEntries(rows), known, notices }
}

/** Creates the directory if it does not exist. @throws SourceError */
export function createDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true })
  } catch (error) {
    throw new SourceError(`The directory '${directory}' (--data) cannot be created: ${reasonOf(error)}`)
  }
}

/**
 * Imports the handlers of function imports from `functions.mjs` or `functions.js` of a directory.
 *
 * @throws SourceError if the module cannot be imported, or an export is not a function import
 */
export async function loadFunctions(
  directory: string,
  model: EdmModel,
): Promise<Readonly<Record<string, FunctionHandler>>> {
  const file = ['functions.mjs', 'functions.js'].map((name) => join(directory, name)).find(existsSync)
  if (file === undefined) return {}
  const exported = await exportsOf(file)
  const known = functionImportsOf(model).map(({ path }) => path)
  const handlers: Record<string, FunctionHandler> = {}
  for (const [name, handler] of Object.entries(exported)) {
    if (name === 'default' || name === 'module.exports') continue
    if (!known.includes(name))
      throw new SourceError(`${file}: there is no function import '${name}'.${didYouMean(name, known)}`)
    if (typeof handler !== 'function') throw new SourceError(`${file}: '${name}' must be a function.`)
    handlers[name] = handler as FunctionHandler
  }
  return handlers
}

async function exportsOf(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const exported = (await import(pathToFileURL(resolve(file)).href)) as Readonly<Record<string, unknown>>
    const { default: main } = exported
    return typeof main === 'object' && main !== null ? { ...main, ...exported } : exported
  } catch (error) {
    throw new SourceError(`${file}: ${reasonOf(error)}`)
  }
}

/**
 * Returns true if rows contain links. A link can be in the file of either entity set, so that files with links are
 * rewritten after the first change.
 */
function hasLinks(rows: readonly Row[], { entityType }: EntitySet): boolean {
  const names = new Set(
    [entityType, ...entityType.derivedTypes].flatMap((type) =>
      type.navigationProperties.map(({ name }) => name),
    ),
  )
  return rows.some((row) => typeof row === 'object' && Object.keys(row).some((name) => names.has(name)))
}

function rowsInText(file: string, text: string, set: EntitySet): readonly Row[] {
  if (text.trim() === '') throw new SourceError(`${file}: the file is empty. Write [] for no rows.`)
  try {
    const rows = parseRows(parseJson(text), set)
    if (rows !== undefined) return rows
  } catch (error) {
    throw new SourceError(placed(file, text, error))
  }
  throw new SourceError(
    `${file}: must contain an array of rows, or a response of an OData V2 service: { "d": ... }.`,
  )
}

/** Returns the error message with file, line and column, in the form that editors recognize. */
function placed(file: string, text: string, error: unknown): string {
  const position = error instanceof ODataError ? (error.details.position ?? 0) : 0
  const before = text.slice(0, position).split('\n')
  const line = text.split('\n')[before.length - 1] ?? ''
  const column = (before.at(-1)?.length ?? 0) + 1
  const [message = ''] = reasonOf(error).split(' At position')
  const reason = message.replace('The body is not JSON: ', '')
  return `${file}:${String(before.length)}:${String(column)}: ${reason}\n  ${line.trimEnd()}\n  ${' '.repeat(column - 1)}^`
}

/** Returns the text of a file. @throws SourceError */
export function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SourceError(codeOf(error) === 'ENOENT' ? `There is no file '${file}'.` : reasonOf(error))
  }
}

function filesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .sort()
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT') throw new SourceError(`There is no directory '${directory}' (--data).`)
    throw new SourceError(
      code === 'ENOTDIR' ? `'${directory}' (--data) is not a directory.` : reasonOf(error),
    )
  }
}

/**
 * Reads the rows of a JSON document: an array of rows, or a response of an OData V2 service.
 *
 * Values can have the form of verbose JSON, `/Date(1338282808000)/`, or a plain one. Invalid values are not changed;
 * the provider reports them.
 *
 * @returns undefined when the document is neither
 */
export function parseRows(document: JsonValue, { entityType }: EntitySet): readonly Row[] | undefined {
  const list = listIn(document)
  return list?.map((item) => (isObject(item) ? rowOf(item, entityType) : (plain(item) as Row)))
}

function listIn(document: JsonValue): readonly JsonValue[] | undefined {
  if (isArray(document)) return document
  if (!isObject(document)) return undefined
  const inner = document.get('d') ?? document.get('results')
  if (inner === undefined) return undefined
  if (isArray(inner)) return inner
  // A response with a single entity.
  return isObject(inner) && !inner.has('results') ? [inner] : listIn(inner)
}

function rowOf(json: JsonObject, declared: EntityType): Row {
  const metadata = json.get('__metadata')
  const typeName = isObject(metadata) ? metadata.get('type') : json.get('$type')
  const type = declared.derivedTypes.find(({ qualifiedName }) => qualifiedName === typeName) ?? declared
  const members: [string, unknown][] = type === declared ? [] : [['$type', type.qualifiedName]]
  for (const [name, value] of json) {
    if (isControlName(name, type) || name === '$type') continue
    const navigation = type.navigationProperty(name)
    if (name === '$media') members.push([name, mediaOf(value)])
    else if (navigation === undefined) members.push([name, valueOf(type, name, value)])
    else if (!isDeferred(value)) members.push([name, linksOf(value, navigation.targetType)])
  }
  return Object.fromEntries(members)
}

/** Returns true if a member is control information such as `__metadata`, and not a property with such a name. */
function isControlName(name: string, type: StructuralType): boolean {
  return name.startsWith('__') && type.property(name) === undefined
}

/** Reads a media resource, whose bytes are in base64. */
function mediaOf(value: JsonValue): unknown {
  if (!isObject(value)) return plain(value)
  const bytes = value.get('bytes')
  return {
    contentType: plain(value.get('contentType') ?? null),
    bytes: bytes === undefined ? undefined : primitiveOf('Edm.Binary', bytes),
  }
}

function isDeferred(value: JsonValue): boolean {
  return isObject(value) && value.has('__deferred')
}

/** Reduces expanded entities to their keys. */
function linksOf(value: JsonValue, type: EntityType): unknown {
  const list = isObject(value) && value.has('results') ? value.get('results') : value
  if (list !== undefined && isArray(list)) return list.map((one) => linksOf(one, type))
  if (!isObject(value)) return plain(value)
  const key = type.key.filter(({ name }) => value.has(name))
  return Object.fromEntries(key.map(({ name }) => [name, valueOf(type, name, value.get(name) ?? null)]))
}

function valueOf(owner: StructuralType, name: string, value: JsonValue): unknown {
  const type = owner.property(name)?.type
  if (type === undefined || value === null) return plain(value)
  if (isPrimitive(type)) return primitiveOf(type, value)
  if (!isObject(value)) return plain(value)
  const members = [...value].filter(([member]) => !isControlName(member, type))
  return Object.fromEntries(members.map(([member, one]) => [member, valueOf(type, member, one)]))
}

function primitiveOf(type: PrimitiveTypeName, value: JsonValue): unknown {
  return parseSimpleValue(type, value) ?? plain(value)
}

/** Converts JSON to JavaScript values. */
function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text)
  if (isArray(value)) return value.map(plain)
  return isObject(value) ? Object.fromEntries([...value].map(([name, one]) => [name, plain(one)])) : value
}
