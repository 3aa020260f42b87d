import type { Kysely } from 'kysely'
import type { EdmModel } from '../../../edm/edm-model.js'
import type { PrimitiveTypeName } from '../../../edm/primitive-types/primitive-type-name.js'
import { required } from '../../../util/required.js'
import type { ColumnFacts, ColumnType } from '../column.js'
import type { DatabaseSchema, DatabaseTable, RunStatement } from '../database-schema.js'
import { findName, findSetTable, findTable, keyColumnsOf } from '../database-schema.js'
import type { AnyKysely } from '../dialect-of.js'
import { dialectOf } from '../dialect-of.js'
import type { SqlDialect } from '../dialect.js'
import { mappingOf } from '../introspection/introspected-mapping.js'
import { useDatabase } from '../open-database/open-database.js'
import { SqlDatabase } from '../sql-database.js'
import type { SqlMapping } from '../sql-mapping.js'
import { mergeMappings } from '../sql-mapping.js'
import type { TableOptions } from './create-tables.js'
import { checkTableOptions } from './create-tables.js'
import type { TableDatabase, TableDialect } from './table-dialect.js'
import type { ColumnPlan, ForeignKeyPlan, TableName, TablePlan } from './table-plan.js'
import { planTables } from './table-plan.js'
import { checkTableNames, TableStatements } from './table-statements.js'

/**
 * Returns the statements that change the tables of a database so that they fit a model: missing tables, columns and
 * foreign keys are added, and columns that are too narrow are widened. Nothing is removed or narrowed. The statements are
 * not executed.
 *
 * @param model the model of the service
 * @param source `postgres://` or `mysql://` URL, name of an SQLite file, or an instance of Kysely
 * @param options names of tables and columns; see {@link TableOptions}
 * @returns statements without semicolon, in the order in which they are executed; none if the tables fit. `onNotice` is
 * called with the differences that need a decision, such as columns of another type
 * @throws Error when the database cannot be opened
 * @throws TypeError for unknown options, and for names that the database would treat as equal or shorten
 * @example
 * const statements = await alterTables(model, 'postgres://localhost/shop', { names: 'snake_case' })
 * await writeFile('migration.sql', statements.map((statement) => `${statement};\n`).join(''))
 * @spec MC-CSDL 2.1 (entity types, association sets)
 */
export async function alterTables(
  model: EdmModel,
  source: string | AnyKysely,
  options: TableOptions = {},
): Promise<readonly string[]> {
  checkTableOptions('alterTables', options)
  return typeof source === 'string'
    ? useDatabase(source, (db) => changesOf(model, db, options))
    : changesOf(model, source, options)
}

async function changesOf(model: EdmModel, db: AnyKysely, options: TableOptions): Promise<readonly string[]> {
  const { dialect, readSchema, productOf, tables: byProduct, title } = dialectOf(db)
  if (Object.keys(byProduct).length === 0) throw new TypeError(`alterTables: ${title} is read-only.`)
  const database = new SqlDatabase(dialect, db as Kysely<unknown>)
  const run: RunStatement = (statement) => database.readOnce(statement)
  const schema = await readSchema(run)
  const tables = required(byProduct[(await productOf?.(run)) ?? (dialect.name as TableDatabase)])
  const mapping = mergeMappings(mappingOf(model), options.mapping)
  const plans = planTables(model, mapping, options)
  checkTableNames(plans, tables)
  const { onNotice = () => undefined } = options
  return new TableAlterations(plans, { schema, mapping, tables, dialect, onNotice }).statements()
}

interface ChangeContext {
  readonly schema: DatabaseSchema
  readonly mapping: SqlMapping
  readonly tables: TableDialect
  readonly dialect: SqlDialect
  readonly onNotice: (notice: string) => void
}

/** A planned table with the names that the database has for it. */
interface FoundTable {
  readonly plan: TablePlan
  /** Undefined if the table is missing. */
  readonly existing: DatabaseTable | undefined
}

class TableAlterations {
  private readonly found: readonly FoundTable[]
  private readonly write: TableStatements

  constructor(
    plans: readonly TablePlan[],
    private readonly context: ChangeContext,
  ) {
    const { schema, tables, dialect, onNotice } = context
    this.found = findPlans(plans, context)
    this.write = new TableStatements(tables, dialect, onNotice)
    this.write.reserve([...schema.tables.map(({ name }) => name), ...plans.map(({ name }) => name)])
  }

  statements(): string[] {
    const missing = this.found.flatMap(({ plan, existing }) => (existing === undefined ? [plan] : []))
    const changes = this.found.map(({ plan, existing }) =>
      existing === undefined ? noChanges : this.changesOf(plan, existing),
    )
    return [
      ...missing.flatMap((plan) => this.write.create(plan)),
      ...changes.flatMap(({ columns }) => columns),
      ...missing.flatMap((plan) => this.write.indexes(plan)),
      ...changes.flatMap(({ indexes }) => indexes),
      ...missing.flatMap((plan) => this.write.references(plan)),
      ...changes.flatMap(({ references }) => references),
    ]
  }

