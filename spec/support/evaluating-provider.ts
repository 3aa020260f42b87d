import type { EdmModel, EntitySet, NavigationProperty } from '../../lib/edm/edm-model.js'
import { ExpressionCompiler } from '../../lib/evaluation/compile-expression.js'
import type { EvaluationContext } from '../../lib/evaluation/evaluation-context.js'
import { keyShape, keyText } from '../../lib/evaluation/key-text.js'
import { RowOrder } from '../../lib/evaluation/order.js'
import type { Row } from '../../lib/evaluation/row.js'
import { joinOf } from '../../lib/data/join.js'
import type { CountQuery, EntitySetProvider, Provider, ReadQuery } from '../../lib/provider/provider.js'
import type { Expression } from '../../lib/query/expression.js'
import type { ContractRows } from '../contracts/contract-data.js'
import { rowsWithLinks } from '../contracts/contract-data.js'
import { plainProvider } from './plain-provider.js'
import { sortedRows } from './sorted-rows.js'

/** A provider that takes every part of a query, and does it with what the library evaluates expressions with. */
export function evaluatingProvider(model: EdmModel, rows: ContractRows): Provider {
  const tables = new Tables(model, rowsWithLinks(rows, 'both'))
  return plainProvider(rows, (_all, set) => entitySet(tables, tables.set(set)))
}

function entitySet(tables: Tables, set: EntitySet): EntitySetProvider {
  const { names, types } = keyShape(set.entityType.key)
  const select = (query: CountQuery): readonly Row[] => {
    const { source, filter } = query
    const start =
      source === undefined
        ? tables.rows(set.path)
        : tables.related(source.entitySet, source.navigation.name, source.row)
    return filter === undefined ? start : start.filter(tables.condition(set, filter))
  }
  const read = (query: ReadQuery): readonly Row[] => {
    const { orderBy = [], seek, skip = 0, top = Number.POSITIVE_INFINITY } = query
    const order = new RowOrder(orderBy, set.entityType, tables.navigation(set.path))
    const sorted = sortedRows(order, select(query))
    const key = seek === undefined ? undefined : order.keyAt(seek, orderBy)
    const behind = key === undefined ? sorted : sorted.filter((row) => order.compareRow(row, key) > 0)
    return behind.slice(skip, skip + top)
  }
  return {
    read,
    count: (query) => select(query).length,
    readByKey: (key) => {
      const text = keyText(key, names, types)
      return tables.rows(set.path).find((row) => keyText(row, names, types) === text)
    },
    readRelated: ({ sources, ...query }) =>
      sources.rows.map((row) =>
        read({ ...query, source: { entitySet: sources.entitySet, navigation: sources.navigation, row } }),
      ),
    pushdown: { filter: () => true, orderBy: () => true, navigation: () => true, paging: true },
  }
}

/** Rows that hold the keys of what they are related to. Everything is found by name. */
class Tables {
  constructor(
    private readonly model: EdmModel,
    private readonly all: ContractRows,
  ) {}

  set(path: string): EntitySet {
    const set = this.model.defaultContainer.entitySet(path)
    if (set === undefined) throw new Error(`There is no entity set '${path}'.`)
    return set
  }

  rows(path: string): readonly Row[] {
    return this.all[path] ?? []
  }

  related(path: string, name: string, row: Row): readonly Row[] {
    const source = this.set(path)
    const navigation = navigationOf(source, name)
    const target = navigation === undefined ? undefined : source.targetOf(navigation)
    if (navigation === undefined || target === undefined) throw new Error(`Nothing is behind '${name}'.`)
    const join = joinOf(navigation)
    const { names, types } = keyShape(join.targetProperties)
    const wanted = new Set(join.valuesOf(row).map((values) => keyText(values, names, types)))
    return this.rows(target.path).filter((one) => {
      const text = keyText(one, names, types)
      return text !== undefined && wanted.has(text)
    })
  }

  condition({ path, entityType }: EntitySet, filter: Expression): (row: Row) => boolean {
    return new ExpressionCompiler(entityType, this.navigation(path)).condition(filter).isTrue
  }

  navigation(path: string): EvaluationContext {
    return {
      navigate: ({ navigation, target, restriction }, before) => {
        const from = before.findLast((step) => step.kind === 'Navigation')?.target.path ?? path
        const isVisible = restriction === undefined ? () => true : this.condition(target, restriction)
        return (row) => this.related(from, navigation.name, row).find(isVisible) ?? null
      },
    }
  }
}

function navigationOf({ entityType }: EntitySet, name: string): NavigationProperty | undefined {
  for (const type of [entityType, ...entityType.derivedTypes]) {
    const navigation = type.navigationProperty(name)
    if (navigation !== undefined) return navigation
  }
  return undefined
}
