import { fc, runs } from '../../support/random.js'
import { findText, splitText } from '../../../lib/query/canonical-functions/string.js'
import { valueOf } from '../../support/expressions.js'
import { faultOf } from '../../support/faults.js'

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
  ])('MUST make of %s %j', (text, value) => {
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
  ])('MUST make null of %s, which has a null argument', (text) => {
    expect(valueOf(text, { Name: 'Gouda' }, 'Categories')).toBeNull()
  })

  it('MUST NOT cut a character of two units in half', () => {
    const row = { Name: 'a😀b' }
    expect(valueOf('substring(Name,2)', row)).toBe('b')
    expect(valueOf('substring(Name,0,2)', row)).toBe('a')
    expect(valueOf('substring(Name,1,2)', row)).toBe('😀')
    expect(valueOf('substring(Name,2,1)', row)).toBe('')
    // Halves that belong to no pair are characters of their own.
    for (const Name of ['\udc00\udc00', '\udbff\ud800', '\udfff\ud800', 'a\udc00', '\ud800a']) {
      expect(valueOf('substring(Name,1)', { Name })).toBe(Name[1])
      expect(valueOf('substring(Name,0,1)', { Name })).toBe(Name[0])
    }
    for (const Name of ['\ud800\udc00', '\udbff\udfff']) {
      expect(valueOf('substring(Name,1)', { Name })).toBe('')
      expect(valueOf('substring(Name,0,1)', { Name })).toBe('')
    }
  })

  describe('Texts that grow', () => {
    const tenfold = (text: string, times: number): string =>
      `${'replace('.repeat(times)}${text}${",'a','aaaaaaaaaa')".repeat(times)}`

    it('MUST be answered with 400 when they are made too long, with the name of the limit', () => {
      expect(valueOf(`length(${tenfold("'aaa'", 4)})`)).toBe(30_000)
      const longest = `'${'b'.repeat(2768)}'`
      expect(valueOf(`length(concat(${tenfold("'aaa'", 4)},${longest}))`)).toBe(32_768)
      expect(faultOf(() => valueOf(`concat(${tenfold("'aaa'", 4)},concat(${longest},'b'))`)).code).toBe(
        'LimitExceeded',
      )
      for (const text of [tenfold("'aaa'", 5), `concat(${tenfold("'aaa'", 4)},${tenfold("'aaa'", 4)})`]) {
        expect(faultOf(() => valueOf(text))).toMatchObject({
          code: 'LimitExceeded',
          status: 400,
          message: 'An expression makes a text of more than 32768 characters.',
          details: { limit: 'textLength' },
        })
      }
    })

    it('MUST pass when they are that long in the data', () => {
      const Name = 'ab'.repeat(100_000)
      expect(valueOf("length(replace(Name,'a','x'))", { Name })).toBe(200_000)
      expect(valueOf("length(replace(Name,'ab','x'))", { Name })).toBe(100_000)
      expect(valueOf("length(concat(Name,''))", { Name })).toBe(200_000)
      expect(valueOf('length(toupper(Name))', { Name })).toBe(200_000)
    })
  })

  describe('Searching', () => {
    // Few letters and many repetitions: the texts on which searches go wrong.
    const repetitive = fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'ab', 'aab'), fc.integer({ min: 1, max: 60 })), {
        maxLength: 6,
      })
      .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(''))

    it('MUST find what indexOf finds and cut where split cuts', () => {
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
    ])('MUST begin anew at the right place when %s goes on otherwise: %s', (start, before) => {
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

    it('MUST take no more than linear time for texts made to be slow', () => {
      const needle = `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`
      expect(findText('a'.repeat(1_000_000), needle)).toBe(-1)
      expect(splitText('a'.repeat(1_000_000), needle)).toHaveLength(1)
    })
  })
})
