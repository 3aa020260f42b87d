import { fc, runs } from '../support/random.js'
import {
  compareInstants,
  formatFraction,
  formatMilliseconds,
  formatSeconds,
  Instant,
  instantOfDate,
  parseInstant,
  plainMilliseconds,
} from '../../lib/edm/instant.js'

/** Milliseconds of years 1 to 9999. */
const milliseconds = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })
const instants = fc
  .tuple(milliseconds, fc.integer({ min: 0, max: 9999 }))
  .map(([time, ticks]) => new Instant(time, ticks))

describe('parseInstant', () => {
  it.each([
    ['2012-05-29T09:13:28', '2012-05-29T09:13:28.000Z', 0],
    ['2012-05-29T09:13:28Z', '2012-05-29T09:13:28.000Z', 0],
    ['2012-05-29T09:13', '2012-05-29T09:13:00.000Z', 0],
    ['2012-5-9T9:13:28', '2012-05-09T09:13:28.000Z', 0],
    ['2012-05-29', '2012-05-29T00:00:00.000Z', 0],
    ['2012-05-29 09:13:28', '2012-05-29T09:13:28.000Z', 0],
    ['2012-05-29T24:00:00.000', '2012-05-30T00:00:00.000Z', 0],
    ['2012-05-29T09:13:28.1', '2012-05-29T09:13:28.100Z', 0],
    ['2012-05-29T09:13:28.1234567', '2012-05-29T09:13:28.123Z', 4567],
    ['2012-05-29T09:13:28.0000001', '2012-05-29T09:13:28.000Z', 1],
    ['1969-12-31T23:59:59.9999999', '1969-12-31T23:59:59.999Z', 9999],
    ['2012-05-29T09:13:28+02:00', '2012-05-29T07:13:28.000Z', 0],
    ['2012-05-29T09:13:28-05:30', '2012-05-29T14:43:28.000Z', 0],
    ['2012-05-29T09:13:28+0200', '2012-05-29T07:13:28.000Z', 0],
    ['2012-02-29T00:00:00', '2012-02-29T00:00:00.000Z', 0],
    ['2012-05-29T24:00:00', '2012-05-30T00:00:00.000Z', 0],
    ['0001-01-01T00:00:00', '0001-01-01T00:00:00.000Z', 0],
    ['0099-01-01T00:00:00', '0099-01-01T00:00:00.000Z', 0],
    ['9999-12-31T23:59:59.9999999', '9999-12-31T23:59:59.999Z', 9999],
  ])('MUST parse %s', (text, date, ticks) => {
    const { instant } = parseInstant(text) ?? {}
    expect([instant && new Date(instant.milliseconds).toISOString(), instant?.ticks]).toEqual([date, ticks])
  })

  it.each([
    ['a day that does not exist', '2012-02-30T00:00:00'],
    ['the 29th of February of another year', '2011-02-29T00:00:00'],
    ['a 31st of April', '2012-04-31'],
    ['day 0', '2012-05-00'],
    ['month 13', '2012-13-01'],
    ['month 0', '2012-00-01'],
    ['hour 25', '2012-05-29T25:00:00'],
    ['hour 24 with minutes', '2012-05-29T24:01:00'],
    ['hour 24 with seconds', '2012-05-29T24:00:01'],
    ['hour 24 with a fraction', '2012-05-29T24:00:00.5'],
    ['minute 60', '2012-05-29T09:60:00'],
    ['second 60', '2012-05-29T09:13:60'],
    ['year 0', '0000-12-31T00:00:00'],
    ['five digits of year', '12012-05-29T00:00:00'],
    ['two digits of year', '12-05-29'],
    ['a time before year 1 in UTC', '0001-01-01T00:00:00+01:00'],
    ['a time after year 9999 in UTC', '9999-12-31T23:59:59-01:00'],
    ['the end of the last day', '9999-12-31T24:00:00'],
    ['an offset of 15 hours', '2012-05-29T09:13:28+15:00'],
    ['an offset beyond 14 hours', '2012-05-29T09:13:28+14:01'],
    ['an offset of 60 minutes', '2012-05-29T09:13:28+01:60'],
    ['blanks around', ' 2012-05-29T09:13:28 '],
    ['a point without digits', '2012-05-29T09:13:28.'],
    ['letters', 'yesterday'],
    ['nothing', ''],
  ])('MUST reject %s', (_, text) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  it('MUST return the notation of the zone and of the fraction', () => {
    expect(parseInstant('2012-05-29T09:13:28.120')).toMatchObject({ zone: undefined, fractionDigits: 3 })
    expect(parseInstant('2012-05-29T09:13:28z')).toMatchObject({ zone: 'z', fractionDigits: 0 })
    expect(parseInstant('2012-05-29T09:13:28-05:30')).toMatchObject({
      zone: '-05:30',
      instant: { offset: -330 },
    })
  })

  it('MUST parse formatted instants, to 100 nanoseconds', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const text = formatSeconds(instant.milliseconds) + formatFraction(instant, undefined)
        expect(parseInstant(text)?.instant).toEqual(instant)
        const padded = formatSeconds(instant.milliseconds) + formatFraction(instant, 7)
        expect(padded).toMatch(/\.\d{7}$/)
        expect(parseInstant(padded)?.instant).toEqual(instant)
      }),
    )
  })
})

