import { valueOf } from '../../support/expressions.js'
import { fc, runs } from '../../support/random.js'
import { findText, splitText } from '../../../lib/query/canonical-functions/canonical-functions.js'
import { errorOf } from '../../support/error-of.js'

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

  it('MUST treat whole numbers as decimals, exactly', () => {
    expect(valueOf('round(ID)', { ID: 5 })).toBe('5')
    expect(valueOf('floor(Stock)', { Stock: 9007199254740993n })).toBe('9007199254740993')
    expect(valueOf('ceiling(9007199254740993)')).toBe('9007199254740993')
    expect(valueOf('round(Small) div 2', { Small: 5 })).toBe('2.5')
  })

  it.each(['round', 'floor', 'ceiling'])('MUST return null for %s(null)', (name) => {
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
  ])('MUST return for %s %i, without the fraction', (text, value) => {
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
  ])('MUST evaluate %s in the time zone of the value: %i', (text, value) => {
    expect(valueOf(text, row)).toBe(value)
  })

  it('MUST evaluate a Date in UTC', () => {
    const dates = {
      Released: new Date('2012-12-31T23:59:59.999Z'),
      Changed: new Date('2012-12-31T23:59:59.999Z'),
    }
    for (const name of ['Released', 'Changed']) {
      expect([valueOf(`year(${name})`, dates), valueOf(`hour(${name})`, dates)]).toEqual([2012, 23])
    }
  })

  it.each(['year', 'month', 'day', 'hour', 'minute', 'second'])('MUST return null for %s(null)', (name) => {
    expect(valueOf(`${name}(Released)`)).toBeNull()
    expect(valueOf(`${name}(Changed)`)).toBeNull()
    expect(valueOf(`${name}(null)`)).toBeNull()
  })

  it.each(['hour', 'minute', 'second'])('MUST return null for %s of a time that is null', (name) => {
    expect(valueOf(`${name}(Opens)`)).toBeNull()
  })
})

