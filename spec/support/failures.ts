import type { ODataError } from '../../lib/index.js'

/**
 * Collects the errors passed to `onError`. Unhandled rejections need no collector: they fail the test in Jest itself.
 */
export class Failures {
  readonly errors: ODataError[] = []
  private readonly waiting: (() => void)[] = []

  readonly onError = (error: ODataError): void => {
    this.errors.push(error)
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  get causes(): unknown[] {
    return this.errors.map(({ cause }) => cause)
  }

  /** Resolves when the given number of errors has been reported. */
  async reached(count: number): Promise<void> {
    while (this.errors.length < count) await new Promise<void>((resolve) => this.waiting.push(resolve))
  }
}

/** A promise and what resolves it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
