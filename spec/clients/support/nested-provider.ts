import type { ComplexType, EdmModel, EntityType } from '../../../lib/edm/edm-model.js'
import { entitySetsOf, isPrimitive } from '../../../lib/edm/edm-model.js'
import type { Row } from '../../../lib/evaluation/row.js'
import type {
  EntitySetProvider,
  ExpandBranch,
  FunctionHandler,
  Provider,
  Rows,
  RowsPage,
  WriteCondition,
} from '../../../lib/provider/provider.js'
import type { ProviderCall } from '../../../lib/provider/provider-call.js'
import type { PlainRow } from '../../contracts/contract-data.js'

/** The names of one complex property in CAP, which flattens it: `Dims_W`. Undefined for other properties. */
type Shape = ReadonlyMap<string, ComplexType>

function shapeOf(type: EntityType | ComplexType): Shape {
  return new Map(
    type.properties.flatMap(({ name, type: one }) => (isPrimitive(one) ? [] : [[name, one] as const])),
  )
}

/** Returns the values of an entity as CAP has them. Members that are not complex values do not change. */
export function flattened(values: Row, type: EntityType | ComplexType, prefix = ''): Record<string, unknown> {
  const shape = shapeOf(type)
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const complex = shape.get(name)
      if (complex === undefined) return [[prefix + name, value]]
      return Object.entries(flattened((value ?? {}) as Row, complex, `${prefix}${name}_`))
    }),
  )
}

function flatNames(name: string, type: EntityType | ComplexType, prefix = ''): string[] {
  const complex = shapeOf(type).get(name)
  if (complex === undefined) return [prefix + name]
  return complex.properties.flatMap((one) => flatNames(one.name, complex, `${prefix}${name}_`))
}

function nested(row: Row, type: EntityType | ComplexType, prefix = ''): Record<string, unknown> {
  return Object.fromEntries(
    [...shapeOf(type)].map(([name, complex]) => {
      const inner = `${prefix}${name}_`
      const simple = complex.properties.map((one) => [one.name, row[inner + one.name]] as const)
      return [name, { ...Object.fromEntries(simple), ...nested(row, complex, inner) }]
    }),
  )
}

/** Returns the paths of properties in the model, by their names in CAP. */
function nestedNames(names: ReadonlySet<string> = new Set(), type: EntityType): ReadonlySet<string> {
  const paths = (one: EntityType | ComplexType, name: string, path: string): string[] =>
    one.properties.flatMap((property) => {
      const [flat, full] = [name + property.name, path + property.name]
      if (!isPrimitive(property.type)) return paths(property.type, `${flat}_`, `${full}/`)
      return names.has(flat) ? [full] : []
    })
  return new Set(paths(type, '', ''))
}

/** Returns further members of a row of an entity set. */
type AddMembers = (set: string, row: Row) => PlainRow

/**
 * Wraps the provider of a service of CAP, which flattens complex values, so that rows have the complex values of a model.
 *
 * @param added further members of rows. Default: none.
 */
export function nestedProvider(
  model: EdmModel,
  provider: Provider,
  added: AddMembers = () => ({}),
): Provider {
  const types = new Map(entitySetsOf(model).map(({ path, entityType }) => [path, entityType]))
  const typeOf = (set: string): EntityType => types.get(set) as EntityType
  const nest = (row: Row, set: string, expand: readonly ExpandBranch[] = []): Row => {
    const inner = expand.flatMap(({ navigation, entitySet, expand: further }) => {
      const value = row[navigation.name] as Row | readonly Row[] | null | undefined
      if (value === undefined || value === null) return []
      const all = Array.isArray(value)
        ? (value as readonly Row[]).map((one) => nest(one, entitySet, further))
        : nest(value as Row, entitySet, further)
      return [[navigation.name, all] as const]
    })
    return { ...row, ...nested(row, typeOf(set)), ...added(set, row), ...Object.fromEntries(inner) }
  }
  const flatQuery = <Query extends Pick<ExpandBranch, 'properties' | 'expand'>>(
    query: Query,
    set: string,
  ): Query => ({
    ...query,
    ...(query.properties && {
      properties: new Set([...query.properties].flatMap((name) => flatNames(name, typeOf(set)))),
    }),
    ...(query.expand && { expand: query.expand.map((branch) => flatQuery(branch, branch.entitySet)) }),
  })
  const entitySets = Object.entries<EntitySetProvider>(provider.entitySets).flatMap(([set, inner]) => {
    if (!types.has(set)) return []
    const { autocommit } = inner
    const type = typeOf(set)
    const wrapped: EntitySetProvider = {
      ...inner,
      async read(query, call) {
        const found = await inner.read(flatQuery(query, set), call)
        return found && nestedPage(found, (row) => nest(row, set, query.expand))
      },
      ...(inner.readByKey && {
        async readByKey(key, query, call) {
          const row = await inner.readByKey?.(key, flatQuery(query, set), call)
          return row && nest(row, set, query.expand)
        },
      }),
      ...(inner.readRelated && {
        async readRelated(query, call) {
          const lists = (await inner.readRelated?.(flatQuery(query, set), call)) ?? []
          return lists.map((rows) => rows.map((row) => nest(row, set)))
        },
      }),
    }
    if (autocommit === undefined) return [[set, wrapped]]
    const writes = {
      insert: async (entity: Row, call: ProviderCall) =>
        nest((await inner.insert?.(flattened(entity, type), call)) ?? {}, set),
      update: async (key: Row, values: Row, condition: WriteCondition, call: ProviderCall) => {
        const row = await inner.update?.(key, flattened(values, type), condition, call)
        return row && nest(row, set)
      },
    }
    const all: EntitySetProvider = {
      ...wrapped,
      ...writes,
      ...(inner.storeDefaults && {
        storeDefaults: async (isReplacement) => nestedNames(await inner.storeDefaults?.(isReplacement), type),
      }),
      autocommit: {
        ...autocommit,
        replaces: { ...autocommit.replaces, ...writes },
        insert: (entity, respond, call) =>
          autocommit.insert(flattened(entity, type), (row) => respond(nest(row, set)), call),
        async update(key, values, condition, call) {
          const row = await autocommit.update?.(key, flattened(values, type), condition, call)
          return typeof row === 'object' ? nest(row, set) : row
        },
      },
    }
    return [[set, all]]
  })
  return {
    ...provider,
    entitySets: Object.fromEntries(entitySets),
    functions: Object.fromEntries(
      Object.entries<FunctionHandler>(provider.functions ?? {}).map(([name, handler]) => [
        name,
        async (...given: Parameters<FunctionHandler>) => {
          const found = await handler(...given)
          const one = (row: unknown): unknown =>
            typeof row === 'object' && row !== null ? nest(row as Row, 'Products') : row
          return Array.isArray(found) ? found.map(one) : one(found)
        },
      ]),
    ),
  } as Provider
}

function nestedPage(found: Rows | RowsPage, nest: (row: Row) => Row): Rows | RowsPage {
  if ('rows' in found) return { ...found, rows: nestedRows(found.rows, nest) }
  return nestedRows(found, nest)
}

function nestedRows(rows: Rows, nest: (row: Row) => Row): Rows {
  if (Array.isArray(rows)) return (rows as readonly Row[]).map(nest)
  return (async function* () {
    for await (const batch of rows as AsyncIterable<readonly Row[]>) yield batch.map(nest)
  })()
}
