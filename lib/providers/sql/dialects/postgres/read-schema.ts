import type { ColumnFacts } from '../../column.js'
import type {
  ChangeKind,
  DatabaseSchema,
  DatabaseTable,
  DatabaseForeignKey,
  RunStatement,
  SchemaRow,
} from '../../database-schema.js'
import { compoundKey, groupRows, noticesOf, optionalText, withReadableKeys } from '../../database-schema.js'
import { raw, sql } from '../../sql-text.js'
import { membersOfChecks } from '../shared/allowed-strings.js'

/** Collations that compare code points if the encoding of the database is UTF-8. */
const ordinalCollations = new Set(['C', 'POSIX', 'ucs_basic', 'C.UTF-8', 'C.utf8', 'pg_c_utf8'])

/** All tables except those of the system catalogs. */
const ownTables =
  raw(`c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
  and left(n.nspname, 8) <> 'pg_toast'`)

/** `on conflict` fails for tables with deferrable unique keys, views with triggers, and both with rules. */
const failsWhenTaken =
  raw(`(exists (select 1 from pg_catalog.pg_index as u where u.indrelid = c.oid and u.indisunique and not u.indimmediate)
      or c.relkind = 'v' and exists (select 1 from pg_catalog.pg_trigger as g where g.tgrelid = c.oid)
      or exists (select 1 from pg_catalog.pg_rewrite as w where w.ev_class = c.oid and w.ev_type in ('2', '3')))`)

/** The inserts and updates that `instead` rules without `returning` replace, as bits: the statements need the row. */
const returnsNothing = raw(`(select coalesce(bit_or(case w.ev_type when '3' then 8 else 4 end), 0)
    from pg_catalog.pg_rewrite as w where w.ev_class = c.oid and w.ev_type in ('2', '3') and w.is_instead
      and not exists (select 1 from pg_catalog.pg_rewrite as o where o.ev_class = c.oid and o.ev_type = w.ev_type
        and o.is_instead and o.ev_action::text like '%:returningList (%'))`)

/** `pg_relation_is_updatable` fails for foreign tables of wrappers without a handler. */
const hasNoHandler = raw(`exists (select 1 from pg_catalog.pg_foreign_table as ft
    join pg_catalog.pg_foreign_server as fs on fs.oid = ft.ftserver
    join pg_catalog.pg_foreign_data_wrapper as fw on fw.oid = fs.srvfdw where ft.ftrelid = c.oid and fw.fdwhandler = 0)`)

/** The type of a column, or that below its domain, which can be based on another domain. */
const baseType = raw(`
  with recursive bases(oid, kind, base, modifier, inner_modifier, required) as (
    select y.oid, y.typtype, y.typbasetype, a.atttypmod, y.typtypmod, y.typnotnull
      from pg_catalog.pg_type as y where y.oid = a.atttypid
    union all
    select y.oid, y.typtype, y.typbasetype, bases.inner_modifier, y.typtypmod, bases.required or y.typnotnull
      from bases join pg_catalog.pg_type as y on y.oid = bases.base where bases.kind = 'd')
  select * from bases where kind <> 'd'`)

/** PostgreSQL 18 enforces constraints that are `not valid` for new rows only. */
const isNotNullValid = raw(`not exists (select 1 from pg_catalog.pg_constraint as v
      where v.conrelid = c.oid and v.contype = 'n' and not v.convalidated and v.conkey = array[a.attnum])`)

/** Expressions of views, and generated columns of their tables, cannot be set. */
const isFixedInView =
  raw(`(pg_relation_is_updatable(c.oid, true) & 4 = 4 and not pg_column_is_updatable(c.oid, a.attnum, true)
        or not exists (select 1 from pg_catalog.pg_trigger as g where g.tgrelid = c.oid) and exists (
          select 1 from pg_catalog.pg_rewrite as w join pg_catalog.pg_depend as p on p.objid = w.oid
            join pg_catalog.pg_attribute as x on x.attrelid = p.refobjid and x.attnum = p.refobjsubid
          where w.ev_class = c.oid and x.attname = a.attname and (x.attgenerated <> '' or x.attidentity = 'a')))`)
/**
 * Selects the triggers `g` of a table, its partitions and their partitions. Databases that are compatible with PostgreSQL
 * lack functions for partitions, but not `pg_inherits`.
 */
const triggersOf = (table: string): string => `pg_catalog.pg_trigger as g
    where (g.tgrelid = ${table} or g.tgrelid in (select i.inhrelid from pg_catalog.pg_inherits as i
      where i.inhparent = ${table}
      or i.inhparent in (select p.inhrelid from pg_catalog.pg_inherits as p where p.inhparent = ${table})))
    and not g.tgisinternal and g.tgname not like 'odata\\_log\\_%'`

