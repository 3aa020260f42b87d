/** So many faults are listed; more help nobody. */
const listed = 20

/** Collects what is wrong with the data, so that its author sees all of it at once. */
export class DataFaults {
  private readonly faults = new Set<string>()

  /**
   * @param place what the fault belongs to: `Products[3].Price`
   * @param message what is wrong and what to write instead, a whole sentence
   */
  add(place: string, message: string): void {
    this.faults.add(`${place}: ${message}`)
  }

  /** @throws TypeError when there is a fault */
  check(): void {
    const count = this.faults.size
    if (count === 0) return
    const lines = [...this.faults].slice(0, listed).map((fault) => `- ${fault}`)
    if (count > listed) lines.push(`- and ${count - listed} more`)
    const what = count === 1 ? 'a fault' : `${count} faults`
    throw new TypeError(`The data of the memory provider has ${what}:\n${lines.join('\n')}`)
  }
}
