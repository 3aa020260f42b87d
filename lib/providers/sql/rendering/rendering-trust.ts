/** After so many batches in a row that had to be read after all, the database is not asked for some time. */
const mostFailures = 3
const pause = 200

/** Whether it is worth while to have entities written: what fails costs more than what is not tried. */
export class RenderingTrust {
  private failures = 0
  private passes = 0

  isGiven(): boolean {
    if (this.failures < mostFailures) return true
    if (this.passes++ < pause) return false
    this.passes = 0
    this.failures--
    return true
  }

  note(succeeded: boolean): void {
    this.failures = succeeded ? 0 : this.failures + 1
  }
}