const hasRules = (table: string): string =>
  `exists (select 1 from pg_catalog.pg_rewrite as r where r.ev_class = ${table} and r.ev_type <> '1')`

/** Triggers and rules that change rows after `returning`, which reads the row that an `instead of` trigger returns. */
const changesReturned = (table: string): string => `(${hasRules(table)}
    or exists (select 1 from ${triggersOf(table)} and g.tgtype & 2 = 0 and g.tgtype & 20 <> 0))`

/** Those of the tables below a view too. Foreign tables can have some on the other server. */
const hasTriggers = raw(`case c.relkind when 'f' then true when 'v' then exists (
      with recursive sources(oid) as (select c.oid
        union select p.refobjid from sources
          join pg_catalog.pg_rewrite as w on w.ev_class = sources.oid and w.ev_type = '1'
          join pg_catalog.pg_depend as p on p.classid = 'pg_catalog.pg_rewrite'::regclass and p.objid = w.oid
            and p.refclassid = 'pg_catalog.pg_class'::regclass)
      select 1 from sources where ${changesReturned('sources.oid')})
    else ${changesReturned('c.oid')} end`)

/**
 * Triggers that run before changes, and rules. A function in PL/pgSQL that only returns the new row, or the old row of a
 * delete, drops nothing.
 */
const dropsChanges = raw(`(c.relkind = 'f' or ${hasRules('c.oid')}
    or exists (select 1 from ${triggersOf('c.oid')} and g.tgtype & 3 = 3 and not exists (
      select 1 from pg_catalog.pg_proc as f join pg_catalog.pg_language as l on l.oid = f.prolang
        where f.oid = g.tgfoid and l.lanname = 'plpgsql' and f.prosrc !~* '\\mnew\\s*:?='
        and f.prosrc !~* case when g.tgtype & 28 = 8 then '\\mreturn\\M(?!\\s+old\\s*;)'
          when g.tgtype & 8 = 0 then '\\mreturn\\M(?!\\s+new\\s*;)' else '\\mreturn\\M(?!\\s+(new|old)\\s*;)' end)))`)

/** Reads the tables and views of a PostgreSQL database except its system catalogs. */
export async function readPostgresSchema(run: RunStatement): Promise<DatabaseSchema> {
  const all = await readColumns(run)
  const columns = all.filter(({ readable }) => readable === true)
  const uniqueKeys = groupRows(await readUniqueKeys(run), 'schema', 'table')
  const foreignKeys = groupRows(await readForeignKeys(run), 'schema', 'table')
  const tables = [...groupRows(columns, 'schema', 'table').values()].map((rows): DatabaseTable => {
    const [{ schema, table, kind, visible, accepts, failsWhenTaken: fails, tableComment, ...first } = {}] =
      rows
    const key = compoundKey(schema, table)
    const refuses = changeKinds.filter(
      (one) => (Number(accepts) & changeEvents[one]) === 0 || rows.every((row) => !isAllowed(row, one)),
    )
    const keys = [...groupRows(uniqueKeys.get(key) ?? [], 'index').values()]
    const columnsOf = (one: readonly SchemaRow[]): string[] => one.map(({ column }) => String(column))
    return withReadableKeys({
      schema: String(schema),
      name: String(table),
      isDefaultSchema: visible === true,
      columns: new Map(rows.map((row) => [String(row.column), factsOf(row, refuses)])),
      isView: kind === 'v' || kind === 'm',
      refuses,
      failsWhenTaken: fails === true,
      canShareKeys: first.inherited === true,
      partitionOf:
        typeof first.parent === 'string'
          ? { schema: String(first.parentSchema), table: first.parent }
          : undefined,
      hasTriggers: first.hasTriggers === true,
      dropsChanges: first.dropsChanges === true,
      primaryKey: keys.filter(([one]) => one?.isPrimary === true).flatMap(columnsOf),
      uniqueKeys: keys.filter(([one]) => one?.isPrimary !== true).map(columnsOf),
      foreignKeys: [...groupRows(foreignKeys.get(key) ?? [], 'name').values()].map(foreignKeyOf),
      comment: optionalText(tableComment),
    })
  })
  return { tables, notices: noticesOf(all.filter(({ visible }) => visible === true)) }
}

const changeKinds = ['insert', 'update', 'delete'] as const

/** Bits of the statements that `pg_relation_is_updatable` returns. */
const changeEvents: Readonly<Record<ChangeKind, number>> = { insert: 8, update: 4, delete: 16 }

function isAllowed({ canInsert, canUpdate, canDelete }: SchemaRow, kind: ChangeKind): boolean {
  return { insert: canInsert, update: canUpdate, delete: canDelete }[kind] === true
}