describe('Canonical functions of strings (MS-ODATA 2.2.3.6.1.1.5)', () => {
  it.each([
    ["substringof('oud',Name)", true],
    ["substringof(Name,'The Gouda')", true],
    ["substringof(Name,'oud')", false],
    ["substringof('',Name)", true],
    ["substringof('OUD',Name)", false],
    ["startswith(Name,'Gou')", true],
    ["startswith(Name,'gou')", false],
    ["startswith('Gou',Name)", false],
    ["startswith(Name,'')", true],
    ["endswith(Name,'uda')", true],
    ["endswith(Name,'Uda')", false],
    ["endswith(Name,'xGouda')", false],
    ["endswith(Name,'')", true],
    ['length(Name)', 5],
    ["length('')", 0],
    ["length('😀')", 2],
    ["length('it''s')", 4],
    ["indexof(Name,'u')", 2],
    ["indexof(Name,'')", 0],
    ["indexof(Name,'x')", -1],
    ["indexof('abcabc','c')", 2],
    ["indexof('😀a','a')", 2],
    ['substring(Name,1)', 'ouda'],
    ['substring(Name,0)', 'Gouda'],
    ['substring(Name,5)', ''],
    ['substring(Name,99)', ''],
    ['substring(Name,-3)', 'Gouda'],
    ['substring(Name,1,3)', 'oud'],
    ['substring(Name,1,99)', 'ouda'],
    ['substring(Name,1,0)', ''],
    ['substring(Name,1,-1)', ''],
    ['substring(Name,-2,3)', 'Gou'],
    ['substring(Name,99999999999)', ''],
    ["replace(Name,'ou','au')", 'Gauda'],
    ["replace('aaa','a','bb')", 'bbbbbb'],
    ["replace('aaa','aa','b')", 'ba'],
    ["replace(Name,'','x')", 'Gouda'],
    ["replace(Name,'x','y')", 'Gouda'],
    ["replace(Name,'ou','')", 'Gda'],
    ["replace('a.c','.','$&')", 'a$&c'],
    ["replace('abc','B','x')", 'abc'],
    ["concat(Name,'!')", 'Gouda!'],
    ["concat('','')", ''],
    ["concat(Name,' ','&',' ','Brie')", 'Gouda & Brie'],
    ['tolower(Name)', 'gouda'],
    ['toupper(Name)', 'GOUDA'],
    ["toupper('äéß')", 'ÄÉSS'],
    ["tolower('ÄÉİ')", 'äéi̇'],
    ["trim('  a b\t ')", 'a b'],
    ["trim('\u00a0\u2003\u0085a\u3000')", 'a'],
    ["trim('\ufeffa')", '\ufeffa'],
    ["trim('\u0008a\u000e')", '\u0008a\u000e'],
    ["trim('\u0009\u000d\u1680\u2000\u200a\u2028\u2029\u202f\u205fa')", 'a'],
    ["trim('a\u1fff\u200b\u2027')", 'a\u1fff\u200b\u2027'],
    ["trim('   ')", ''],
    ["trim('')", ''],
  ])('MUST evaluate %s to %j', (text, value) => {
    expect(valueOf(text, { Name: 'Gouda' })).toBe(value)
  })

  it.each([
    'substringof(null,Name)',
    "substringof('a',Note)",
    "startswith(Note,'a')",
    'startswith(Name,null)',
    'endswith(null,null)',
    'length(Note)',
    "indexof(Note,'a')",
    'indexof(Name,null)',
    'substring(Note,1)',
    'substring(Name,null)',
    'substring(Name,1,null)',
    'substring(Name,Rank)',
    "replace(Note,'a','b')",
    "replace(Name,null,'b')",
    "replace(Name,'a',null)",
    'concat(Name,Note)',
    'concat(null,Name)',
    "concat('a','b',Note,'c')",
    'tolower(Note)',
    'toupper(null)',
    'trim(Note)',
  ])('MUST return null for %s, which has a null argument', (text) => {
    expect(valueOf(text, { Name: 'Gouda' }, 'Categories')).toBeNull()
  })

  it('MUST NOT split surrogate pairs', () => {
    const row = { Name: 'a😀b' }
    expect(valueOf('substring(Name,2)', row)).toBe('b')
    expect(valueOf('substring(Name,0,2)', row)).toBe('a')
    expect(valueOf('substring(Name,1,2)', row)).toBe('😀')
    expect(valueOf('substring(Name,2,1)', row)).toBe('')
    // Unpaired surrogates count as characters.
    for (const Name of ['\udc00\udc00', '\udbff\ud800', '\udfff\ud800', 'a\udc00', '\ud800a']) {
      expect(valueOf('substring(Name,1)', { Name })).toBe(Name[1])
      expect(valueOf('substring(Name,0,1)', { Name })).toBe(Name[0])
    }
    for (const Name of ['\ud800\udc00', '\udbff\udfff']) {
      expect(valueOf('substring(Name,1)', { Name })).toBe('')
      expect(valueOf('substring(Name,0,1)', { Name })).toBe('')
    }
  })

  describe('Results of string functions', () => {
    const tenfold = (text: string, times: number): string =>
      `${'replace('.repeat(times)}${text}${",'a','aaaaaaaaaa')".repeat(times)}`

    it('MUST be limited: longer ones respond with 400 and name the limit', () => {
      expect(valueOf(`length(${tenfold("'aaa'", 4)})`)).toBe(30_000)
      const longest = `'${'b'.repeat(2768)}'`
      expect(valueOf(`length(concat(${tenfold("'aaa'", 4)},${longest}))`)).toBe(32_768)
      expect(errorOf(() => valueOf(`concat(${tenfold("'aaa'", 4)},concat(${longest},'b'))`)).code).toBe(
        'LimitExceeded',
      )
      for (const text of [tenfold("'aaa'", 5), `concat(${tenfold("'aaa'", 4)},${tenfold("'aaa'", 4)})`]) {
        expect(errorOf(() => valueOf(text))).toMatchObject({
          code: 'LimitExceeded',
          status: 400,
          message: 'An expression computes a string of more than 32768 characters.',
          details: { limit: 'textLength' },
        })
      }
    })

    it('MUST be unlimited when the data contain strings of that length', () => {
      const Name = 'ab'.repeat(100_000)
      expect(valueOf("length(replace(Name,'a','x'))", { Name })).toBe(200_000)
      expect(valueOf("length(replace(Name,'ab','x'))", { Name })).toBe(100_000)
      expect(valueOf("length(concat(Name,''))", { Name })).toBe(200_000)
      expect(valueOf('length(toupper(Name))', { Name })).toBe(200_000)
    })
  })

  describe('Searching', () => {
    // Few letters and many repetitions: the hardest input for string searching.
    const repetitive = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'ab', 'aab'), fc.integer({ min: 1, max: 60 })), {
        maxLength: 6,
      })
      .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(''))

    it('MUST find the same positions as indexOf and split like split', () => {
      fc.assert(
        fc.property(repetitive, repetitive, fc.nat(300), (text, needle, from) => {
          expect(findText(text, needle)).toBe(text.indexOf(needle))
          const within = text.slice(from, from + 100)
          expect(findText(text, within)).toBe(text.indexOf(within))
          expect(findText(text, needle, Math.min(from, text.length))).toBe(text.indexOf(needle, from))
          if (within !== '') expect(splitText(text, within)).toEqual(text.split(within))
        }),
        { numRuns: runs(300) },
      )
    })

    it.each([
      ['ab', 'acb'],
      ['aab', 'aaab'],
      ['aabaaac', 'aabaaab'],
      ['abacabad', 'abacabac'],
    ])('MUST resume at the right position when a match of %s fails after: %s', (start, before) => {
      const needle = start + 'x'.repeat(80)
      for (const text of [
        before + needle,
        before + needle.slice(1),
        before + needle.slice(2),
        needle.slice(0, 70) + needle,
        `${before}${'x'.repeat(80)}`,
        `${needle.slice(0, -1)}y${needle}`,
      ]) {
        expect(findText(text, needle)).toBe(text.indexOf(needle))
        expect(splitText(text, needle)).toEqual(text.split(needle))
      }
      const periodic = start.repeat(30)
      const text = `${start.repeat(29)}${before}${start.repeat(31)}`
      expect(findText(text, periodic)).toBe(text.indexOf(periodic))
      expect(findText(text, periodic, 1)).toBe(text.indexOf(periodic, 1))
      expect(splitText(text, periodic)).toEqual(text.split(periodic))
    })

    it('MUST need linear time for adversarial strings', () => {
      const needle = `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`
      expect(findText('a'.repeat(1_000_000), needle)).toBe(-1)
      expect(splitText('a'.repeat(1_000_000), needle)).toHaveLength(1)
    })
  })
})
