import type { Association } from '../../edm/edm-model.js'
import type { EntityTable } from './entity-table.js'
import type { Journal } from './journal.js'

/** One of the two ends of an association. */
export type LinkEnd = 0 | 1

/** The other end of an association. */
export function oppositeOf(end: LinkEnd): LinkEnd {
  return end === 0 ? 1 : 0
}

const none: ReadonlySet<string> = new Set()

/** The links between the entities of two tables over one association, by key texts. Each is known from both sides. */
export class LinkTable {
  private readonly partners: readonly [Map<string, Set<string>>, Map<string, Set<string>>] = [
    new Map<string, Set<string>>(),
    new Map<string, Set<string>>(),
  ]
  private changes = 0

  /** Increases with every change of a link, rollbacks included. */
  get version(): number {
    return this.changes
  }

  /** Key texts of what an entity at one end is linked to. */
  linkedTo(end: LinkEnd, text: string): ReadonlySet<string> {
    return this.partners[end].get(text) ?? none
  }

  /** @param tables those at the ends of the association, in its order */
  constructor(
    readonly association: Association,
    readonly tables: readonly [EntityTable, EntityTable],
    private readonly journal: Journal,
  ) {}

  /** @param texts key texts of the entities at both ends */
  link(texts: LinkedTexts): void {
    if (this.areLinked(texts)) return
    this.journal.record(() => {
      this.unlink(texts)
    })
    const [first, second] = texts
    addTo(this.partners[0], first, second)
    addTo(this.partners[1], second, first)
    this.changes++
  }

  /** @returns false when they were not linked */
  unlink(texts: LinkedTexts): boolean {
    if (!this.areLinked(texts)) return false
    this.journal.record(() => {
      this.link(texts)
    })
    const [first, second] = texts
    this.partners[0].get(first)?.delete(second)
    this.partners[1].get(second)?.delete(first)
    this.changes++
    return true
  }

  private areLinked([first, second]: LinkedTexts): boolean {
    return this.partners[0].get(first)?.has(second) ?? false
  }
}

type LinkedTexts = readonly [string, string]

function addTo(sets: Map<string, Set<string>>, from: string, to: string): void {
  const set = sets.get(from)
  if (set === undefined) sets.set(from, new Set([to]))
  else set.add(to)
}