function readColumns(run: RunStatement): Promise<readonly SchemaRow[]> {
  return run(sql`
    select n.nspname as "schema", c.relname as "table", c.relkind as "kind", pg_table_is_visible(c.oid) as "visible",
      case when c.relkind = 'm' or ${hasNoHandler} then 0
        when c.relkind in ('v', 'f') then pg_relation_is_updatable(c.oid, true) else 28 end & ~${returnsNothing} as "accepts",
      has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select') as "readable",
      has_column_privilege(c.oid, a.attnum, 'insert') as "canInsert",
      has_column_privilege(c.oid, a.attnum, 'update') as "canUpdate",
      has_table_privilege(c.oid, 'delete') as "canDelete", ${failsWhenTaken} as "failsWhenTaken",
      ${hasTriggers} as "hasTriggers", ${dropsChanges} as "dropsChanges", a.attname as "column", t.typname as "type",
      b.modifier as "modifier", a.attnotnull and ${isNotNullValid} or b.required as "required",
      a.atthasdef or a.attidentity <> '' or t0.typdefault is not null as "hasDefault",
      a.attgenerated <> '' or a.attidentity = 'a' or c.relkind = 'v' and ${isFixedInView} as "generated",
      a.attidentity <> '' or coalesce(pg_get_expr(e.adbin, e.adrelid) like 'nextval(%', false) as "identity",
      coalesce(pg_get_expr(e.adbin, e.adrelid), pg_get_expr(t0.typdefaultbin, 0)) as "default",
      case when l.collname <> 'default' then l.collname
        when to_jsonb(d)->>'datlocprovider' is distinct from 'i' then d.datcollate else 'icu' end as "collation",
      to_jsonb(l)->>'collisdeterministic' = 'false' as "loose",
      c.relkind <> 'p' and exists (select 1 from pg_catalog.pg_inherits as h where h.inhparent = c.oid) as "inherited",
      pc.relname as "parent", pn.nspname as "parentSchema",
      case when t.typtype = 'e' then (select json_agg(v.enumlabel order by v.enumsortorder)::text
        from pg_catalog.pg_enum as v where v.enumtypid = t.oid) end as "members",
      (select json_agg(json_build_array(my.typname, m.atttypmod) order by m.attnum)::text
        from pg_catalog.pg_type as r join pg_catalog.pg_attribute as m on m.attrelid = r.typrelid
          join pg_catalog.pg_type as my on my.oid = m.atttypid
        where r.oid in (t.oid, t.typelem) and r.typtype = 'c' and m.attnum > 0 and not m.attisdropped) as "parts",
      (select json_agg(pg_get_expr(k.conbin, k.conrelid))::text from pg_catalog.pg_constraint as k
        where k.contype = 'c' and k.conrelid = c.oid and k.conkey = array[a.attnum]) as "checks",
      case when pg_type_is_visible(t.oid) then null else tn.nspname end as "typeSchema",
      col_description(c.oid, a.attnum) as "comment", obj_description(c.oid, 'pg_class') as "tableComment"
    from pg_catalog.pg_attribute as a
    join pg_catalog.pg_class as c on c.oid = a.attrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    join pg_catalog.pg_type as t0 on t0.oid = a.atttypid
    cross join lateral (${baseType}) as b
    join pg_catalog.pg_type as t on t.oid = b.oid
    join pg_catalog.pg_namespace as tn on tn.oid = t.typnamespace
    join pg_catalog.pg_database as d on d.datname = current_database()
    left join pg_catalog.pg_inherits as h on c.relispartition and h.inhrelid = c.oid
    left join pg_catalog.pg_class as pc on pc.oid = h.inhparent
    left join pg_catalog.pg_namespace as pn on pn.oid = pc.relnamespace
    left join pg_catalog.pg_attrdef as e on e.adrelid = c.oid and e.adnum = a.attnum
    left join pg_catalog.pg_collation as l on l.oid = a.attcollation
    where ${ownTables} and a.attnum > 0 and not a.attisdropped
    order by n.nspname, c.relname, a.attnum`)
}

/** Reads unique indexes, except partial ones and those of expressions. */
function readUniqueKeys(run: RunStatement): Promise<readonly SchemaRow[]> {
  return run(sql`
    select n.nspname as "schema", c.relname as "table", i.indexrelid as "index", i.indisprimary as "isPrimary",
      a.attname as "column"
    from pg_catalog.pg_index as i
    join pg_catalog.pg_class as c on c.oid = i.indrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    cross join unnest(i.indkey::int2[]) with ordinality as k(number, place)
    join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum = k.number
    where ${ownTables} and i.indisunique and i.indpred is null and i.indexprs is null and k.place <= i.indnkeyatts
    order by i.indexrelid, k.place`)
}

