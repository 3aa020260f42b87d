import { sapNamespace } from '../../../edm/annotations.js'
import type { AnnotatedDefinition, PropertyDefinition } from '../../../edm/model-definition.js'
import { primitiveTypes } from '../../../edm/primitive-types/primitive-types.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import type { ColumnFacts } from '../column.js'
import type { DatabaseTable } from '../database-schema.js'
import type { SqlDialect } from '../dialect.js'
import { columnTypeOf } from './column-types.js'
import type { EntityDraft } from './draft.js'
import { capital, freeName, identifier, isCamelCase, plural, singular } from './names.js'

/** What is known of a table that becomes an entity set. */
export interface ChosenTable {
  readonly table: DatabaseTable
  readonly key: readonly string[]
}

/** Drafts of the entity sets of some tables, each with names of its own. */
export function draftEntities(chosen: readonly ChosenTable[], dialect: SqlDialect['name']): EntityDraft[] {
  const setNames = new Set<string>()
  const typeNames = new Set<string>()
  return chosen.map(({ table, key }) => {
    const name = capital(identifier(table.name))
    const schema = capital(identifier(table.schema ?? ''))
    const set = plural(name)
    const setName = freeName([set, name, `${schema}${set}`], setNames)
    const typeName = freeName([singular(name), `${schema}${singular(name)}`], typeNames)
    setNames.add(setName)
    typeNames.add(typeName)
    return draftEntity({ table, key }, { setName, typeName }, dialect)
  })
}

function draftEntity(
  { table, key }: ChosenTable,
  { setName, typeName }: { readonly setName: string; readonly typeName: string },
  dialect: SqlDialect['name'],
): EntityDraft {
  const names = new Map<string, string>()
  const properties: Record<string, PropertyDefinition> = {}
  const taken = new Set<string>()
  const isCamelCased = [...table.columns.keys()].some(isCamelCase)
  for (const [column, facts] of table.columns) {
    const name = freeName([identifier(column, isCamelCased)], taken)
    taken.add(name)
    names.set(column, name)
    properties[name] = propertyOf(facts, dialect, key.includes(column))
  }
  return { table, setName, typeName, key, names, properties, navigationProperties: {}, taken }
}

function propertyOf(facts: ColumnFacts, dialect: SqlDialect['name'], isKey: boolean): PropertyDefinition {
  const { isDay, ...facets } = columnTypeOf(dialect, facts)
  const { comment } = facts
  return {
    ...facets,
    ...(facts.nullable && !isKey ? {} : { nullable: false }),
    ...madeByDatabase(facts, facets.type),
    ...(comment === undefined ? {} : { documentation: { summary: comment } }),
    ...(isDay === true ? sapAnnotations({ 'display-format': 'Date' }) : {}),
  }
}

/** What the database gives a property that a client leaves out. */
function madeByDatabase(facts: ColumnFacts, type: PrimitiveTypeName): Partial<PropertyDefinition> {
  const { isGenerated, isIdentity, defaultText } = facts
  if (isIdentity) return { storeGeneratedPattern: 'Identity' }
  if (isGenerated) return { storeGeneratedPattern: 'Computed' }
  if (defaultText === undefined) return {}
  const value = constantOf(defaultText)
  if (value !== undefined) return isValue(type, value) ? { defaultValue: textOf(type, value) } : {}
  // The time at which a row was made, or a key of random digits: nobody else can know them.
  const isMade =
    /^(?:now|current_|gen_random_uuid|uuid|\(?(?:lower\()?(?:hex\(|datetime\(|strftime\()|transaction_timestamp|localtimestamp)/i
  return isMade.test(defaultText) ? { storeGeneratedPattern: 'Identity' } : {}
}

/** A Boolean may be written as a number, which other readers of the metadata document need not know. */
function textOf(type: PrimitiveTypeName, value: string): string {
  return type === 'Edm.Boolean' ? String(primitiveTypes[type].parse(value)) : value
}

/** The text of a literal; undefined for an expression. */
function constantOf(text: string): string | undefined {
  const bare = text.replace(/::[\w\s"().[\]]+$/, '').trim()
  if (/^'(?:[^']|'')*'$/.test(bare)) return bare.slice(1, -1).replaceAll("''", "'")
  return /^[-+]?\d+(?:\.\d+)?$|^(?:true|false)$/i.test(bare) ? bare.toLowerCase() : undefined
}

function isValue(type: PrimitiveTypeName, text: string): boolean {
  if (type === 'Edm.Binary') return false
  try {
    return primitiveTypes[type].parse(text) !== undefined
  } catch {
    return false
  }
}

/** Annotations as SAP's clients read them: `sap:creatable="false"`. */
export function sapAnnotations(values: Readonly<Record<string, string>>): AnnotatedDefinition {
  const attributes = Object.entries(values).map(([name, value]) => ({
    namespace: sapNamespace,
    prefix: 'sap',
    name,
    value,
  }))
  return { annotations: { attributes } }
}
