import type { MediaStore } from '../../provider/media-store.js'

/** A stored object that no committed row refers to yet. Deleted when none will. */
export class NewObject {
  private openChangeSets = 0
  private isReleased = false
  private isNeeded = false

  constructor(
    private readonly store: MediaStore,
    readonly name: string,
  ) {}

  /** Notes that a change set refers to the object: it must call {@link commit} or {@link rollBack}. */
  begin(): void {
    this.openChangeSets++
  }

  /** Keeps the object. */
  commit(): void {
    this.isNeeded = true
  }

  /** Deletes the object unless its request may retry the change set. */
  rollBack(): Promise<void> {
    this.openChangeSets--
    return this.settle()
  }

  /** Deletes the object unless a change set refers to it: its request has ended. */
  release(): Promise<void> {
    this.isReleased = true
    return this.settle()
  }

  private async settle(): Promise<void> {
    if (this.isNeeded || !this.isReleased || this.openChangeSets > 0) return
    this.isNeeded = true
    await this.store.remove(this.name)
  }
}
