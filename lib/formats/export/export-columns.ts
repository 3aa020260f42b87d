import type { Labels } from '../../csdl/localized-model.js'
import type { RowBatch } from '../../data/row-batch.js'
import type { Annotatable } from '../../edm/annotations.js'
import { labelOf } from '../../edm/annotations.js'
import type { ComplexType, EntitySet, EntityType, NavigationProperty, Property } from '../../edm/edm-model.js'
import { isPrimitive } from '../../edm/edm-model.js'
import { targetTypeOf } from '../../edm/model-view.js'
import type { PrimitiveTypeName } from '../../edm/primitive-types/primitive-type-name.js'
import { errorAt } from '../../errors/odata-error.js'
import type { Row } from '../../evaluation/row.js'
import { instanceTest, memberReader } from '../../evaluation/row.js'
import type { Projection } from '../../query/projection.js'
import { parseNamePaths } from '../../uri/parse-query-options.js'
import type { NamePathSyntax } from '../../uri/syntax-tree.js'

/** A column of an export: a simple property, also of a complex property or of an expanded entity. */
export interface ExportColumn {
  readonly heading: string
  readonly property: SimpleProperty
  /** Names of the complex properties around the property, and its own; undefined for other entities and derived types. */
  readonly path?: readonly string[] | undefined
  /** Returns the value of a row of a batch; null or undefined without value. */
  readonly valueOf: (batch: RowBatch, index: number) => unknown
}

/** A property of a primitive type. */
export interface SimpleProperty extends Property {
  readonly type: PrimitiveTypeName
}

/** The values of the query options that choose columns. */
interface ColumnOptions {
  readonly select: string | undefined
  readonly expand: string | undefined
  /** Labels of the language of the response, which precede those of the model. */
  readonly labels?: Labels | undefined
  /** The key of groups of rows, which has a column only if `$select` names it. */
  readonly groupId?: string | undefined
}

/**
 * Returns the columns of an export: those of `$select` in its order, without the key unless it is selected. Without
 * `$select` all properties in declared order, then those of expanded entities. Complex properties have a column for
 * each member.
 *
 * @param projection the projection of the same `$select` and `$expand`
 * @throws ODataError InvalidSystemQueryOption when `$expand` names a collection, or `$select` an entity that is not
 *   expanded
 */
export function exportColumns(projection: Projection, options: ColumnOptions): readonly ExportColumn[] {
  const { select, expand } = options
  if (expand !== undefined) checkExpand(projection.set, expand)
  return withUniqueHeadings(
    select === undefined
      ? allColumns(projection, options)
      : selectedColumns(projection, parseNamePaths(select, '$select'), select, options),
  )
}

/** Appends the path to repeated headings: many readers keep only the last of several columns with one heading. */
function withUniqueHeadings(columns: ColumnsByPath): readonly ExportColumn[] {
  const counts = new Map<string, number>()
  for (const { heading } of columns.values()) counts.set(heading, (counts.get(heading) ?? 0) + 1)
  const used = new Set<string>()
  return Array.from(columns, ([path, column]) => {
    let { heading } = column
    if (counts.get(heading) !== 1 && heading !== path) heading = `${heading} (${path})`
    while (used.has(heading)) heading = `${heading} (${path})`
    used.add(heading)
    return { ...column, heading }
  })
}

/** Columns by the path of their property, so that none occurs twice. */
type ColumnsByPath = Map<string, ExportColumn>

function allColumns(projection: Projection, options: ColumnOptions): ColumnsByPath {
  const { groupId, labels } = options
  const columns = propertyColumns(projection.entityType, labels)
  if (groupId !== undefined) columns.delete(groupId)
  for (const expansion of projection.expansions) {
    addAll(
      columns,
      inner(projection, expansion.navigation, allColumns(expansion.projection, options), labels),
    )
  }
  return columns
}

function selectedColumns(
  projection: Projection,
  paths: readonly NamePathSyntax[],
  source: string,
  options: ColumnOptions,
): ColumnsByPath {
  const { labels } = options
  const columns: ColumnsByPath = new Map()
  for (const { names, position } of paths) {
    const [name = '', ...rest] = names
    if (name === '*') {
      addAll(columns, allColumns(projection, options))
      continue
    }
    const ofProperty = propertyColumns(projection.entityType, labels, name)
    if (ofProperty.size > 0) {
      addAll(columns, ofProperty)
      continue
    }
    const expansion = projection.expansions.find(({ navigation }) => navigation.name === name)
    if (expansion === undefined) {
      throw errorAt(`$select: an export needs $expand=${name} for columns of '${name}'`, source, position)
    }
    const selected =
      rest.length === 0
        ? allColumns(expansion.projection, options)
        : selectedColumns(expansion.projection, [{ names: rest, position }], source, options)
    addAll(columns, inner(projection, expansion.navigation, selected, labels))
  }
  return columns
}

