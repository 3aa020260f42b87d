/** A line on a terminal that says what is under way. */
export interface Progress {
  /** Says something else in its place. */
  update(text: string): void
  /** Takes it away. */
  end(): void
}

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Takes the cursor to the start of the line, and clears it. */
const clearLine = '\r\u001b[2K'

/**
 * Makes lines of progress on a stream. Nothing is written where nobody watches: in files and pipes.
 *
 * @param stream standard error, so that it is never part of a result
 */
export function progressOn(stream: Stream): (text: string) => Progress {
  if (stream.isTTY !== true) return () => ({ update: () => undefined, end: () => undefined })
  const show = (text: string): void => {
    // Some terminals do not know how wide they are.
    const { columns = 0 } = stream
    const width = (columns > 0 ? columns : 80) - 1
    stream.write(clearLine + (text.length > width ? `${text.slice(0, width - 1)}…` : text))
  }
  return (text) => {
    show(text)
    return {
      update: show,
      end: () => {
        stream.write(clearLine)
      },
    }
  }
}
