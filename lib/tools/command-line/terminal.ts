/** Emphasis of texts on a terminal. */
export interface TextStyle {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

type Paint = (text: string) => string

/** @param isColoured whether texts get any emphasis at all */
export function textStyle(isColoured: boolean): TextStyle {
  const paint = (on: number, off: number): Paint =>
    isColoured ? (text) => `\u001b[${String(on)}m${text}\u001b[${String(off)}m` : (text) => text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}

/**
 * Whether what is written to a stream is emphasised.
 *
 * @param stream where it is written to
 * @param environment in which `NO_COLOR`, whatever its value, and a terminal that calls itself dumb ask for plain text
 */
export function hasColours(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const { NO_COLOR: refusal = '', TERM: terminal } = environment
  return stream.isTTY === true && refusal === '' && terminal !== 'dumb'
}

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
