/** Characters that names of the V2 model cannot have. */
const illegalStart = /^[^\p{L}\p{Nl}_]/u
const illegal = /[^\p{L}\p{Nl}\p{Nd}\p{Mn}\p{Mc}\p{Pc}\p{Cf}_]/gu

/** Members of JSON that properties cannot be named after. */
const reserved: ReadonlySet<string> = new Set(['__metadata', '__deferred'])

/** Assigns names that are valid in the V2 model and unique in their scope, and reports each other name. */
export class V4Names {
  private readonly used = new Set<string>()

  /** @param kind the kind of the elements, for notices: `entity set` */
  constructor(
    private readonly kind: string,
    private readonly onNotice: (notice: string) => void,
    used: Iterable<string> = [],
  ) {
    for (const name of used) this.used.add(name)
  }

  /**
   * Returns the name of an element.
   *
   * @param isGenerated whether the element has no name in the document: then another name is not reported
   */
  unique(wanted: string, isGenerated = false): string {
    const valid = wanted.replace(illegal, '_').replace(illegalStart, '_$&')
    const base = reserved.has(valid) ? `${valid}_` : valid
    let name = base
    for (let number = 2; this.used.has(name); number++) name = `${base}_${number}`
    this.used.add(name)
    if (name !== wanted && !isGenerated)
      this.onNotice(`The ${this.kind} '${wanted}' is named '${name}' in the V2 service.`)
    return name
  }
}
