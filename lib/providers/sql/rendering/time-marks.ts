import { isNeverFreed } from '../../../util/freed-bytes.js'

const mark = 2

/** Stands for the time of an answer while entities are written as XML, which can hold no such character. */
export function timeMark(time: string): string {
  return String.fromCharCode(mark).repeat(time.length)
}

/** Puts the time where marks are. What is kept for other answers stays as it is. */
export function withTime(marked: Buffer, time: string): Buffer {
  let position = marked.indexOf(mark)
  if (position < 0) return marked
  const bytes = isNeverFreed(marked) ? Buffer.allocUnsafeSlow(marked.length) : marked
  if (bytes !== marked) bytes.set(marked)
  const digits = Buffer.from(time)
  for (; position >= 0; position = bytes.indexOf(mark, position)) bytes.set(digits, position)
  return bytes
}
