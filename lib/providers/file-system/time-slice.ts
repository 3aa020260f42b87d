import { nextTurn } from '../../util/next-turn.js'

/** Milliseconds for which nothing else gets a turn. */
const length = 3

/** Divides work that asks the file system, which is done in one go, so that the event loop is never held for long. */
export class TimeSlice {
  private end = performance.now() + length

  isOver(): boolean {
    return performance.now() >= this.end
  }

  /** Gives others a turn. */
  async pause(): Promise<void> {
    await nextTurn()
    this.restart()
  }

  /** To be called after others had their turn. */
  restart(): void {
    this.end = performance.now() + length
  }
}