  private changesOf(plan: TablePlan, existing: DatabaseTable): typeof noChanges {
    if (existing.isView) return noChanges
    this.noticeKey(plan, existing)
    this.noticeOthers(plan, existing)
    const added: string[] = []
    const altered: string[] = []
    for (const defined of this.write.columns(plan)) {
      const { plan: column, type, definition, isFilled } = defined
      const facts = existing.columns.get(column.name)
      if (facts === undefined) {
        this.write.notify(defined)
        added.push(this.addColumn(plan, column, definition, isFilled))
      } else altered.push(...this.alterColumn(plan, column, facts, type, definition))
    }
    const references = this.missingReferences(plan, existing)
    const areNew = plan.foreignKeys.filter(
      ({ columns }) => !columns.every((one) => existing.columns.has(one)),
    )
    return {
      columns: [...added, ...altered],
      indexes: this.write.indexes(plan, areNew),
      references: references.map((one) => this.write.addReference(plan, one)),
    }
  }

  /** Adds a column that is nullable if existing rows have no value for it. */
  private addColumn(plan: TablePlan, column: ColumnPlan, definition: string, isFilled: boolean): string {
    const { addsConstantsOnly, newGuid } = this.context.tables
    if (addsConstantsOnly === true && definition.includes(newGuid)) {
      this.context.onNotice(
        `The database cannot add the default of the new column ${titleOf(column, plan)}: copy the table.`,
      )
      return this.addColumn(plan, column, definition.replace(` default ${newGuid}`, ''), false)
    }
    const hasValues = isFilled || !column.isRequired
    if (!hasValues)
      this.context.onNotice(
        `The new column ${titleOf(column, plan)} is required by the model. It is added as nullable: fill it, then add 'not null'.`,
      )
    const clause = hasValues ? definition : definition.replace(' not null', '')
    return `alter table ${this.write.quoted(plan)} add column ${clause}`
  }

  private alterColumn(
    plan: TablePlan,
    column: ColumnPlan,
    facts: ColumnFacts,
    type: string,
    definition: string,
  ): string[] {
    const { dialect, tables, onNotice } = this.context
    const title = titleOf(column, plan)
    if (!dialect.fits(column.type, facts)) {
      onNotice(
        `The column ${title} is '${facts.dataType}', which cannot store ${column.type}. Change one of them.`,
      )
      return []
    }
    const current = dialect.columnType(facts, column.identifies)
    const isNarrow = tables.changeType !== undefined && isNarrower(current, column, type)
    const rejectsNull = !facts.nullable && !column.isRequired && !facts.isGenerated && !facts.hasDefault
    if (!isNarrow && !rejectsNull) return []
    if (tables.losesClauses && facts.hasDefault && !definition.includes(' default ')) {
      onNotice(
        `The column ${title} must become '${type}'. It has a default that the model does not have: change it yourself.`,
      )
      return []
    }
    const name = dialect.quote(column.name)
    const widened = isNarrow ? this.widened(plan, column, current) : { type, definition }
    const clauses = [
      isNarrow ? tables.changeType?.(name, widened.type, widened.definition) : undefined,
      // A restated column is nullable already.
      rejectsNull && !(isNarrow && tables.losesClauses)
        ? tables.allowNull?.(name, widened.definition)
        : undefined,
    ].filter((one) => one !== undefined)
    if (rejectsNull && tables.allowNull === undefined)
      onNotice(`The column ${title} rejects null, which the model allows. The database cannot change this.`)
    return clauses.map((clause) => `alter table ${this.write.quoted(plan)} ${clause}`)
  }

  /** Returns the definition of a column that stores both its present values and those of the model. */
  private widened(
    plan: TablePlan,
    column: ColumnPlan,
    current: ColumnType,
  ): { readonly type: string; readonly definition: string } {
    const { precision, scale = 0 } = column
    const isDecimal =
      column.type === 'Edm.Decimal' && precision !== undefined && current.precision !== undefined
    const digits = Math.max(scale, current.scale ?? 0)
    const whole = isDecimal ? Math.max(precision - scale, (current.precision ?? 0) - (current.scale ?? 0)) : 0
    const wide: ColumnPlan = isDecimal ? { ...column, precision: whole + digits, scale: digits } : column
    const columns = plan.columns.map((one) => (one === column ? wide : one))
    return required(this.write.columns({ ...plan, columns }).find((one) => one.plan === wide))
  }

