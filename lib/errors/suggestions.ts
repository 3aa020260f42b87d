/**
 * Returns the end of an error message: `" Did you mean 'Name'?"`, or an empty string without a similar name.
 *
 * @param name the unknown name
 * @param known the valid names
 */
export function didYouMean(name: string, known: Iterable<string>): string {
  const best = nearest(name, known)
  return best === undefined ? '' : ` Did you mean '${best}'?`
}

/** Maximum edits of a misspelling. */
const MAX_EDITS = 4

/** Longer names of clients are not compared, to limit the cost. */
const MAX_NAME_LENGTH = 128

/** Returns the most similar known name; undefined if none is similar. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return undefined
  const wanted = name.toLowerCase()
  const table = new DistanceTable(wanted)
  let best: string | undefined
  let bestDistance = Math.min(Math.floor(name.length * 0.4), MAX_EDITS) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = table.distanceTo(candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/**
 * Optimal string alignment distances from one string: insertions, deletions, substitutions and transpositions. The rows
 * of the table are reused, because a large model with many errors needs millions of cells.
 */
class DistanceTable {
  private readonly width: number
  private beforePrevious: Uint8Array
  private previous: Uint8Array
  private current: Uint8Array

  constructor(private readonly from: string) {
    // Longer candidates exceed the maximum number of edits.
    this.width = from.length + MAX_EDITS + 2
    this.beforePrevious = new Uint8Array(this.width)
    this.previous = new Uint8Array(this.width)
    this.current = new Uint8Array(this.width)
  }

  /**
   * @param to at most `limit` longer or shorter
   * @param limit from here on the exact distance does not matter
   */
  distanceTo(to: string, limit: number): number {
    if (to.length >= this.width) return limit
    for (let column = 0; column <= to.length; column++) this.previous[column] = column
    for (let row = 1; row <= this.from.length; row++) {
      if (this.fillRow(row, to) >= limit) return limit
      const spare = this.beforePrevious
      this.beforePrevious = this.previous
      this.previous = this.current
      this.current = spare
    }
    return this.previous[to.length] ?? limit
  }

  /** @returns the lowest number in the row: no later row has a lower one */
  private fillRow(row: number, to: string): number {
    const { from, beforePrevious, previous, current } = this
    const unit = from.charCodeAt(row - 1)
    const unitBefore = from.charCodeAt(row - 2)
    let lowest = row
    let left = row
    current[0] = row
    for (let column = 1; column <= to.length; column++) {
      const other = to.charCodeAt(column - 1)
      let cost = (previous[column - 1] ?? 0) + (unit === other ? 0 : 1)
      const removed = (previous[column] ?? 0) + 1
      if (removed < cost) cost = removed
      if (left + 1 < cost) cost = left + 1
      if (unit === to.charCodeAt(column - 2) && unitBefore === other) {
        const swapped = (beforePrevious[column - 2] ?? 0) + 1
        if (swapped < cost) cost = swapped
      }
      current[column] = cost
      left = cost
      if (cost < lowest) lowest = cost
    }
    return lowest
  }
}
