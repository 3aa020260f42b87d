import type { WrittenRows } from './written-rows.js'

/** After so many batches in a row that had to be read after all, the database is not asked for some time. */
const mostFailures = 3
const pause = 200

/** What became of having entities written in some form. */
export class RenderingHistory {
  private failures = 0
  private passes = 0
  private length: number | undefined

  /** Bytes of an entity, with what is inline of it, as the last ones had them; undefined before there were any. */
  get lengthOfEach(): number | undefined {
    return this.length
  }

  /** Whether it is worth while to have more written: what fails costs more than what is not tried. */
  isGood(): boolean {
    if (this.failures < mostFailures) return true
    if (this.passes++ < pause) return false
    this.passes = 0
    this.failures--
    return true
  }

  /** @param written undefined when it failed */
  note(written: WrittenRows | undefined): void {
    this.failures = written === undefined ? this.failures + 1 : 0
    if (written !== undefined && written.count > 0) this.length = written.length / written.count
  }
}
