import { defineModel, edm } from '../../lib/index.js'
import type { TestServer } from './http-exchange.js'
import { targetOf } from './walk-pages.js'

/** Things with columns to sort by that are not unique, and may be null. */
export const thingModel = defineModel({
  namespace: 'Paged',
  entityTypes: {
    Thing: {
      key: ['ID'],
      properties: {
        ID: edm.Int32({ nullable: false }),
        Rank: edm.Int32(),
        Name: edm.String({ maxLength: 20 }),
        Size: edm.Double(),
        Since: edm.DateTime({ precision: 3 }),
        Note: edm.String({ maxLength: 20 }),
      },
    },
  },
  entityContainer: { entitySets: { Things: { entityType: 'Thing' } } },
} as const)

/** A random number generator: the same seed generates the same numbers. */
export class Chance {
  constructor(private state: number) {}

  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((this.state / 2 ** 32) * limit)
  }

  of<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('There is nothing to choose from.')
    return value
  }
}

export interface Thing {
  readonly ID: number
  readonly Rank: number | null
  readonly Name: string | null
  readonly Size: number | null
  readonly Since: Date | null
  readonly Note: string | null
}

/** Few different values, and often none: there are ties at every place of every order. */
function thing(ID: number, chance: Chance): Thing {
  const day = Date.UTC(2020, 1, 1 + chance.below(3))
  return {
    ID,
    Rank: chance.of([null, null, 1, 2, 3, -1]) ?? null,
    Name: ['', 'a', 'b', 'ä', 'A', 'b '][chance.below(9)] ?? null,
    Size: [0, -0.5, 1e10, 0.1][chance.below(6)] ?? null,
    Since: chance.below(3) === 0 ? null : new Date(day),
    Note: null,
  }
}

/** Keys whose entities stay: all even ones at the start. The others come and go. */
const stable = Array.from({ length: 60 }, (_, index) => 10 + 2 * index)
const others = Array.from({ length: 150 }, (_, index) => index + 1).filter((ID) => !stable.includes(ID))

/** Returns the entities that exist before the first page is read. */
function startingThings(chance: Chance): readonly Thing[] {
  return [...stable, ...others.filter(() => chance.below(2) === 0)].map((ID) => thing(ID, chance))
}

const orders: readonly string[] = [
  '',
  '$orderby=ID desc',
  '$orderby=Rank',
  '$orderby=Rank desc',
  '$orderby=Name,Rank desc',
  '$orderby=Size desc,Name',
  '$orderby=Since,Size',
  '$orderby=Since desc,ID desc',
  '$orderby=Rank add 1 desc,length(Name)',
  '$filter=ID gt 20 and ID lt 110&$orderby=Rank,Name desc',
  '$filter=Rank eq null or Rank gt 1&$orderby=Size',
  '$orderby=Rank&$inlinecount=allpages&$select=Name',
  '$orderby=Name desc&$top=1000',
]

interface PagedThings {
  readonly server: TestServer
  /** Path of the service. */
  readonly root: string
  readonly chance: Chance
}

interface ThingsPage {
  readonly results: readonly { readonly __metadata: { readonly uri: string } }[]
  readonly __next?: string
}

async function change(
  { server, root }: PagedThings,
  method: string,
  path: string,
  json?: unknown,
): Promise<number> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const body = json === undefined ? {} : { body: JSON.stringify(json) }
  return (await server.send(`${root}/${path}`, { method, headers, ...body })).status
}

/** Adds and removes the unstable entities, and changes properties of the stable ones that are not sorted by. */
async function disturb(things: PagedThings): Promise<void> {
  const { chance } = things
  const ID = chance.of(others)
  const { Since, ...values } = thing(ID, chance)
  const sent = { ...values, Since: Since && `/Date(${String(Since.getTime())})/` }
  const statuses = [
    await change(things, chance.of(['MERGE', 'MERGE', 'DELETE']), `Things(${ID})`, sent),
    await change(things, 'POST', 'Things', sent),
    await change(things, 'MERGE', `Things(${chance.of(stable)})`, { Note: String(ID) }),
  ]
  for (const status of statuses) {
    if (![201, 204, 404, 409].includes(status)) throw new Error(`A change returned ${status}.`)
  }
}

/**
 * Follows the links from page to page, while other clients change entities before and after the page.
 *
 * @returns the keys of all entities that were shown, in order
 */
async function keysWhileWriting(things: PagedThings, query: string): Promise<readonly number[]> {
  const { server, root } = things
  const keys: number[] = []
  let target: string | undefined = `${root}/Things?${query.replaceAll(' ', '%20')}`
  for (let pages = 0; target !== undefined; pages++) {
    if (pages > 200) throw new Error('There is no end to it.')
    const { status, text } = await server.send(target, { headers: { Accept: 'application/json' } })
    if (status !== 200) throw new Error(`${target}: ${status} ${text}`)
    const { d } = JSON.parse(text) as { d: ThingsPage }
    for (const { __metadata } of d.results) keys.push(Number(/\((\d+)\)$/.exec(__metadata.uri)?.[1]))
    target = d.__next === undefined ? undefined : targetOf(d.__next, server)
    await disturb(things)
  }
  return keys
}

/** Returns true if a query selects an entity that is never deleted. */
function isWanted(query: string, { ID, Rank }: Thing): boolean {
  if (query.includes('ID gt 20')) return ID > 20 && ID < 110
  return query.includes('Rank eq null') ? Rank === null || Rank > 1 : true
}

/** A service that is given the things of the start, and how it is let go of. */
export interface OpenedThings {
  readonly server: TestServer
  readonly stop: () => Promise<void>
}

/** States what becomes of paging while others write. @param open makes a service at `/s` with pages of seven entities */
export function describePagingWhileWriting(
  name: string,
  open: (things: readonly Thing[]) => Promise<OpenedThings>,
): void {
  describe(`Paging while others write: ${name}`, () => {
    const start = startingThings(new Chance(7))
    let opened: OpenedThings

    beforeAll(async () => {
      opened = await open(start)
    })

    afterAll(() => opened.stop())

    it.each(orders)('MUST show all that is there throughout exactly once: %s', async (query) => {
      const chance = new Chance(orders.indexOf(query))
      const keys = await keysWhileWriting({ server: opened.server, root: '/s', chance }, query)
      const wanted = start.filter((one) => stable.includes(one.ID) && isWanted(query, one))
      const shown = keys.filter((ID) => stable.includes(ID))
      expect([...shown].sort((a, b) => a - b)).toEqual(wanted.map(({ ID }) => ID))
    })
  })
}
