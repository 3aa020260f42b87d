import type { EdmModel } from '../edm/edm-model.js'
import { isPrimitiveTypeName } from '../edm/primitive-types/primitive-type-name.js'
import { isRecord } from '../util/is-record.js'
import { definitionOf } from './definition-of-model.js'

/**
 * Formats a model as a TypeScript module that calls `defineModel`, for example to edit a model of a metadata document
 * or of a database. The types of entities and keys are inferred from it.
 *
 * @param model any model
 * @returns the source of a module that exports `model`
 * @example
 * await writeFile('northwind-model.ts', printModel(readEdmx(await readFile('northwind.edmx', 'utf8'))))
 * @spec MC-CSDL 2.1
 */
export function printModel(model: EdmModel): string {
  const body = definitionSource(definitionOf(model), [], 'export const model = defineModel('.length)
  const names = body.includes('edm.') ? 'defineModel, edm' : 'defineModel'
  return `import { ${names} } from 'express-odata-v2'\n\nexport const model = defineModel(${body})\n`
}

/**
 * Formats a definition, or a part of one, like {@link printModel}.
 *
 * @param path the names of the members that lead to the part
 * @param column the column at which it starts
 * @param indent of the line in which it starts
 */
export function definitionSource(
  part: unknown,
  path: readonly string[],
  column: number,
  indent?: string,
): string {
  return literalSource(withBuilders(part, path), column, indent)
}

/** Replaces primitive properties by calls of `edm`, from which their types are inferred. */
function withBuilders(part: unknown, path: readonly string[]): unknown {
  if (Array.isArray(part)) return part.map((item) => withBuilders(item, [...path, '']))
  if (!isRecord(part)) return part
  const { type, ...facets } = part
  if (path.at(-2) === 'properties' && typeof type === 'string' && isPrimitiveTypeName(type)) {
    const name = type.replace('Edm.', 'edm.')
    return new CallSource(name, Object.keys(facets).length === 0 ? undefined : facets)
  }
  const members = Object.entries(part)
  return Object.fromEntries(members.map(([name, member]) => [name, withBuilders(member, [...path, name])]))
}

/** A call in the source: `edm.String({ maxLength: 40 })`. */
class CallSource {
  /** @param facets none: the call has no arguments */
  constructor(
    readonly name: string,
    readonly facets: Readonly<Record<string, unknown>> | undefined,
  ) {}
}

const width = 100

/**
 * Formats a value as TypeScript, with objects and arrays on one line if they fit. Omits undefined members.
 *
 * @param value strings, numbers, Booleans, arrays, plain objects and {@link CallSource}s
 * @param column the column at which the value starts
 * @param indent of the line in which it starts
 */
export function literalSource(value: unknown, column = 0, indent = ''): string {
  const inOneLine = flatSource(value)
  if (column + inOneLine.length < width) return inOneLine
  const inner = `${indent}  `
  if (value instanceof CallSource) {
    return `${value.name}(${literalSource(value.facets ?? {}, column + value.name.length + 1, indent)})`
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${literalSource(item, inner.length, inner)},\n`)
    return `[\n${items.join('')}${indent}]`
  }
  if (typeof value !== 'object' || value === null) return inOneLine
  const members = membersOf(value).map(([name, member]) => {
    const start = `${inner}${keySource(name)}: `
    return `${start}${literalSource(member, start.length, inner)},\n`
  })
  return `{\n${members.join('')}${indent}}`
}

function flatSource(value: unknown): string {
  if (value instanceof CallSource) {
    return `${value.name}(${value.facets === undefined ? '' : flatSource(value.facets)})`
  }
  if (typeof value === 'string') return textSource(value)
  if (Array.isArray(value)) return `[${value.map(flatSource).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = membersOf(value).map(([name, member]) => `${keySource(name)}: ${flatSource(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function membersOf(value: object): [name: string, member: unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

/** Formats the name of a member of an object. */
export function keySource(name: string): string {
  // A plain `__proto__` member would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : textSource(name)
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Quotes a string, with double quotes if they need fewer escapes. */
function textSource(text: string): string {
  const quote = text.split("'").length > text.split('"').length ? '"' : "'"
  const escaped = text.replace(/[\\\p{Cc}\p{Cs}\u2028\u2029\ufeff]/gu, (one) => {
    return escapes[one] ?? `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `${quote}${escaped.replaceAll(quote, `\\${quote}`)}${quote}`
}
