/**
 * The error of an invalid model. Its message lists all errors that were found, not only the first.
 *
 * @example
 * try {
 *   readEdmx(xml)
 * } catch (error) {
 *   if (error instanceof ModelError) console.error(error.errors.length)
 * }
 */
export class ModelError extends Error {
  /** One sentence for each error, after its place: `NW.Product: ...`. */
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    const count = errors.length === 1 ? 'an error' : `${errors.length} errors`
    super(`The model has ${count}:\n${errors.map((error) => `- ${error}`).join('\n')}`)
    this.name = 'ModelError'
    this.errors = errors
  }
}

/** Collects the errors of a model while it is built, to report all of them together. */
export class ModelErrors {
  private readonly messages: string[]
  /** Descriptions of skipped elements, one sentence each. */
  readonly notices: string[] = []

  /** @param earlier errors to copy */
  constructor(earlier?: ModelErrors) {
    this.messages = earlier === undefined ? [] : [...earlier.messages]
  }

  /**
   * @param place the name of the invalid element: `NW.Product.Name`
   * @param message a sentence that says what is wrong and what is accepted
   */
  add(place: string, message: string): void {
    this.messages.push(`${place}: ${message}`)
  }

  get isEmpty(): boolean {
    return this.messages.length === 0
  }

  /** @throws ModelError if there are errors */
  check(): void {
    if (!this.isEmpty) throw new ModelError([...new Set(this.messages)])
  }
}
