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

/** A progress line on a terminal. After two seconds, it also shows a bar, or the time. */
export interface Progress {
  /** Replaces the text of the line. */
  update(text: string): void
  /**
   * Sets the length of the bar.
   *
   * @param done the finished part of the work, between 0 and 1
   */
  readonly advance: (done: number) => void
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

const LONG_MS = 2000
/** Milliseconds between updates of the time, and of the bar. */
const INTERVAL_MS = 1000
const BAR_INTERVAL_MS = 100
const BAR_LENGTH = 20

const none: Progress = { update: () => undefined, advance: () => undefined, end: () => undefined }

/**
 * Shows progress on a stream if it is a terminal.
 *
 * @param stream standard error, so that progress is never part of a result
 * @param now the current time in milliseconds
 */
export function progressOn(
  stream: Stream,
  now = (): number => performance.now(),
): (text: string) => Progress {
  if (stream.isTTY !== true) return () => none
  const show = (text: string): void => {
    // Some terminals report no width.
    const { columns = 0 } = stream
    const width = (columns > 0 ? columns : 80) - 1
    stream.write(clearLine + (text.length > width ? `${text.slice(0, width - 1)}…` : text))
  }
  return (first) => {
    const start = now()
    let text = first
    let hasBar = false
    let lastBar = 0
    show(text)
    const timer = setInterval(() => {
      const seconds = Math.floor((now() - start) / 1000)
      if (!hasBar && seconds * 1000 >= LONG_MS) show(`${String(seconds)} s  ${text}`)
    }, INTERVAL_MS)
    timer.unref()
    return {
      update(next) {
        text = next
        hasBar = false
        show(text)
      },
      advance(done) {
        const time = now()
        if (time - start < LONG_MS || time - lastBar < BAR_INTERVAL_MS) return
        hasBar = true
        lastBar = time
        show(`${bar(done)}  ${text}`)
      },
      end() {
        clearInterval(timer)
        stream.write(clearLine)
      },
    }
  }
}

/** Returns a bar with its percentage. */
function bar(done: number): string {
  const filled = Math.round(Math.min(1, done) * BAR_LENGTH)
  return `${'█'.repeat(filled)}${'░'.repeat(BAR_LENGTH - filled)} ${String(Math.floor(done * 100)).padStart(3)} %`
}
