import createDebug from 'debug'

const debug = createDebug('odata-v2:sql')

/** How many invalid values are reported. */
const MAX_NOTICES = 100

/** Reports each invalid value that is served as null once. */
export class InvalidValues {
  private readonly reported = new Set<string>()

  constructor(private readonly onNotice: (notice: string) => void = (notice) => debug('%s', notice)) {}

  /**
   * @param entity the address of the entity: `Products(7)`
   * @param names comma-separated property paths, with a trailing comma
   */
  report(entity: string, names: string): void {
    for (const name of names.split(',').filter((one) => one !== '')) {
      this.notice(`${entity}: the value of '${name}' is invalid and served as null.`)
    }
  }

  reportRows(entitySet: string, count: number): void {
    if (count === 0) return
    const rows = count === 1 ? '1 row has' : `${String(count)} rows have`
    this.notice(`'${entitySet}': ${rows} null or an invalid value in the key and cannot be served.`)
  }

  private notice(notice: string): void {
    if (this.reported.has(notice) || this.reported.size > MAX_NOTICES) return
    this.reported.add(notice)
    const isLast = this.reported.size > MAX_NOTICES
    this.onNotice(isLast ? 'Further invalid values are not reported.' : notice)
  }
}
