/** Parts of up to so many bytes become text as a whole: to look at bytes is a call out of JavaScript each time. */
const small = 4096

/** Bytes as a text in which each character stands for one of them. */
export class Latin1Text {
  private readonly text: string | undefined

  constructor(readonly bytes: Buffer) {
    this.text = bytes.length <= small ? bytes.toString('latin1') : undefined
  }

  get length(): number {
    return this.bytes.length
  }

  /** Where something begins, not before `from`; -1 when it is not there. */
  indexOf(what: string, from: number): number {
    return this.text === undefined ? this.bytes.indexOf(what, from, 'latin1') : this.text.indexOf(what, from)
  }

  slice(start: number, end: number): string {
    return this.text === undefined ? this.bytes.toString('latin1', start, end) : this.text.slice(start, end)
  }
}
