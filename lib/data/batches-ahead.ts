import type { BatchReader } from '../util/batch-reader.js'
import { closeAfterError } from './provided-batches.js'

/**
 * Batches that are given out one by one, of which the first are made before any is given out: what fails up to then can
 * still be answered.
 */
export abstract class BatchesAhead<Batch> {
  /** How many rows the batches have had that were made so far. */
  protected made = 0
  /** What has been made ahead; undefined as long as nothing was asked for. */
  private kept: Batch[] | undefined

  /**
   * @param source closed when something fails, and when no more is wanted
   * @param ahead how many rows are made ahead
   */
  constructor(
    private readonly source: Pick<BatchReader<unknown>, 'close'>,
    private readonly ahead: number,
  ) {}

  /** How many rows have been shown. */
  get count(): number {
    return this.made
  }

  /** The next batch; undefined at the end. After an error there are no more. */
  async next(): Promise<Batch | undefined> {
    try {
      this.kept ??= await this.makeAhead()
      return this.kept.shift() ?? (await this.make())
    } catch (error) {
      await closeAfterError(this.source)
      throw error
    }
  }

  async close(): Promise<void> {
    await this.source.close()
  }

  /** Makes one more batch and adds its rows to those that were made; undefined at the end. */
  protected abstract make(): Promise<Batch | undefined>

  private async makeAhead(): Promise<Batch[]> {
    const kept: Batch[] = []
    while (this.made < this.ahead) {
      const batch = await this.make()
      if (batch === undefined) break
      kept.push(batch)
    }
    return kept
  }
}
