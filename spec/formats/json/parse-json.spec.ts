import { fc, runs } from '../../support/random.js'
import type { JsonValue } from '../../../lib/formats/json/parse-json.js'
import { JsonNumber, parseJson } from '../../../lib/formats/json/parse-json.js'
import { errorOf } from '../../support/error-of.js'
import { inLinearTime } from '../../support/linear-time.js'

/** As `JSON.parse` would have it. */
function plain(json: JsonValue): unknown {
  if (json instanceof JsonNumber) return Number(json.text)
  if (json instanceof Map) {
    return [...json].map(([name, member]) => [name, plain(member as JsonValue)])
  }
  return Array.isArray(json) ? json.map((item) => plain(item as JsonValue)) : json
}

function plainOf(text: string): unknown {
  return JSON.parse(text, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : value,
  )
}

describe('parseJson', () => {
  it('MUST read every JSON text as JSON.parse does', () => {
    const text = fc.oneof(fc.json({ maxDepth: 6 }), fc.json({ noUnicodeString: false, maxDepth: 4 }))
    fc.assert(
      fc.property(text, fc.constantFrom('', ' ', '\n\t\r '), (json, space) => {
        fc.pre(!json.includes('"__proto__"') && !/"\d+":/.test(json))
        expect(plain(parseJson(space + json + space))).toEqual(plainOf(json))
      }),
      { numRuns: runs(300) },
    )
  })

  it('MUST accept and reject the same strings as JSON.parse', () => {
    const chunks = ['{', '}', '[', ']', ',', ':', '"a"', '"\\u00e9"', '"\\q"', '"', '1', '-', '.5', '1e5']
    const chunk = fc.constantFrom(...chunks, '01', ' ', 'true', 'nul', '\\', '\n', '"\t"', 'é')
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 7 }), (parts) => {
        const text = parts.join('')
        let expected = true
        try {
          JSON.parse(text)
        } catch {
          expected = false
        }
        if (expected) parseJson(text)
        else expect(errorOf(() => parseJson(text)).code).toBe('BadRequest')
      }),
      { numRuns: runs(2000) },
    )
  })

  it('MUST keep every digit of a number', () => {
    const digits = ['9007199254740993', '2.50', '-0', '1E+2', '0.1000000000000000055511151231257827', '1e999']
    expect(parseJson(`[${digits.join(',')}]`)).toEqual(digits.map((text) => new JsonNumber(text)))
  })

  it('MUST accept __proto__ as a name', () => {
    const json = parseJson('{"__proto__":{"a":1},"constructor":2,"x":"4"}') as ReadonlyMap<string, JsonValue>
    expect([...json.keys()]).toEqual(['__proto__', 'constructor', 'x'])
    expect(json.get('x')).toBe('4')
    expect(({} as { a?: number }).a).toBeUndefined()
  })

  it.each(['{"x":3,"x":3}', '{"a":[{"x":1,"y":2,"\\u0078":3}]}', '{"__proto__":1,"__proto__":2}'])(
    'MUST reject two members of one name in %s',
    (text) => {
      const error = errorOf(() => parseJson(text))
      expect([error.code, error.message.split('.')[0]]).toEqual(['BadRequest', 'Duplicate member'])
    },
  )

  it('MUST skip a byte order mark', () => {
    expect(parseJson('\ufeff null')).toBeNull()
  })

  it.each([
    ['', 'The body is not JSON: unexpected end. At position 0:\n\n^', 0],
    ['{"a":1', 'The body is not JSON: unexpected end. At position 6:\n{"a":1\n      ^', 6],
    ['{"a" 1}', 'The body is not JSON: unexpected "1". At position 5:\n{"a" 1}\n     ^', 5],
    ['{a:1}', 'The body is not JSON: unexpected "a". At position 1:\n{a:1}\n ^', 1],
    ['[1,]', 'The body is not JSON: unexpected "]". At position 3:\n[1,]\n   ^', 3],
    ['[01]', 'The body is not JSON: unexpected "1". At position 2:\n[01]\n  ^', 2],
    ["{'a':1}", "The body is not JSON: unexpected \"'\". At position 1:\n{'a':1}\n ^", 1],
    ['{} {}', 'The body is not JSON: unexpected "{". At position 3:\n{} {}\n   ^', 3],
    ['NaN', 'The body is not JSON: unexpected "N". At position 0:\nNaN\n^', 0],
    ['"a\nb"', 'The body is not JSON: unexpected "\\n". At position 2:\n"a b"\n  ^', 2],
    [
      '["\\x41"]',
      'The body is not JSON: invalid escape sequence in this string. At position 1:\n["\\x41"]\n ^',
      1,
    ],
  ])('MUST name the position of an error: %p', (text, message, position) => {
    const error = errorOf(() => parseJson(text))
    expect([error.status, error.message, error.details.position]).toEqual([400, message, position])
  })

  it('MUST reject more than 100 nested levels, and a million levels as quickly', () => {
    expect(parseJson('['.repeat(100) + ']'.repeat(100))).toBeInstanceOf(Array)
    for (const open of ['[', '{"a":']) {
      const error = errorOf(() => inLinearTime(() => parseJson(open.repeat(1_000_000))))
      expect(error.message).toMatch(/^Arrays and objects are nested deeper than 100\./)
    }
  })

  it.each<[what: string, text: string, isValid?: boolean]>([
    ['a long string', `"${'x'.repeat(2_000_000)}"`],
    ['a string of escapes', `"${'\\n'.repeat(1_000_000)}"`],
    ['a number of many digits', '1'.repeat(2_000_000)],
    ['blanks', `${' '.repeat(2_000_000)}1`],
    ['many items', `[${'1,'.repeat(1_000_000)}1]`],
    ['an open string', `"${'\\"'.repeat(1_000_000)}`, false],
  ])('MUST take time in proportion to the length of %s', (_what, text, isValid = true) => {
    const read = (): unknown => inLinearTime(() => parseJson(text))
    if (isValid) expect(read()).toBeDefined()
    else expect(errorOf(read).status).toBe(400)
  })
})
