import type { EntitySetProvider, Provider, ReadQuery } from '../../lib/provider/provider.js'
import type { RenderedBatch, RenderedEntities, Rendering } from '../../lib/provider/rendering.js'
import { library, renderedIn } from './library.js'

export type Render = NonNullable<EntitySetProvider['render']>
type Asked = Parameters<Render>

/** Batches that come over time, with the number of times that they were closed. */
export class Coming {
  closed = 0
  private index = 0

  constructor(private readonly batches: readonly RenderedBatch[]) {}

  async next(): Promise<RenderedBatch | undefined> {
    await new Promise((resolve) => setImmediate(resolve))
    return this.batches[this.index++]
  }

  close(): void {
    this.closed++
  }
}

/**
 * A library of which both sets write entities, and what they were asked for.
 *
 * @param plan as {@link renderedIn} has it
 * @param give how the batches are returned
 * @param parts what else the sets have
 */
export function renderingLibrary(
  plan: readonly number[],
  give: (batches: readonly RenderedBatch[]) => RenderedEntities = (batches) => batches,
  parts: Readonly<Record<'Books' | 'Shelves', Partial<EntitySetProvider>>> = { Books: {}, Shelves: {} },
): { readonly provider: Provider; readonly asked: Asked[] } {
  const asked: Asked[] = []
  const render: Render = (query, how, call) => {
    asked.push([query, how, call])
    const batches = renderedIn(plan, query, how)
    return batches && give(batches)
  }
  return { provider: library({ render, ...parts.Books }, { render, ...parts.Shelves }), asked }
}

/** The last thing that a provider was asked for. */
export function lastOf(asked: readonly Asked[]): { readonly query: ReadQuery; readonly how: Rendering } {
  const [query, how] = asked.at(-1) ?? []
  if (query === undefined || how === undefined) throw new Error('Nothing was asked for.')
  return { query, how }
}

/** Requests for pages that such a library writes. */
export const renderedPaths = [
  '/Books',
  '/Books?$top=4',
  '/Books?$skip=3&$top=7',
  '/Books?$orderby=Title%20desc',
  '/Books?$orderby=Pages%20desc&$skiptoken=300,7',
  '/Books?$filter=Pages%20gt%20100%20and%20ShelfID%20eq%201',
  '/Books?$filter=false',
  '/Books?$top=0',
  '/Books?$inlinecount=allpages&$top=2',
  '/Books?$select=Title',
  '/Books?$expand=Shelf',
  '/Books?$expand=Shelf&$select=ID,Shelf/Room&$orderby=Title',
  '/Shelves?$expand=Books',
  '/Shelves(1)/Books',
  '/Books(2)/Shelf/Books?$skip=1',
]
