/** Styles of text on a terminal. */
export interface TextStyle {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly red: (text: string) => string
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly cyan: (text: string) => string
}

type Paint = (text: string) => string

/** @param isColored whether the styles have an effect */
export function textStyle(isColored: boolean): TextStyle {
  const paint = (on: number, off: number): Paint =>
    isColored ? (text) => `\u001b[${String(on)}m${text}\u001b[${String(off)}m` : (text) => text
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
 * Returns true if output to a stream is colored.
 *
 * @param environment variables: `NO_COLOR` with any value, and `TERM=dumb`, turn colors off
 */
export function hasColors(
  stream: { readonly isTTY?: boolean },
  environment: Readonly<Record<string, string | undefined>>,
): boolean {
  const { NO_COLOR: refusal = '', TERM: terminal } = environment
  return stream.isTTY === true && refusal === '' && terminal !== 'dumb'
}

/** A progress line on a terminal. */
export interface Progress {
  /** Replaces the text of the line. */
  update(text: string): void
  /** Removes the line. */
  end(): void
}

interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Moves the cursor to the start of the line and clears it. */
const clearLine = '\r\u001b[2K'

/**
 * Shows progress on a stream if it is a terminal.
 *
 * @param stream standard error, so that progress is never part of a result
 */
export function progressOn(stream: Stream): (text: string) => Progress {
  if (stream.isTTY !== true) return () => ({ update: () => undefined, end: () => undefined })
  const show = (text: string): void => {
    // Some terminals report no width.
    const { columns = 0 } = stream
    const width = (columns > 0 ? columns : 80) - 1
    stream.write(clearLine + (text.length > width ? `${text.slice(0, width - 1)}…` : text))
  }
  return (text) => {
    show(text)
    return { update: show, end: () => void stream.write(clearLine) }
  }
}
