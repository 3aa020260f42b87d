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
