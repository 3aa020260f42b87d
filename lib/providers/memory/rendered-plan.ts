import type { InlineRows } from './inline-rows.js'
import type { KeptEntities } from './kept-entities.js'

/** Entities that are written in one way: for one template, service address and whatever else shows in the text. */
export class RenderedPlan {
  private version: number | undefined
  private isRefused = false

  /** @param inline what is shown inline of the entities, if anything is */
  constructor(
    readonly entities: KeptEntities,
    readonly inline: InlineRows | undefined,
  ) {
    this.version = inline?.version
  }

  /** Keeps nothing any more: the texts depend on more than is known here. */
  refuse(): void {
    this.isRefused = true
    this.entities.clear()
  }

  /**
   * Whether what is kept is right, and what is written now can be. After a change of what is shown inline it is so
   * again from the next time on: what changes all the time is not worth keeping.
   */
  isCurrent(): boolean {
    if (this.isRefused) return false
    const version = this.inline?.version
    if (version === this.version) return true
    this.version = version
    this.entities.clear()
    return false
  }
}
