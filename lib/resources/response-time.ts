import { formatSeconds } from '../edm/instant.js'

let second = 0
let textOfSecond = ''

/** The time in whole seconds, as Atom requires it. Shared by all responses of a second. */
export function timeOfResponse(): string {
  const now = Math.floor(Date.now() / 1000)
  if (now !== second) {
    second = now
    textOfSecond = `${formatSeconds(now * 1000)}Z`
  }
  return textOfSecond
}

/** Has as many bytes as a time. Neither XML nor JSON contains this character, so data cannot contain the placeholder. */
export const TIME_PLACEHOLDER = '\u0001'.repeat('2000-01-01T00:00:00Z'.length)

/**
 * Writes a time over each placeholder.
 *
 * @returns the positions
 */
export function fillTimes(bytes: Buffer, time: string): number[] {
  const positions: number[] = []
  let position = bytes.indexOf(TIME_PLACEHOLDER)
  while (position >= 0) {
    bytes.write(time, position, 'latin1')
    positions.push(position)
    position = bytes.indexOf(TIME_PLACEHOLDER, position + time.length)
  }
  return positions
}
