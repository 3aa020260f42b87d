import { fc } from '../../support/random.js'
import {
  clockFields,
  formatClock,
  formatDuration,
  parseClock,
  parseDuration,
} from '../../../lib/edm/primitive-types/time.js'

const second = 10_000_000

describe('Times of day', () => {
  it.each([
    ['00:00:00', 0],
    ['09:13:28', (9 * 3600 + 13 * 60 + 28) * second],
    ['9:13:28', (9 * 3600 + 13 * 60 + 28) * second],
    ['09:13', (9 * 3600 + 13 * 60) * second],
    ['23:59:59.9999999', 86_400 * second - 1],
    ['00:00:00.5', second / 2],
  ])('MUST parse the time %s', (text, ticks) => {
    expect(parseClock(text)).toBe(ticks)
  })

  it.each([
    '24:00:00',
    '12:60',
    '12:00:60',
    '12',
    '',
    '12:0:0',
    '-01:00:00',
    '12:00:00.',
    '12:00:00Z',
    'noon',
  ])('MUST reject the time %j', (text) => {
    expect(parseClock(text)).toBeUndefined()
  })

  it.each([
    ['PT09H13M28S', '09:13:28'],
    ['PT9H13M28S', '09:13:28'],
    ['PT0S', '00:00:00'],
    ['PT13H20M', '13:20:00'],
    ['PT90M', '01:30:00'],
    ['PT86399S', '23:59:59'],
    ['P0DT1H', '01:00:00'],
    ['P0D', '00:00:00'],
    ['PT1.25S', '00:00:01.25'],
    ['PT23H59M59.9999999S', '23:59:59.9999999'],
  ])('MUST parse the duration %s as %s', (text, clock) => {
    const ticks = parseDuration(text)
    expect(ticks === undefined ? undefined : formatClock(ticks)).toBe(clock)
  })

  it.each(['P', 'PT', 'P0DT', 'PT24H', 'P1D', 'PT86400S', '-PT1H', 'P1Y', 'PT1', 'PT1S2M', '1H', '', 'pt1h'])(
    'MUST reject the duration %j: a time of day is less than a day',
    (text) => {
      expect(parseDuration(text)).toBeUndefined()
    },
  )

  it('MUST format two digits for hours, minutes and seconds, as UI5 demands', () => {
    expect(formatDuration(0)).toBe('PT00H00M00S')
    expect(formatDuration(parseClock('09:03:08') ?? -1)).toBe('PT09H03M08S')
    expect(formatDuration(parseClock('09:03:08.120') ?? -1)).toBe('PT09H03M08.12S')
  })

  it('MUST be preserved in both notations, to 100 nanoseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400 * second - 1 }), (ticks) => {
        expect(parseClock(formatClock(ticks))).toBe(ticks)
        expect(parseDuration(formatDuration(ticks))).toBe(ticks)
      }),
    )
  })

  it('MUST return hour, minute and second, without the fraction', () => {
    expect(clockFields(parseClock('23:59:58.9') ?? -1)).toEqual({ hour: 23, minute: 59, second: 58 })
  })
})
