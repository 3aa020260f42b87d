import { valueOf } from '../../support/expressions.js'

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
