import type { ContractSubject } from './provider-contract.js'

const encoded = encodeURIComponent
const products = (...keys: readonly (number | string)[]): string[] => keys.map((key) => `Products(${key}L)`)

/** All products that have a price. */
const priced = products(1, 2, 4, 5, 6, 7, 8, '9007199254740992', '9007199254740993')

/** Values of every type: filtered, ordered and shown without losing a digit. */
export function describeExactness({ services, has, fit }: ContractSubject): void {
  const filtered = (condition: string): Promise<string[]> =>
    services().ids('all', `/Products?$filter=${encoded(condition)}`)
  const ordered = (terms: string): Promise<string[]> =>
    services().ids('all', `/Products?$orderby=${encoded(terms)}`)

  describe('values', () => {
    it.each([
      ['Stock eq 9007199254740993L', products(2)],
      ['Stock gt 9007199254740992L', products(2, 7)],
      ['Stock lt -9223372036854775807L', products(6)],
      ['Stock eq 9007199254740992L', products(3)],
      ['ID ge 9007199254740993L', products('9007199254740993')],
      ['Price eq 12.5M', products(1, 2, 8)],
      ['Price gt 12345678901234567.8901234567M', products(6)],
      ['Price eq 12345678901234567.8901234567M', products(5)],
      ['Price lt 99999999999999999999999999999999999999M', priced],
      ['Price gt -99999999999999999999999999999999999999M', priced],
      ['Price eq 12345678901234567.890123456700000000001M', []],
      ['Price lt 12345678901234567.890123456700000000001M and Price gt 13M', products(5)],
      ['Price lt 0', products(4)],
      ['Price add 0.5M eq 13M', products(1, 2, 8)],
      ["Released gt datetime'2012-05-29T09:13:28.1234567'", products(2, 6)],
      ["Released eq datetime'2012-05-29T09:13:28.1234568'", products(2)],
      ["Released eq datetime'2012-05-29T09:13:28.123'", products(4)],
      ["Released lt datetime'1970-01-01T00:00:00'", products(5)],
      ["Changed eq datetimeoffset'2012-05-29T11:13:28+02:00'", products(1)],
      ["Changed gt datetimeoffset'2012-05-29T09:13:28Z'", products(2)],
      ["Opens ge time'PT9H13M28S'", products(1, 2)],
      ["Opens gt time'PT23H59M59.9999998S'", products(2)],
      ["Code eq guid'12345678-AAAA-BBBB-CCCC-DDDDEEEEFFFF'", products(1)],
      ["Pic eq X'000fA0FF'", products(1)],
      ["Pic eq X''", products(3)],
      ['Active', products(1, 4, 6)],
      ['not Active', products(2, 5)],
      ['Active eq null', products(3, 7, 8, '9007199254740992', '9007199254740993')],
      ['Grade eq -128', products(1)],
      ['Shelf eq 255', products(1)],
      ['Weight eq 1e21', products(3)],
      ['Weight lt 0.1d', products(4)],
      ['Discount eq 0.1f', products(8)],
      ["Dims/Unit eq 'm'", products(7)],
      ["Name eq 'It''s'", products(8)],
      ["Name eq '\u{1F600}'", products(6)],
      ["Name gt '\uFFFD'", products(6)],
      ["substringof('\u{1F600}',Name)", products(6)],
      ["startswith(Name,'G')", products(1)],
      ["indexof(Name,'da') eq 1", products(2)],
    ])('MUST be compared exactly: %s', async (condition, expected) => {
      expect(await filtered(fit(condition))).toEqual(expected)
    })

    it('MUST treat null as equal only to null, and as neither less nor greater than any value', async () => {
      const nulls = products(3, 8, '9007199254740992', '9007199254740993')
      expect(await filtered('Rating eq null')).toEqual(nulls)
      expect(await filtered('not (Rating lt 100)')).toEqual(nulls)
      expect(await filtered('Rating ne 3')).toEqual(
        products(1, 3, 4, 5, 8, '9007199254740992', '9007199254740993'),
      )
      expect(await filtered('Rating gt null')).toEqual([])
      expect(await filtered('Rating add 1 eq null')).toEqual(nulls)
    })

    it('MUST be ordered exactly', async () => {
      const bothLarge = ['9007199254740992', '9007199254740993'] as const
      expect(await ordered('Stock')).toEqual(products(4, 8, ...bothLarge, 6, 5, 1, 3, 2, 7))
      expect(await ordered('Price')).toEqual(products(3, 4, 7, ...bothLarge, 1, 2, 8, 5, 6))
      expect(await ordered('Released')).toEqual(products(3, 7, 8, ...bothLarge, 5, 4, 1, 2, 6))
      expect(await ordered('Active')).toEqual(products(3, 7, 8, ...bothLarge, 2, 5, 1, 4, 6))
      expect(await services().ids('all', '/Journal')).toEqual(
        [
          '1969-12-31T23:59:59.5',
          ...['', '.1234567', '.1234568'].map((end) => `2012-05-29T09:13:28${end}`),
        ].map((at) => fit(`Journal(datetime'${at}')`)),
      )
    })

    it.each([
      ['/Products(2L)/Stock/$value', '9007199254740993'],
      ['/Products(6L)/Stock/$value', '-9223372036854775808'],
      ['/Products(5L)/Price/$value', '12345678901234567.8901234567'],
      ['/Products(1L)/Released/$value', '2012-05-29T09:13:28.1234567'],
      ['/Products(4L)/Released/$value', '2012-05-29T09:13:28.123'],
      ['/Products(6L)/Released/$value', '9999-12-31T23:59:59.9999999'],
      ['/Products(1L)/Changed/$value', '2012-05-29T09:13:28Z'],
      ['/Products(1L)/Opens/$value', 'PT09H13M28S'],
      ['/Products(2L)/Opens/$value', 'PT23H59M59.9999999S'],
      ['/Products(1L)/Code/$value', '12345678-aaaa-bbbb-cccc-ddddeeeeffff'],
      ['/Products(1L)/Active/$value', 'true'],
      ['/Products(1L)/Grade/$value', '-128'],
      ['/Products(1L)/Shelf/$value', '255'],
      ['/Products(1L)/Weight/$value', '0.25'],
      ['/Products(3L)/Weight/$value', '1E+21'],
      ['/Products(8L)/Discount/$value', '0.1'],
      ['/Products(6L)/Name/$value', '\u{1F600}'],
      ["/Suppliers('')/Name/$value", ''],
    ])('MUST be shown exactly: %s', async (path, expected) => {
      const { status, text } = await services().get('all', path)
      expect({ status, text }).toEqual({ status: 200, text: fit(expected) })
    })

    it('MUST be serialized exactly: bytes', async () => {
      const { body } = await services().get('all', '/Products(1L)/Pic/$value')
      expect([...body]).toEqual([0, 15, 160, 255])
    })

    it('MUST be serialized exactly: members of a complex property, with a null', async () => {
      expect((await services().json('all', '/Products(2L)/Dims')).Dims).toEqual({ W: '1.5', Unit: null })
      expect((await services().json('all', '/Products(3L)/Dims')).Dims).toEqual({ W: null, Unit: null })
    })

    it('MUST be null when they are missing, and then have no raw value', async () => {
      expect((await services().json('all', '/Products(3L)/Price')).Price).toBeNull()
      expect(await services().status('all', '/Products(3L)/Price/$value')).toBe(404)
    })
  })

  if (!has('inheritance')) return
  describe('derived types', () => {
    it('MUST be distinguished in feeds, by key and in conditions', async () => {
      const { results = [] } = await services().json('all', '/Parties')
      expect(results.map((one) => one.__metadata?.type)).toEqual([
        'Depot.Party',
        'Depot.Person',
        'Depot.Person',
        'Depot.Person',
      ])
      expect(results.map(({ Age }) => Age)).toEqual([undefined, 36, null, 7])
      expect((await services().json('all', '/Parties(2)')).Age).toBe(36)
      const ids = (condition: string): Promise<string[]> =>
        services().ids('all', `/Parties?$filter=${encoded(condition)}`)
      expect(await ids("isof('Depot.Person')")).toEqual(['Parties(2)', 'Parties(3)', 'Parties(4)'])
      expect(await ids("cast('Depot.Person')/Age gt 10")).toEqual(['Parties(2)'])
      expect(await ids("cast('Depot.Person')/Favourite/Name eq 'Edam'")).toEqual(['Parties(2)', 'Parties(3)'])
    })
  })
}
