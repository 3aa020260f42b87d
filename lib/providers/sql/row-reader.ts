import { entityName } from '../../edm/relations.js'
import type { Row } from '../../evaluation/row.js'
import type { ValueColumn } from '../../evaluation/value-row.js'
import { RowLayout } from '../../evaluation/value-row.js'
import type { Column } from './column.js'
import type { SqlDialect, TextColumn, WireFormat } from './dialect.js'
import type { EntityTable } from './entity-table.js'
import { decodeUtf8 } from './wire/cell-text.js'
import { WireRows } from './wire/wire-rows.js'
import type { Sql } from './sql-text.js'
import { invalidAlias } from './valid-rows.js'
import { joined, raw, sql, statementOf } from './sql-text.js'

/** A row as a driver gives it. */
export type DriverRow = Record<string, unknown>

/** Names that no property can have, for what is selected beside the columns. */
const typeAlias = '$type'
export const sourceAlias = '$source'
export const mediaTypeAlias = '$mediaType'

/** Rows as arrays of cells in the order in which the columns were selected. */
export interface CellArrays {
  readonly cells: readonly (readonly unknown[])[]
}

/** Rows as a driver returned them. */
export type Found = readonly DriverRow[] | CellArrays | WireRows

/** What a statement selects of the rows of a table. */
export interface Selection {
  /** Returns the select list. @param isText whether the driver returns cells as the database sends them */
  selection(alias: string, isText?: boolean): Sql
  /** The names that {@link selection} gives. */
  readonly names: Sql
}

/**
 * What is selected of a table, and how rows are made of it. Made once for each set of properties that is asked for.
 */
export class RowReader implements Selection {
  readonly columns: readonly Column[]
  private readonly conversions: readonly {
    readonly name: string
    readonly read: (value: unknown) => unknown
  }[]
  private readonly nested: readonly { readonly name: string; readonly path: readonly string[] }[]
  private readonly returning: { asValues?: Sql; asTexts?: Sql } = {}
  private readonly layouts: { ofValues?: RowLayout; ofStrings?: RowLayout } = {}

  constructor(
    private readonly table: EntityTable,
    private readonly dialect: SqlDialect,
    properties: ReadonlySet<string> | undefined,
  ) {
    this.columns =
      properties === undefined
        ? table.columns
        : table.columns.filter(
            (column) =>
              properties.has(column.path[0] ?? '') ||
              table.keyColumns.includes(column) ||
              table.joinColumns.has(column),
          )
    this.conversions = this.columns.flatMap((column) => {
      const read = dialect.reader(column)
      return read === undefined ? [] : [{ name: aliasOf(column), read }]
    })
    this.nested = this.columns
      .filter(({ path }) => path.length > 1)
      .map((column) => ({ name: aliasOf(column), path: column.path }))
  }

  /** What stands behind `select`, or behind `returning` when there is no alias. */
  selection(alias?: string, isText = false): Sql {
    const { table, dialect } = this
    const prefix = alias === undefined ? '' : `${alias}.`
    const parts = this.columns.map((column) => {
      const reference = dialect.selected(column, raw(prefix + column.quoted), isText)
      return sql`${reference} as ${raw(dialect.quote(aliasOf(column)))}`
    })
    if (table.typeColumn !== undefined) {
      parts.push(raw(`${prefix}${table.typeColumn.quoted} as ${dialect.quote(typeAlias)}`))
    }
    if (alias !== undefined && table.invalidValues !== undefined) {
      parts.push(raw(prefix + dialect.quote(invalidAlias)))
    }
    if (table.media !== undefined) {
      parts.push(raw(`${prefix}${table.media.contentType} as ${dialect.quote(mediaTypeAlias)}`))
    }
    return joined(parts, ', ')
  }

  /** What stands after `returning`, as one text: it has no parameters. */
  returned(isText: boolean): Sql {
    const name = isText ? 'asTexts' : 'asValues'
    return (this.returning[name] ??= raw(
      statementOf(this.selection(undefined, isText), (index) => this.dialect.placeholder(index)).text,
    ))
  }

  /** The names that {@link selection} gives. */
  get names(): Sql {
    const { table, dialect } = this
    const names = this.columns.map(aliasOf)
    if (table.typeColumn !== undefined) names.push(typeAlias)
    if (table.invalidValues !== undefined) names.push(invalidAlias)
    if (table.media !== undefined) names.push(mediaTypeAlias)
    return raw(names.map((name) => dialect.quote(name)).join(', '))
  }

  /**
   * Makes rows of what the driver returned; its objects become ours.
   *
   * @param isPage whether the rows are only serialized, so that they may be `ValueRow`s
   */
  found(found: Found, isPage: boolean): readonly Row[] {
    const { typeColumn, invalidValues } = this.table
    const isPlain = isPage && typeColumn === undefined && invalidValues === undefined
    if (found instanceof WireRows) {
      const { sources, positions } = found
      return this.ofLayout(this.layout(true), isPlain, sources, (index) => positions[index] ?? 0)
    }
    return 'cells' in found
      ? this.ofLayout(this.layout(false), isPlain, found.cells, () => 0)
      : this.rows(found)
  }