describe('compareInstants', () => {
  it('MUST order by the point in time, whatever the offset', () => {
    const [noon, same, later] = ['12:00:00+02:00', '10:00:00Z', '10:00:00.0000001Z'].map(
      (time) => parseInstant(`2012-05-29T${time}`)?.instant ?? new Instant(0),
    ) as [Instant, Instant, Instant]
    expect(compareInstants(noon, same)).toBe(0)
    expect(compareInstants(noon, later)).toBeLessThan(0)
    expect(compareInstants(later, same)).toBeGreaterThan(0)
  })

  it('MUST order like the count of 100 nanoseconds', () => {
    const ticks = ({ milliseconds: time, ticks: rest }: Instant): bigint =>
      BigInt(time) * 10_000n + BigInt(rest)
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        const difference = ticks(a) - ticks(b)
        expect(Math.sign(compareInstants(a, b))).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0)
      }),
    )
  })
})

describe('formatFraction', () => {
  const instant = new Instant(Date.parse('2012-05-29T09:13:28.120Z'), 5000)

  it.each([
    [undefined, '.1205'],
    [0, ''],
    [1, '.1'],
    [3, '.120'],
    [4, '.1205'],
    [7, '.1205000'],
    [9, '.120500000'],
  ])('MUST format the digits of precision %p, truncated or padded with zeros', (precision, expected) => {
    expect(formatFraction(instant, precision)).toBe(expected)
  })

  it('MUST omit the fraction of whole seconds without a precision', () => {
    expect(formatFraction(new Instant(0), undefined)).toBe('')
    expect(formatFraction(new Instant(0), 3)).toBe('.000')
  })

  it('MUST be right before 1970', () => {
    expect(formatFraction(new Instant(-1), undefined)).toBe('.999')
    expect(formatSeconds(-1)).toBe('1969-12-31T23:59:59')
  })
})

describe('plainMilliseconds', () => {
  it('MUST return the result of parseInstant, or undefined', () => {
    fc.assert(
      fc.property(milliseconds, fc.constantFrom(19, 23), (time, length) => {
        const text = new Date(time).toISOString().slice(0, length)
        const plain = plainMilliseconds(text)
        if (plain !== undefined) expect(plain).toBe(parseInstant(text)?.instant.milliseconds)
        else expect(text.slice(5, 10)).toBe('02-29')
        expect([plainMilliseconds(`${text}Z`, 'Z'), plainMilliseconds(`${text}z`, 'Z')]).toEqual([
          plain,
          undefined,
        ])
        expect([plainMilliseconds(`${text}Z`), plainMilliseconds(text, 'Z')]).toEqual([undefined, undefined])
      }),
      { numRuns: runs(5000) },
    )
  })

  it('MUST return undefined for invalid dates and for other formats', () => {
    const digit = fc.constantFrom(...'0123456789', '-', ' ', 'T', ':', '.', '/', 'x')
    const places = fc.array(fc.tuple(fc.nat(22), digit), { maxLength: 3 })
    fc.assert(
      fc.property(places, (changes) => {
        const characters = [...'2012-05-29T09:13:28.123']
        for (const [index, character] of changes) characters[index] = character
        const text = characters.join('')
        const plain = plainMilliseconds(text)
        if (plain !== undefined) expect(plain).toBe(parseInstant(text)?.instant.milliseconds)
      }),
      { numRuns: runs(5000) },
    )
    for (const text of [
      '',
      '2012-05-29',
      '2012-05-29T24:00:00',
      '2012-13-29T00:00:00',
      '2012-04-31T00:00:00',
    ]) {
      expect(plainMilliseconds(text)).toBeUndefined()
    }
  })
})

describe('formatSeconds and formatMilliseconds', () => {
  it('MUST format like JavaScript, for every moment with a year of four digits', () => {
    fc.assert(
      fc.property(milliseconds, (time) => {
        const expected = new Date(time).toISOString()
        expect(formatSeconds(time)).toBe(expected.slice(0, 19))
        expect(formatMilliseconds(time)).toBe(expected.slice(0, 23))
      }),
      { numRuns: runs(5000) },
    )
  })

  it('MUST be correct for every day around the ends of leap years, centuries and 400 years', () => {
    for (const year of [1, 4, 100, 400, 1600, 1700, 1900, 1969, 1970, 1972, 2000, 2001, 2100, 2400, 9999]) {
      const start = Date.parse(`${String(year).padStart(4, '0')}-01-01T00:00:00Z`)
      for (let day = 0; day < 365; day++) {
        const time = start + day * 86_400_000
        expect(formatSeconds(time)).toBe(new Date(time).toISOString().slice(0, 19))
      }
    }
  })
})

describe('instantOfDate', () => {
  it('MUST reject dates whose year does not have four digits', () => {
    expect(instantOfDate(new Date('2012-05-29T09:13:28.123Z'))).toEqual(new Instant(1338282808123))
    for (const date of [
      new Date(Number.NaN),
      new Date('+010000-01-01T00:00:00Z'),
      new Date('0000-12-31T23:59:59Z'),
    ]) {
      expect(instantOfDate(date)).toBeUndefined()
    }
  })
})
