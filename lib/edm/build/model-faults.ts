/**
 * A model that cannot work. The message lists every fault that was found, not only the first.
 *
 * @example
 * try {
 *   readEdmx(xml)
 * } catch (error) {
 *   if (error instanceof ModelError) console.error(error.faults.length)
 * }
 */
export class ModelError extends Error {
  /** One sentence each, with the place in front: `NW.Product: ...`. */
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    const count = faults.length === 1 ? 'an error' : `${faults.length} errors`
    super(`The model has ${count}:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
    this.name = 'ModelError'
    this.faults = faults
  }
}

/** Collects faults while a model is built, so that its author sees all of them at once. */
export class ModelFaults {
  private readonly faults: string[] = []
  /** What was left out, one sentence each. */
  readonly notices: string[] = []

  /**
   * @param place what the fault belongs to: `NW.Product.Name`
   * @param message what is wrong and what to write instead, a whole sentence
   */
  add(place: string, message: string): void {
    this.faults.push(`${place}: ${message}`)
  }

  get any(): boolean {
    return this.faults.length > 0
  }

  /** @throws ModelError when there is a fault */
  check(): void {
    if (this.any) throw new ModelError([...new Set(this.faults)])
  }
}