  private missingReferences(plan: TablePlan, existing: DatabaseTable): readonly ForeignKeyPlan[] {
    const missing = plan.foreignKeys.filter(
      ({ columns }) => !existing.foreignKeys.some((one) => isSame(one.columns, columns)),
    )
    if (!this.context.tables.hasInlineReferences) return missing
    for (const { columns, target } of missing)
      this.context.onNotice(
        `The foreign key ${columns.map((one) => `'${one}'`).join(', ')} of '${plan.name}' to '${target.name}' is missing. SQLite cannot add one to a table.`,
      )
    return []
  }

  private noticeKey({ name, primaryKey }: TablePlan, existing: DatabaseTable): void {
    const keys = [existing.primaryKey, ...existing.uniqueKeys, keyColumnsOf(existing) ?? []]
    if (primaryKey.length === 0 || keys.some((key) => isSame(key, primaryKey))) return
    const list = primaryKey.map((one) => `'${one}'`).join(', ')
    this.context.onNotice(`The table '${name}' has no unique key of ${list}, which is the key in the model.`)
  }

  private noticeOthers({ name, columns }: TablePlan, existing: DatabaseTable): void {
    for (const [column, { nullable, hasDefault, isGenerated, isIdentity }] of existing.columns) {
      if (nullable || hasDefault || isGenerated || isIdentity) continue
      if (columns.some((one) => one.name === column)) continue
      this.context.onNotice(
        `The column '${column}' of '${name}' is required, but the model does not have it: inserts will fail.`,
      )
    }
  }
}

const noChanges: Readonly<Record<'columns' | 'indexes' | 'references', readonly string[]>> = {
  columns: [],
  indexes: [],
  references: [],
}

/** Finds the tables and columns of a plan as `sqlProvider` finds them. */
function findPlans(plans: readonly TablePlan[], { schema, mapping }: ChangeContext): readonly FoundTable[] {
  const tables = new Map(plans.map((plan) => [plan, findPlanned(plan, schema, mapping)]))
  const columnName = (plan: TablePlan, wanted: string): string =>
    findName([...(tables.get(plan)?.columns.keys() ?? [])], wanted) ?? wanted
  const tableName = (plan: TablePlan): TableName => {
    const table = tables.get(plan)
    if (table === undefined) return plan
    return { name: table.name, schema: table.isDefaultSchema ? undefined : table.schema }
  }
  return plans.map((plan) => {
    const own = (names: readonly string[]): string[] => names.map((one) => columnName(plan, one))
    const foreignKeys = plan.foreignKeys.map((foreignKey) => {
      const { columns, target, targetColumns } = foreignKey
      const to = required(plans.find(({ name, schema: of }) => name === target.name && of === target.schema))
      return {
        ...foreignKey,
        columns: own(columns),
        target: tableName(to),
        targetColumns: targetColumns.map((one) => columnName(to, one)),
      }
    })
    const renamed: TablePlan = {
      ...plan,
      ...tableName(plan),
      columns: plan.columns.map((one) => ({ ...one, name: columnName(plan, one.name) })),
      primaryKey: own(plan.primaryKey),
      uniqueKeys: plan.uniqueKeys.map(own),
      foreignKeys,
    }
    return { plan: renamed, existing: tables.get(plan) }
  })
}

function findPlanned(
  { set, name, schema }: TablePlan,
  database: DatabaseSchema,
  mapping: SqlMapping,
): DatabaseTable | undefined {
  if (set !== undefined && mapping.entitySets?.[set.path]?.table === undefined)
    return findSetTable(database, set)
  return findTable(database, schema === undefined ? name : `${schema}.${name}`)
}

const ranks: readonly (readonly PrimitiveTypeName[])[] = [
  ['Edm.Byte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64'],
  ['Edm.SByte', 'Edm.Int16', 'Edm.Int32', 'Edm.Int64'],
  ['Edm.Single', 'Edm.Double'],
]

/** Returns true if a column cannot store all values of its property. @param planned the type that it would have */
function isNarrower(current: ColumnType, column: ColumnPlan, planned: string): boolean {
  const { type, precision, scale = 0 } = column
  if (current.type !== type)
    return ranks.some((rank) => {
      const [from, to] = [rank.indexOf(current.type), rank.indexOf(type)]
      return from >= 0 && from < to
    })
  if (current.maxLength !== undefined) {
    // Databases limit keys that the model does not limit.
    const [, length = Infinity] = /^var[a-z]+\((\d+)\)/.exec(planned) ?? []
    return Number(length) > current.maxLength
  }
  if (current.precision === undefined || precision === undefined) return false
  if (type !== 'Edm.Decimal') return Math.min(precision, MAX_FRACTION_DIGITS) > current.precision
  const currentScale = current.scale ?? 0
  return scale > currentScale || precision - scale > current.precision - currentScale
}

/** The maximum number of fraction digits that all databases store. */
const MAX_FRACTION_DIGITS = 6

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name))
}

function titleOf({ name }: ColumnPlan, table: TablePlan): string {
  return `'${name}' of '${table.name}'`
}