  /** Returns the number of its source for each row of several sources, which follows the columns. */
  sourceNumbers(found: Found): readonly unknown[] {
    return cellsAt(found, this.width, sourceAlias)
  }

  /** Returns the cell of a column for each row, as the driver returned it. */
  cellsOf(found: Found, column: Column): readonly unknown[] {
    return cellsAt(found, this.columns.indexOf(column), aliasOf(column))
  }

  private ofLayout(
    layout: RowLayout,
    isPlain: boolean,
    sources: readonly unknown[],
    positionOf: (index: number) => number,
  ): readonly Row[] {
    if (isPlain && layout.hasValueRows)
      return sources.map((source, index) => layout.row(source, positionOf(index)))
    return sources.map((source, index) => {
      const entity: DriverRow = { ...layout.object(layout.cellsAt(source, positionOf(index))) }
      this.finish(entity)
      return entity
    })
  }

  /** How many cells {@link selection} gives. */
  private get width(): number {
    return this.layout(false).columns.length
  }

  rows(found: readonly DriverRow[]): readonly Row[] {
    const { conversions, nested, table } = this
    const { invalidValues, typeColumn } = table
    const isReady = conversions.length === 0 && nested.length === 0
    if (isReady && typeColumn === undefined && invalidValues === undefined) return found
    for (const row of found) this.convert(row)
    return found
  }

  row(found: DriverRow): Row {
    this.convert(found)
    return found
  }

  private convert(row: DriverRow): void {
    const { conversions, nested } = this
    for (const { name, read } of conversions) {
      const value = row[name]
      if (value !== null) row[name] = read(value)
    }
    for (const { name, path } of nested) {
      place(row, path, row[name])
      row[name] = undefined
    }
    this.finish(row)
  }

  /** Reports invalid values and names the type, from what is selected in addition to the columns. */
  private finish(row: DriverRow): void {
    const { table } = this
    const invalid = row[invalidAlias]
    if (typeof invalid === 'string') {
      if (invalid !== '') table.invalidValues?.report(entityName(table.set, row), invalid)
      row[invalidAlias] = undefined
    }
    if (table.typeColumn !== undefined) {
      const given = row[typeAlias]
      row[typeAlias] =
        typeof given === 'string' ? (table.typeColumn.typeNames.get(given) ?? given) : undefined
    }
  }

  private layout(isText: boolean): RowLayout {
    const { layouts } = this
    return isText
      ? (layouts.ofStrings ??= this.createLayout(
          (column) => this.dialect.wire?.column(column),
          this.dialect.wire,
        ))
      : (layouts.ofValues ??= this.createLayout((column) => ({
          decode: this.dialect.reader(column),
          plainText: this.dialect.plainText?.(column),
        })))
  }

  private createLayout(describe: (column: Column) => TextColumn | undefined, wire?: WireFormat): RowLayout {
    const { typeColumn, invalidValues, media } = this.table
    const others = [
      ...(typeColumn === undefined ? [] : [typeAlias]),
      ...(invalidValues === undefined ? [] : [invalidAlias]),
      ...(media === undefined ? [] : [mediaTypeAlias]),
    ]
    const columns = this.columns.map((column) => ({ path: column.path, ...describe(column) }))
    const decode = wire !== undefined ? decodeUtf8 : undefined
    const all = [...columns, ...others.map((name): ValueColumnOf => ({ path: [name], decode }))]
    return new RowLayout(
      all.map(({ path, decode, plainText, milliseconds }: ValueColumnOf) => ({
        path,
        decode,
        plainText,
        milliseconds,
      })),
      wire?.reader,
    )
  }
}

/** Returns a column of a layout, without undefined members. */
type ValueColumnOf = Pick<ValueColumn, 'path'> & TextColumn

function cellsAt(found: Found, index: number, alias: string): readonly unknown[] {
  if (found instanceof WireRows) {
    const { sources, positions, reader } = found
    return sources.map((source, row) => reader.cell(source, positions[row] ?? 0, index))
  }
  return 'cells' in found ? found.cells.map((cells) => cells[index]) : found.map((row) => row[alias])
}

/** Returns the rows of a statement that the driver took instead of a string. */
export function wireRows(rows: unknown): WireRows {
  if (rows instanceof WireRows) return rows
  throw new TypeError('The driver has not returned rows as the database sends them.')
}

export function lengthOf(found: Found): number {
  return 'cells' in found ? found.cells.length : found.length
}

function aliasOf({ path }: Column): string {
  return path.join('/')
}

function place(row: DriverRow, path: readonly string[], value: unknown): void {
  let owner = row
  for (const name of path.slice(0, -1)) {
    const inner = owner[name]
    const next: DriverRow = typeof inner === 'object' && inner !== null ? (inner as DriverRow) : {}
    owner[name] = next
    owner = next
  }
  owner[path.at(-1) ?? ''] = value
}
