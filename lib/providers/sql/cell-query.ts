/** Leaves every cell the string that it is in PostgreSQL's text format. */
const texts = { getTypeParser: () => (text: string) => text }

/**
 * The text of a statement that is also the config of a query of `pg`, whose rows are arrays of strings. Kysely hands the
 * text on as it is. A `log` function of the application may call the methods of strings on it.
 */
export class CellQuery {
  constructor(readonly text: string) {}

  // Not properties of their own: `pg` copies those.
  get rowMode(): 'array' {
    return 'array'
  }

  get types(): typeof texts {
    return texts
  }

  get length(): number {
    return this.text.length
  }

  toString(): string {
    return this.text
  }

  toJSON(): string {
    return this.text
  }
}

// The methods of strings work on everything that has a text.
Object.setPrototypeOf(CellQuery.prototype, String.prototype)