function addAll(columns: ColumnsByPath, added: ColumnsByPath): void {
  for (const [path, column] of added) if (!columns.has(path)) columns.set(path, column)
}

/** Returns the columns of a type and of the types derived from it, by default of all properties. */
function propertyColumns(type: EntityType, labels: Labels | undefined, name?: string): ColumnsByPath {
  const columns: ColumnsByPath = new Map()
  for (const one of [type, ...type.derivedTypes]) {
    const isInstance = instanceTest(type, one)
    for (const property of one === type ? type.properties : one.declaredProperties) {
      if (name !== undefined && property.name !== name) continue
      for (const { path, heading, property: simple, read } of simpleProperties(property, labels)) {
        const valueOf: ExportColumn['valueOf'] = (batch, index) => {
          const row = batch.rows[index]
          return row !== undefined && isInstance(row) ? read(row) : undefined
        }
        // Two derived types may declare properties of one name.
        const key = one === type ? path : `${path} ${one.qualifiedName}`
        columns.set(key, {
          heading,
          property: simple,
          path: one === type ? path.split('/') : undefined,
          valueOf,
        })
      }
    }
  }
  return columns
}

interface SimpleMember {
  readonly path: string
  readonly heading: string
  readonly property: SimpleProperty
  readonly read: (row: Row) => unknown
}

function simpleProperties(property: Property, labels: Labels | undefined): readonly SimpleMember[] {
  const { name, type } = property
  const heading = headingOf(property, labels)
  const read = memberReader(name)
  if (isSimple(property)) return [{ path: name, heading, property, read }]
  const members = (type as ComplexType).properties.flatMap((one) => simpleProperties(one, labels))
  return members.map((member) => ({
    path: `${name}/${member.path}`,
    heading: `${heading}/${member.heading}`,
    property: member.property,
    read: (row) => {
      const value = read(row)
      return value === null || value === undefined ? undefined : member.read(value as Row)
    },
  }))
}

function isSimple(property: Property): property is SimpleProperty {
  return isPrimitive(property.type)
}

/** Returns the columns of an expanded entity. */
function inner(
  { expansions }: Projection,
  navigation: NavigationProperty,
  columns: ColumnsByPath,
  labels: Labels | undefined,
): ColumnsByPath {
  const position = expansions.findIndex((one) => one.navigation === navigation)
  const heading = headingOf(navigation, labels)
  const outer: ColumnsByPath = new Map()
  for (const [path, column] of columns) {
    outer.set(`${navigation.name}/${path}`, {
      heading: `${heading}/${column.heading}`,
      property: column.property,
      valueOf: (batch, index) => {
        const expanded = batch.expansions[position]
        const row = expanded?.offsets[index] ?? 0
        return expanded === undefined || row === expanded.offsets[index + 1]
          ? undefined
          : column.valueOf(expanded.batch, row)
      },
    })
  }
  return outer
}

/** Refuses collections, which have no place in a table with a row for each entity. */
function checkExpand(set: EntitySet, expand: string): void {
  for (const { names, position } of parseNamePaths(expand, '$expand')) {
    let types: readonly EntityType[] = [set.entityType, ...set.entityType.derivedTypes]
    for (const name of names) {
      const navigation = types.map((type) => type.navigationProperty(name)).find((one) => one !== undefined)
      if (navigation === undefined) break
      if (navigation.isCollection) {
        throw errorAt(`$expand: '${name}' is a collection, which an export cannot contain`, expand, position)
      }
      const target = targetTypeOf(types[0] ?? set.entityType, navigation)
      types = [target, ...target.derivedTypes]
    }
  }
}

/**
 * Returns the heading of a column: the label in the language of the response, else that of the model, else the name.
 * Some readers of CSV read one line of headings, quoted or not.
 */
function headingOf(element: Annotatable & { readonly name: string }, labels: Labels | undefined): string {
  const label = labels?.get(element)?.label ?? labelOf(element)
  return label?.replace(/[\r\n]+/g, ' ').trim() || element.name
}