function readForeignKeys(run: RunStatement): Promise<readonly SchemaRow[]> {
  return run(sql`
    select n.nspname as "schema", c.relname as "table", f.oid as "name", tn.nspname as "targetSchema",
      tc.relname as "target", a.attname as "column", ta.attname as "targetColumn", f.confdeltype as "onDelete",
      coalesce(to_jsonb(f)->>'conenforced', 'true') = 'true' as "enforced", f.condeferred as "deferred"
    from pg_catalog.pg_constraint as f
    join pg_catalog.pg_class as c on c.oid = f.conrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    join pg_catalog.pg_class as tc on tc.oid = f.confrelid
    join pg_catalog.pg_namespace as tn on tn.oid = tc.relnamespace
    cross join unnest(f.conkey, f.confkey) with ordinality as k(number, target, place)
    join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum = k.number
    join pg_catalog.pg_attribute as ta on ta.attrelid = tc.oid and ta.attnum = k.target
    where ${ownTables} and f.contype = 'f' and f.conparentid = 0 and coalesce(to_jsonb(f)->>'conperiod', 'false') = 'false'
    order by f.oid, k.place`)
}

function foreignKeyOf(rows: readonly SchemaRow[]): DatabaseForeignKey {
  const [{ targetSchema, target, onDelete, enforced, deferred } = {}] = rows
  return {
    columns: rows.map(({ column }) => String(column)),
    target: { schema: String(targetSchema), table: String(target) },
    targetColumns: rows.map(({ targetColumn }) => String(targetColumn)),
    cascades: onDelete === 'c',
    isEnforced: enforced === true && deferred !== true,
    isDeferred: enforced === true && deferred === true,
  }
}

function factsOf(row: SchemaRow, refused: readonly ChangeKind[]): ColumnFacts {
  const dataType = String(row.type)
  return {
    dataType,
    nullable: row.required !== true,
    ordinal: typeof row.collation !== 'string' || ordinalCollations.has(row.collation),
    hasDefault: row.hasDefault === true,
    isGenerated: row.generated === true,
    typeSchema: optionalText(row.typeSchema),
    isLoose: row.loose === true,
    members: membersOf(row),
    isJson: dataType === 'json' || dataType === 'jsonb',
    isIdentity: row.identity === true,
    refuses: (['insert', 'update'] as const).filter((one) => !refused.includes(one) && !isAllowed(row, one)),
    typeArguments: typeArgumentsOf(dataType, Number(row.modifier)),
    fractionDigits: isNumberOrTime(dataType)
      ? undefined
      : fractionDigitsOf(dataType.replace(/^_/, ''), Number(row.modifier)),
    parts: typeof row.parts === 'string' ? partsOf(JSON.parse(row.parts) as [string, number][]) : undefined,
    defaultText: optionalText(row.default),
    comment: optionalText(row.comment),
  }
}

function membersOf({ members, checks, column }: SchemaRow): readonly string[] | undefined {
  if (typeof members === 'string') return JSON.parse(members) as string[]
  return typeof checks === 'string'
    ? membersOfChecks(JSON.parse(checks) as string[], String(column))
    : undefined
}

function partsOf(types: readonly (readonly [type: string, modifier: number])[]): ColumnFacts['parts'] {
  return types.map(([type, modifier]) => ({
    dataType: type,
    fractionDigits: fractionDigitsOf(type.replace(/^_/, ''), modifier),
  }))
}

/** Returns true for types whose properties are not strings, so that the service compares the digits with the facets. */
function isNumberOrTime(dataType: string): boolean {
  return /^(?:numeric|time|timestamp|timestamptz)$/.test(dataType)
}

/** @param base the type, or that of the members of an array */
function fractionDigitsOf(base: string, modifier: number): number | undefined {
  switch (base) {
    case 'money':
      return 2
    case 'numeric':
      return typeArgumentsOf(base, modifier)[1]
    case 'interval':
      // The other bits are the fields of the type.
      return modifier < 0 ? MAX_FRACTION_DIGITS : Math.min(modifier & 0xffff, MAX_FRACTION_DIGITS)
    case 'time':
    case 'timetz':
    case 'timestamp':
    case 'timestamptz':
      return modifier < 0 ? MAX_FRACTION_DIGITS : modifier
    default:
      return /^ts(?:tz)?(?:multi)?range$/.test(base) ? MAX_FRACTION_DIGITS : undefined
  }
}

/** PostgreSQL stores microseconds. */
const MAX_FRACTION_DIGITS = 6

/** Decodes the type modifier of PostgreSQL. */
function typeArgumentsOf(dataType: string, modifier: number): readonly number[] {
  if (modifier < 0) return []
  switch (dataType) {
    case 'varchar':
    case 'bpchar':
      return [modifier - 4]
    case 'numeric':
      // The scale is signed since PostgreSQL 15.
      return [((modifier - 4) >> 16) & 0xffff, (((modifier - 4) & 0x7ff) ^ 0x400) - 0x400]
    case 'timestamp':
    case 'timestamptz':
    case 'time':
      return [modifier]
    default:
      return []
  }
}
