import { primitiveTypes } from '../../../edm/primitive-types/primitive-types.js'
import { formattedDate } from '../dialects/shared/text-dates.js'
import type { SqlDialect } from '../dialect.js'
import type { TableDialect } from './table-dialect.js'
import type { ColumnPlan, ForeignKeyPlan, TableName, TablePlan } from './table-plan.js'

/** A column with its type and clauses, as they are in statements. */
interface ColumnDefinition {
  readonly plan: ColumnPlan
  readonly type: string
  /** The quoted name, the type and all clauses. */
  readonly definition: string
  /** True if the database fills the column where clients omit it. */
  readonly isFilled: boolean
  /** Sentences about what the column lacks. */
  readonly notices: readonly string[]
}

/** Writes the statements that create and change the tables of a model. */
export class TableStatements {
  private readonly relationNames = new Set<string>()

  /** @param onNotice called with a sentence for each part of the model that a new column cannot express */
  constructor(
    private readonly tables: TableDialect,
    private readonly dialect: Pick<SqlDialect, 'quote'>,
    private readonly onNotice: (notice: string) => void,
  ) {}

  /** Reserves the names of tables and indexes, which share a namespace. */
  reserve(names: Iterable<string>): void {
    for (const name of names) this.relationNames.add(name.toLowerCase())
  }

  quoted({ schema, name }: TableName): string {
    return [...(schema === undefined ? [] : [schema]), name].map((part) => this.dialect.quote(part)).join('.')
  }

  /** Returns the statement that creates a table, and the statements for its comments. */
  create(table: TablePlan): string[] {
    const { tables } = this
    const name = this.quoted(table)
    const columns = this.columns(table)
    for (const column of columns) this.notify(column)
    const hasInlineKey = columns.some((one) => this.isInlineIdentity(table, one.plan))
    const parts = [
      ...columns.map(({ definition }) => definition),
      ...(table.primaryKey.length === 0 || hasInlineKey
        ? []
        : [`primary key (${this.list(table.primaryKey)})`]),
      ...table.uniqueKeys.map((key) => `unique (${this.list(key)})`),
      ...(tables.hasInlineReferences ? table.foreignKeys.map((one) => this.reference(one)) : []),
    ]
    const comment =
      tables.comments === 'clauses' && table.comment !== undefined
        ? ` comment ${tables.text(table.comment)}`
        : ''
    return [
      `create table ${name} (\n  ${parts.join(',\n  ')}\n)${tables.tableOptions}${comment}`,
      ...this.comments(table),
    ]
  }

  /** Reports what a new column lacks. */
  notify({ notices }: ColumnDefinition): void {
    for (const notice of notices) this.onNotice(notice)
  }

  private comments(table: TablePlan): string[] {
    const { comments, text } = this.tables
    if (comments !== 'statements') return []
    const name = this.quoted(table)
    return [
      ...(table.comment === undefined ? [] : [`comment on table ${name} is ${text(table.comment)}`]),
      ...table.columns.flatMap(({ name: column, comment }) =>
        comment === undefined
          ? []
          : [`comment on column ${name}.${this.dialect.quote(column)} is ${text(comment)}`],
      ),
    ]
  }

  /** Returns the statements that add the foreign keys of a table after all tables exist. */
  references(table: TablePlan): string[] {
    if (this.tables.hasInlineReferences) return []
    return table.foreignKeys.map((one) => this.addReference(table, one))
  }

  addReference(table: TableName, foreignKey: ForeignKeyPlan): string {
    return `alter table ${this.quoted(table)} add ${this.reference(foreignKey)}`
  }

  private reference({ columns, target, targetColumns, cascades }: ForeignKeyPlan): string {
    const references = `references ${this.quoted(target)} (${this.list(targetColumns)})`
    return `foreign key (${this.list(columns)}) ${references}${cascades ? ' on delete cascade' : ''}`
  }

  /** Returns the statements that create indexes for the foreign keys of a table, by which clients navigate. */
  indexes(table: TablePlan, foreignKeys = table.foreignKeys): string[] {
    if (this.tables.indexesReferences) return []
    const { primaryKey, uniqueKeys } = table
    const isCovered = (columns: readonly string[]): boolean =>
      [primaryKey, ...uniqueKeys].some((key) => columns.every((column, index) => key[index] === column))
    return foreignKeys.flatMap(({ columns }) => {
      if (isCovered(columns)) return []
      const name = this.freeName([table.name, ...columns].join('_'))
      return [`create index ${this.dialect.quote(name)} on ${this.quoted(table)} (${this.list(columns)})`]
    })
  }

  private freeName(wanted: string): string {
    const start = wanted.slice(0, (this.tables.maxNameLength ?? Infinity) - 4)
    let name = start
    for (let number = 2; this.relationNames.has(name.toLowerCase()); number++)
      name = `${start}_${String(number)}`
    this.reserve([name])
    return name
  }

  columns(table: TablePlan): readonly ColumnDefinition[] {
    const types = this.tables.columnTypes(table.columns)
    return table.columns.map((plan, index) => {
      const type = types[index] ?? ''
      const name = this.dialect.quote(plan.name)
      if (this.isInlineIdentity(table, plan))
        return {
          plan,
          type,
          definition: `${name} ${this.tables.identityKey ?? ''}`,
          isFilled: true,
          notices: [],
        }
      const { clause = '', notice } = this.generated(table, plan, type)
      return {
        plan,
        type,
        definition: this.definition(plan, `${name} ${type}`, clause),
        isFilled: clause !== '',
        notices: [notice, shortenedKey(table, plan, type)].filter((one) => one !== undefined),
      }
    })
  }

