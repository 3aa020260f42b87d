/**
 * The end of an error message: `" Did you mean 'Name'?"`, or nothing when no known name is near.
 *
 * @param name what was written
 * @param known what could have been written
 */
export function didYouMean(name: string, known: Iterable<string>): string {
  const best = nearest(name, known)
  return best === undefined ? '' : ` Did you mean '${best}'?`
}

/** More than this many edits is not a slip but another word. */
const maximumEdits = 4

/** The known name with the fewest edits from `name`, if it is near enough to be a slip. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  // A client chooses the name: do not let a long one cost anything.
  if (name.length > 128) return undefined
  let best: string | undefined
  let bestDistance = Math.min(Math.floor(name.length * 0.4), maximumEdits) + 1
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > bestDistance) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/**
 * Optimal string alignment distance: insertions, deletions, replacements and neighbours swapped.
 *
 * @param limit from here on the exact distance does not matter
 */
function editDistance(a: string, b: string, limit: number): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      )
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, at(beforePrevious, column - 2) + 1)
      }
      current.push(cost)
    }
    if (Math.min(...current) >= limit) return limit
    beforePrevious = previous
    previous = current
  }
  return at(previous, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
