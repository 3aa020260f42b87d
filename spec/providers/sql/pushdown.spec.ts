import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Provider, Pushdown } from '../../../lib/provider/provider.js'
import { parseFilter, parseOrderBy } from '../../../lib/uri/parse-expression.js'
import { bindFilter, bindOrderBy } from '../../../lib/query/bind-expression.js'
import { totalOrder } from '../../../lib/query/entity-query.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import { alikeDatabase } from '../../support/sql/alike-services.js'
import type { AnyDatabase, DatabaseKind } from '../../support/sql/model-tables.js'
import { PostgresServer } from '../../support/sql/postgres-server.js'

const nothing = { Categories: [], Products: [], Manuals: [], successions: [] }

type Expected = readonly [condition: string, sqlite: boolean | 'narrow', postgres: boolean]

/** Conditions that the databases must evaluate themselves, with values for which they could differ. */
const conditions: readonly Expected[] = [
  ['ID eq 5', true, true],
  ['5 lt ID', true, true],
  ['ID eq null', true, true],
  ['Stock ge 9007199254740993L', true, true],
  ['Stock gt 9223372036854775808', false, true],
  ['Rating ne 3', true, true],
  ['Small eq 255 and Tiny le -128', true, true],
  ['Rating add 1 gt Small', true, true],
  ['ID mod 2 eq 0', true, true],
  ['ID div Rating eq 1', true, true],
  ['-Rating lt 3', true, true],
  ['Stock add Items eq 5', false, true],
  ['Stock mul 2 eq 4', false, true],
  // In SQLite, decimals are text in these tables.
  ['Price gt 2.5M', false, true],
  ['Price mul 2 gt 5', false, true],
  ['Price div 2 gt 5', false, false],
  ['floor(Price) eq 2M', false, true],
  ['round(Price) eq 2M', false, false],
  ['Weight le 0.1d', true, true],
  ['Weight lt 3', true, true],
  ['Weight lt NaN', false, false],
  ['Weight add 1 lt 3', false, false],
  ['round(Weight) eq 2d', false, false],
  ['Discount eq 0.5f', false, true],
  ['Active', true, true],
  ['not Active', true, true],
  ['Active eq (ID gt 5)', true, true],
  ["Released gt datetime'2012-05-29T09:13:28.12'", true, true],
  ["Released le datetime'2012-05-29T09:13:28.1234567'", true, false],
  ['year(Released) eq 2012', true, true],
  ['second(Opens) lt 30', true, true],
  ["Changed eq datetimeoffset'2012-05-29T11:13:28+02:00'", true, true],
  ["year(datetimeoffset'2012-12-31T23:30:00-05:30') eq ID", false, false],
  ["Opens ge time'PT9H'", true, true],
  ["Code eq guid'12345678-aaaa-bbbb-cccc-ddddeeeeffff'", true, true],
  ["Pic eq X'0FA0'", true, true],
  ["Name eq 'a'", true, true],
  ["Name lt '\u{1F600}'", true, true],
  ["startswith(Name,'a%')", true, true],
  ["endswith(Name,'_')", true, true],
  ["substringof('a',Name)", true, true],
  ["not substringof('a',Name)", true, true],
  ["trim(Name) eq 'a'", true, true],
  ["concat(Name,Dims/Unit) eq 'ab'", true, true],
  ["replace(Name,'ab','a') eq 'a'", true, true],
  ["replace(Name,'a','aaaa') eq 'a'", false, false],
  ['length(Name) gt 4', false, true],
  ["indexof(Name,'a') eq 1", false, true],
  ["substring(Name,1) eq 'a'", false, false],
  ["tolower(Name) eq 'a'", 'narrow', true],
  ["toupper(Name) eq 'A'", 'narrow', true],
  ["substringof('A_',toupper(concat(Name,Dims/Unit)))", 'narrow', true],
  ['Dims/Box/Depth eq 1', true, true],
  ['Category eq null', true, true],
  ["Category/Name eq 'a' or Category/Parent/Rank gt 3", true, true],
  ["Category/Parent/Name eq 'x' and not (ID eq 1)", true, true],
  ['Successor ne null', true, true],
  ["Successor/Successor/Category/Name eq 'a'", true, true],
  ['Manual eq null', true, true],
  ['Manual/Pages gt 3 or ID eq 1', true, true],
  ["isof('NW.Product')", false, false],
  ["cast(ID,'Edm.String') eq '1'", false, false],
]

const orders: readonly Expected[] = [
  ['ID', true, true],
  ['Name desc,Rating', true, true],
  ['Price', false, true],
  ['Weight desc', true, true],
  ['Released,Changed desc,Opens', true, true],
  ['Discount', false, true],
  ['Category/Name,Category/Parent/Rank desc', true, true],
  ['Successor/Name,Manual/Pages desc', true, true],
  ['length(Name)', false, true],
  ['ID mod 3,Code', true, true],
  ['tolower(Name)', false, true],
]

describe.each<DatabaseKind>(['sqlite', 'postgres'])('Push-down to %s', (kind) => {
  let server: PostgresServer | undefined
  let db: AnyDatabase
  let pushdown: Pushdown | undefined
  const set = alikeModel().defaultContainer.entitySet('Products')
  if (set === undefined) throw new Error('There are no products.')
  const model = alikeModel()
  const scope = { entityType: set.entityType, entitySet: set, model }
  const expectedOf = ([, sqlite, postgres]: Expected): Expected[1] => (kind === 'sqlite' ? sqlite : postgres)

  beforeAll(async () => {
    if (kind === 'postgres') {
      server = PostgresServer.shared()
      db = await server.open()
    } else db = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    const provider: Provider = await alikeDatabase(db, kind, nothing)
    pushdown = provider.entitySets.Products?.pushdown
  })

  afterAll(async () => {
    await db.destroy()
    await server?.stop()
  })

  it.each(conditions)('MUST be exactly: $filter=%s', (...expected) => {
    const [text] = expected
    const filter = bindFilter(parseFilter(text), scope, { source: text, label: '$filter' })
    expect(pushdown?.filter?.(filter)).toBe(expectedOf(expected))
  })

  it.each(orders)('MUST be exactly: $orderby=%s', (...expected) => {
    const [text] = expected
    const terms = bindOrderBy(parseOrderBy(text), scope, { source: text, label: '$orderby' })
    expect(pushdown?.orderBy?.(totalOrder(terms, set.entityType))).toBe(expectedOf(expected))
  })
})
