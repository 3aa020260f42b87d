import { valueOf } from '../../support/expressions.js'

describe('Canonical functions of numbers (MS-ODATA 2.2.3.6.1.1.5)', () => {
  it.each([
    ['2.5M', '3', '2', '3'],
    ['-2.5M', '-3', '-3', '-2'],
    ['3.5M', '4', '3', '4'],
    ['0.49999999999999999999M', '0', '0', '1'],
    ['0.50M', '1', '0', '1'],
    ['-0.4M', '0', '-1', '0'],
    ['12345678901234567890.5M', '12345678901234567891', '12345678901234567890', '12345678901234567891'],
    ['7.00M', '7', '7', '7'],
    ['-7M', '-7', '-7', '-7'],
  ])(
    'MUST round the decimal %s half away from zero to %s, down to %s, up to %s',
    (text, round, floor, ceiling) => {
      expect(valueOf(`round(${text})`)).toBe(round)
      expect(valueOf(`floor(${text})`)).toBe(floor)
      expect(valueOf(`ceiling(${text})`)).toBe(ceiling)
    },
  )

  it.each([
    ['2.5D', 2, 2, 3],
    ['3.5D', 4, 3, 4],
    ['-2.5D', -2, -3, -2],
    ['-3.5D', -4, -4, -3],
    ['0.5D', 0, 0, 1],
    ['2.7D', 3, 2, 3],
    ['2.5000001D', 3, 2, 3],
    ['3.2D', 3, 3, 4],
    ['-1.3D', -1, -2, -1],
    ['-2.7D', -3, -3, -2],
    ['1.5', 2, 1, 2],
    ['2.4999999D', 2, 2, 3],
    ['1e300', 1e300, 1e300, 1e300],
    ['INF', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    ['NaN', Number.NaN, Number.NaN, Number.NaN],
    ['2.5F', 2, 2, 3],
  ])('MUST round the double %s half to even to %d, down to %d, up to %d', (text, round, floor, ceiling) => {
    expect(valueOf(`round(${text})`)).toEqual(round)
    expect(valueOf(`floor(${text})`)).toEqual(floor)
    expect(valueOf(`ceiling(${text})`)).toEqual(ceiling)
  })

  it('MUST take whole numbers for decimals, exactly', () => {
    expect(valueOf('round(ID)', { ID: 5 })).toBe('5')
    expect(valueOf('floor(Stock)', { Stock: 9007199254740993n })).toBe('9007199254740993')
    expect(valueOf('ceiling(9007199254740993)')).toBe('9007199254740993')
    expect(valueOf('round(Small) div 2', { Small: 5 })).toBe('2.5')
  })

  it.each(['round', 'floor', 'ceiling'])('MUST make null of %s(null)', (name) => {
    for (const argument of ['Price', 'Weight', 'ID', 'null']) {
      expect(valueOf(`${name}(${argument})`)).toBeNull()
    }
  })
})

const row = {
  Released: '2012-05-29T09:13:28.9999999',
  Changed: '2012-12-31T23:30:59.5-01:00',
  Opens: '09:13:28.9999999',
}

describe('Canonical functions of dates and times (MS-ODATA 2.2.3.6.1.1.5)', () => {
  it.each([
    ['year(Released)', 2012],
    ['month(Released)', 5],
    ['day(Released)', 29],
    ['hour(Released)', 9],
    ['minute(Released)', 13],
    ['second(Released)', 28],
    ['hour(Opens)', 9],
    ['minute(Opens)', 13],
    ['second(Opens)', 28],
    ["year(datetime'0099-03-01T00:00:00')", 99],
    ["day(datetime'1969-12-31T23:59:59.9999999')", 31],
    ["second(datetime'1969-12-31T23:59:59.9999999')", 59],
    ["day(datetime'2012-02-29T00:00:00')", 29],
    ["hour(datetime'2012-05-29T24:00:00')", 0],
    ["day(datetime'2012-05-29T24:00:00')", 30],
    ["hour(time'PT0S')", 0],
    ["second(time'PT23H59M59.9999999S')", 59],
  ])('MUST make of %s %i, without the fraction', (text, value) => {
    expect(valueOf(text, row)).toBe(value)
  })

  it.each([
    ['year(Changed)', 2012],
    ['month(Changed)', 12],
    ['day(Changed)', 31],
    ['hour(Changed)', 23],
    ['minute(Changed)', 30],
    ['second(Changed)', 59],
    ["year(datetimeoffset'2013-01-01T00:30:00+01:00')", 2013],
    ["hour(datetimeoffset'2012-05-29T00:00:00Z')", 0],
    ["minute(datetimeoffset'2012-05-29T00:00:00+05:45')", 0],
  ])('MUST read %s on the clock of its own zone: %i', (text, value) => {
    expect(valueOf(text, row)).toBe(value)
  })

  it('MUST read a Date in UTC', () => {
    const dates = {
      Released: new Date('2012-12-31T23:59:59.999Z'),
      Changed: new Date('2012-12-31T23:59:59.999Z'),
    }
    for (const name of ['Released', 'Changed']) {
      expect([valueOf(`year(${name})`, dates), valueOf(`hour(${name})`, dates)]).toEqual([2012, 23])
    }
  })

  it.each(['year', 'month', 'day', 'hour', 'minute', 'second'])('MUST make null of %s(null)', (name) => {
    expect(valueOf(`${name}(Released)`)).toBeNull()
    expect(valueOf(`${name}(Changed)`)).toBeNull()
    expect(valueOf(`${name}(null)`)).toBeNull()
  })

  it.each(['hour', 'minute', 'second'])('MUST make null of %s of a time that is null', (name) => {
    expect(valueOf(`${name}(Opens)`)).toBeNull()
  })
})