  private definition(plan: ColumnPlan, start: string, generated: string): string {
    const { comments, text } = this.tables
    const allowed = plan.allowed?.map((value) => text(value)).join(', ')
    return [
      start,
      plan.isRequired ? ' not null' : '',
      generated,
      allowed === undefined ? '' : ` check (${this.dialect.quote(plan.name)} in (${allowed}))`,
      comments === 'clauses' && plan.comment !== undefined ? ` comment ${text(plan.comment)}` : '',
    ].join('')
  }

  /** Returns the clause by which the database fills a column that clients omit. */
  private generated(table: TablePlan, plan: ColumnPlan, type: string): GeneratedClause {
    const { storeGeneratedPattern, computedDefaultValue, defaultValue, name } = plan
    const { defaultClause, identity, newGuid } = this.tables
    const where = `'${name}' of '${table.name}'`
    if (storeGeneratedPattern === 'Identity') {
      if (plan.type === 'Edm.Guid') return { clause: defaultClause(newGuid, type) }
      if (isWhole(plan) && identity !== undefined && canBeIdentity(table, plan)) return { clause: identity }
      return { notice: `The database must generate ${where}: add a default, or a trigger.` }
    }
    if (storeGeneratedPattern === 'Computed')
      return { notice: `The database must generate ${where} at each change: add a trigger.` }
    if (computedDefaultValue === true)
      return { notice: `Add the default of ${where}: the model does not have its expression.` }
    if (defaultValue === undefined) return {}
    const literal = this.literal(plan, defaultValue)
    return literal === undefined
      ? { notice: `Add the default of ${where}: '${defaultValue}' is not a valid ${plan.type}.` }
      : { clause: defaultClause(literal, type) }
  }

  private isInlineIdentity(table: TablePlan, plan: ColumnPlan): boolean {
    const { primaryKey } = table
    return (
      this.tables.identityKey !== undefined &&
      plan.storeGeneratedPattern === 'Identity' &&
      isWhole(plan) &&
      primaryKey.length === 1 &&
      primaryKey[0] === plan.name
    )
  }

  private literal({ type }: ColumnPlan, value: string): string | undefined {
    const { bytes, text, hasZones } = this.tables
    const parsed = primitiveTypes[type].parse(value)
    if (parsed === undefined) return undefined
    switch (type) {
      case 'Edm.String':
        return text(value)
      case 'Edm.Guid':
        return text(value.toLowerCase())
      case 'Edm.Binary':
        return bytes(value)
      case 'Edm.Boolean':
        return String(parsed === true)
      case 'Edm.DateTime':
      case 'Edm.Time':
        return text(formattedDate(parsed, type))
      case 'Edm.DateTimeOffset': {
        const utc = formattedDate(parsed, type)
        return text(hasZones ? utc : utc.replace('Z', ''))
      }
      default:
        return /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(value) ? value : undefined
    }
  }

  private list(names: readonly string[]): string {
    return names.map((name) => this.dialect.quote(name)).join(', ')
  }
}

/** The clause that fills a column, or a sentence about its absence. */
interface GeneratedClause {
  readonly clause?: string
  readonly notice?: string
}

/** Returns a sentence about a key whose values can be longer in the model than in the column. */
function shortenedKey(
  table: TablePlan,
  { name, type, identifies, maxLength }: ColumnPlan,
  column: string,
): string | undefined {
  const [, length] = /^var[a-z]+\((\d+)\)$/.exec(column) ?? []
  if (!identifies || length === undefined || Number(length) === maxLength) return undefined
  const unit = type === 'Edm.Binary' ? 'bytes' : 'characters'
  return `The key '${name}' of '${table.name}' has at most ${length} ${unit} in the database: set its MaxLength.`
}

function isWhole({ type }: ColumnPlan): boolean {
  return /^Edm\.(?:S?Byte|Int)/.test(type)
}

/** Returns true if the database can number rows by a column: only one of a table, which MySQL requires to start an index. */
function canBeIdentity({ primaryKey, columns }: TablePlan, plan: ColumnPlan): boolean {
  const first = columns.find((one) => one.storeGeneratedPattern === 'Identity' && isWhole(one))
  return first === plan && primaryKey[0] === plan.name
}

/**
 * Checks the names of tables and columns.
 *
 * @throws TypeError for names that the database would treat as equal or shorten, naming all of them
 */
export function checkTableNames(
  plans: readonly TablePlan[],
  { ignoresCase, maxNameLength = Infinity }: TableDialect,
): void {
  const problems: string[] = []
  const check = (names: readonly string[], where: string): void => {
    const seen = new Map<string, string>()
    for (const name of names) {
      if (name.length > maxNameLength)
        problems.push(`the name '${name}' ${where} has more than ${String(maxNameLength)} characters`)
      const same = ignoresCase ? name.toLowerCase() : name
      const other = seen.get(same)
      if (other !== undefined) problems.push(`the names '${other}' and '${name}' ${where} are the same`)
      seen.set(same, name)
    }
  }
  check(plans.map(nameOf), 'of tables')
  for (const plan of plans)
    check(
      plan.columns.map(({ name }) => name),
      `of columns of '${nameOf(plan)}'`,
    )
  if (problems.length > 0)
    throw new TypeError(`createTables: ${problems.join('; ')}. Choose other names with the option 'mapping'.`)
}

function nameOf({ schema, name }: TableName): string {
  return schema === undefined ? name : `${schema}.${name}`
}
