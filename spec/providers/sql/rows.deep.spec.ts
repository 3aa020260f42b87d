import { fc } from '../../support/random.js'
import { ContractServices } from '../../contracts/contract-service.js'
import { alikeModel } from '../../support/sql/alike-model.js'
import { alikeRows } from '../../support/sql/alike-rows.js'
import { alikeDatabase } from '../../support/sql/alike-services.js'
import { describeDatabases } from '../../support/sql/databases.js'
import type { AnyDatabase } from '../../support/sql/model-tables.js'
import { createTables, fillTable } from '../../support/sql/model-tables.js'
import { valueModel } from '../../support/sql/value-model.js'
import { RowServices } from '../../support/sql/row-services.js'
import type { ODataV2Options } from '../../../lib/odata-v2.js'

const formats = ['application/json', 'application/atom+xml']
const guid = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`

/** Requests for pages. */
const paths = [
  '/Things',
  '/Things?$select=ID,Text',
  '/Things?$select=Place,Owner',
  '/Things?$top=7&$orderby=Text%20desc,ID',
  '/Things?$skip=3&$top=5&$inlinecount=allpages',
  '/Things?$filter=Whole%20gt%203&$orderby=Owner/Note,ID&$top=5',
  '/Things?$expand=Owner',
  '/Things?$expand=Tags',
  '/Things?$expand=Owner,Tags/Things&$top=5',
  '/Things?$skiptoken=4',
  '/Owners',
  "/Owners?$skiptoken='o2',1",
  '/Owners?$expand=Things&$select=Name,Things/ID,Things/Text',
  '/Owners?$expand=Things/Tags,Things/Owner',
  '/Tags',
  '/Tags?$expand=Things/Owner',
  "/Owners(Name='o1',No=1)/Things",
  '/Things(3)/Tags?$expand=Things',
  '/Things?$filter=false',
]

describeDatabases(({ kind, open }) => {
  let services: ContractServices

  beforeAll(async () => {
    services = await ContractServices.start()
  })

  afterAll(() => services.close())

  const database = async (): Promise<AnyDatabase> => {
    const model = valueModel()
    const db = await open([])
    await createTables(db, model, kind)
    const numbers = Array.from({ length: 23 }, (_, index) => index + 1)
    const rows = {
      Owners: numbers
        .slice(0, 5)
        .map((no) => ({ Name: `o${String(no % 3)}`, No: no, Note: no % 2 ? null : `n-${String(no)}` })),
      Tags: numbers.slice(0, 6).map((no) => ({ Code: guid(no), Word: `tag "${String(no)}" <&>` })),
      Things: numbers.map((no) => ({
        ID: no,
        Text: ['plain', 'a "b" <c>', ' blank', 'two\nlines', null, 'ü\u2028😀'][no % 6],
        Whole: no % 7 === 0 ? null : no,
        Double: no / 8,
        Flag: no % 2 === 0,
        Milli: new Date(no * 86_400_123),
        Place: { Town: `t${String(no)}`, Height: null, Spot: { No: no } },
        Version: String(no),
        OwnerName: no % 4 === 0 ? null : `o${String((1 + (no % 5)) % 3)}`,
        OwnerNo: no % 4 === 0 ? null : 1 + (no % 5),
      })),
    }
    for (const set of model.defaultContainer.entitySets) {
      await fillTable(db, set, rows[set.name as keyof typeof rows], kind)
    }
    for (const no of numbers) {
      for (let tag = 1; tag <= no % 5; tag++) {
        await db
          .insertInto('ThingTags')
          .values({ Thing_ID: no, Tag_Code: guid(tag) })
          .execute()
      }
    }
    return db
  }

  const compare = async (of: RowServices, paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      for (const accept of formats) {
        const { direct, objects } = await of.both(path, accept)
        expect({ path, accept, pages: direct }).toEqual({ path, accept, pages: objects })
      }
    }
  }

  const mounted = async (options: ODataV2Options, name: string): Promise<RowServices> =>
    RowServices.mount(services, await database(), valueModel, options, `${name}-${kind}`)

  it('MUST be serialized like objects with the same values', async () => {
    const both = await mounted({}, 'all')
    await compare(both, paths)
  })

  it('MUST end pages and inline feeds at the same place, with the same next links', async () => {
    const both = await mounted({ pageSize: 3 }, 'pages')
    await compare(both, paths)
  })

  it('MUST return only entities that authorize permits, expanded ones included', async () => {
    const both = await mounted(
      {
        authorize: (operation) => {
          const { entitySet } = operation
          if (entitySet === 'Things') return 'Whole ge 5 and Owner/No ge 2'
          return entitySet === 'Tags' ? "Word ne 'x' and substringof('2',Word) eq false" : undefined
        },
      },
      'authorized',
    )
    await compare(both, paths)
  })

  it('MUST be serialized like objects for random requests', async () => {
    const [rows] = fc.sample(alikeRows(kind), { numRuns: 1 })
    if (rows === undefined) throw new Error('There are no rows.')
    const db = await open([])
    await alikeDatabase(db, kind, rows)
    const both = await RowServices.mount(services, db, alikeModel, {}, `alike-${kind}`)
    const names = 'ID,Name,Price,Stock,Rating,Active,Released,Changed,Opens,Code,Dims,Items'.split(',')
    const select = fc.subarray(names, { minLength: 1 }).map((all) => `$select=${all.join(',')}`)
    const shown = fc.constantFrom(
      '$expand=Category,Successor&$select=ID,Category/Name,Successor/ID',
      '$expand=Successor/Manual,Category/Parent&$select=ID,Successor/Manual,Category/Parent/Name',
      '$expand=Category/Products&$select=ID,Category/Products/ID,Category/Products/Name',
    )
    const page = fc
      .tuple(fc.nat(5), fc.nat(3))
      .map(([skip, top]) => `$skip=${String(skip)}&$top=${String(top)}`)
    const order = fc.constantFrom(...names.slice(0, 8)).map((name) => `$orderby=${name}%20desc`)
    const request = fc
      .tuple(fc.oneof(select, shown), page, order)
      .map((parts) => `/Products?${parts.join('&')}`)
    await compare(both, fc.sample(request, 40))
  })
})
