import { RowLocator } from '../../../../../../lib/providers/sql/dialects/mysql/wire/row-locator.js'

/** Returns the bytes of packets, each with a row of one cell. */
function packets(...cells: readonly string[]): Buffer {
  const rows = cells.map((cell, index) =>
    Buffer.concat([Buffer.from([cell.length + 1, 0, 0, index + 1, cell.length]), Buffer.from(cell)]),
  )
  // Other packets come before the rows.
  return ownMemory(Buffer.concat([Buffer.alloc(10), ...rows]))
}

/** Returns a copy in memory of its own. */
function ownMemory(bytes: Buffer): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer)
}

/** Returns cells as the driver does: views of the memory that contains them. */
function locate(handedOut: readonly (Buffer | null)[]): {
  readonly rows: unknown[]
  readonly areOthers: boolean
} {
  const locator = new RowLocator(true)
  let next = 0
  const column = { buffer: () => handedOut[next] ?? null }
  for (; next < handedOut.length; next++) locator.add(column)
  const { sources, positions, reader } = locator.rows()
  const rows = sources.map((source, index) => reader.cell(source, positions[index] ?? 0, 0))
  return { rows, areOthers: locator.hasOtherRows }
}

/** The views of cells in packets. */
function views(bytes: Buffer, ...cells: readonly string[]): Buffer[] {
  let from = 0
  return cells.map((cell) => {
    const at = bytes.indexOf(cell, from)
    from = at + cell.length
    return bytes.subarray(at, from)
  })
}

describe('RowLocator', () => {
  const bytes = packets('first', 'second', 'third')

  it('finds the rows that follow in the memory of a row', () => {
    const found = locate(views(bytes, 'first', 'second', 'third'))
    expect(found).toEqual({ rows: ['first', 'second', 'third'], areOthers: false })
  })

  it('finds rows of nulls, which may be anywhere', () => {
    const [first = null, second = null] = views(packets('first'), 'first').concat(
      views(packets('second'), 'second'),
    )
    expect(locate([null, first, null, null, second])).toEqual({
      rows: [null, 'first', null, null, 'second'],
      areOthers: false,
    })
  })

  it('reports that the last row is elsewhere', () => {
    const elsewhere = views(packets('first', 'second', 'third'), 'third')
    expect(locate([...views(bytes, 'first', 'second'), ...elsewhere]).areOthers).toBe(true)
  })

  it('reports that there are fewer rows, and returns only as many', () => {
    expect(locate(views(bytes, 'first'))).toEqual({ rows: ['first'], areOthers: true })
    expect(locate(views(bytes, 'first', 'second')).areOthers).toBe(true)
  })

  it('does not take a packet for a row that is out of order', () => {
    const other = Buffer.from(bytes)
    const sequence = other.indexOf('second') - 2
    other[sequence] = 9
    const shared = ownMemory(other)
    expect(locate(views(shared, 'first'))).toEqual({ rows: ['first'], areOthers: false })
  })
})
