import type { MultipartContent } from '../../lib/batch/split-multipart.js'
import { MultipartSplitter } from '../../lib/batch/split-multipart.js'

/** The parts and where they begin. */
function split(
  chunks: readonly string[],
  boundary = 'b',
  offset = 0,
): [contents: [string, number][], closed: boolean] {
  const splitter = new MultipartSplitter(boundary, offset)
  const contents: [string, number][] = []
  const take = ({ chunk, text, start, end, offset }: MultipartContent): void => {
    const content = chunk.toString('latin1', start, end)
    contents.push([content, offset])
    expect([content, undefined]).toContain(text?.slice(start, end))
  }
  for (const chunk of chunks) splitter.push(Buffer.from(chunk, 'latin1'), take)
  splitter.end(take)
  return [contents, splitter.isClosed]
}

describe('A multipart body', () => {
  it.each<[string, [string, number][]]>([
    ['--b--', []],
    [
      '--b\r\none\r\n--b\r\ntwo\r\n--b--',
      [
        ['one', 5],
        ['two', 15],
      ],
    ],
    [
      '--b\none\n--b\ntwo\n--b--',
      [
        ['one', 4],
        ['two', 12],
      ],
    ],
    [
      '--b\r\n--b\r\n\r\n--b\r\n\n--b--',
      [
        ['', 5],
        ['', 10],
        ['', 17],
      ],
    ],
    ['--b\r\n\r\n\r\n--b--', [['\r\n', 5]]],
    ['--b\r\n\r\r\n--b--', [['\r', 5]]],
    ['x--b\r\ny\r\n--b\r\none\r\n--b--z\r\n--b--', [['one\r\n--b--z', 14]]],
    [
      '--b\r\n--bb\r\n-b\r\n--B\r\n--b\r\r\n--b \r\n--b--',
      [
        ['--bb\r\n-b\r\n--B\r\n--b\r', 5],
        ['', 32],
      ],
    ],
    ['--b--\r\n--b\r\none\r\n--b--', []],
  ])('MUST be cut at its delimiters: %j', (body, contents) => {
    expect(split([body])).toEqual([contents, true])
    expect(split([...body])).toEqual([contents, true])
    for (let cut = 1; cut < body.length; cut++) {
      expect(split([body.slice(0, cut), body.slice(cut)])).toEqual([contents, true])
    }
  })

  it('MUST report offsets relative to its own start', () => {
    expect(split(['x\n--b\none\n--b--'], 'b', 1000)).toEqual([[['one', 1006]], true])
  })

  it('MUST be rejected when it is not closed', () => {
    for (const body of ['', '--', '--b', '--b-', '--b\r\none', '--b\r\none\r\n--b', '--b\r\none\r\n--b-']) {
      expect(split([body])[1]).toBe(false)
    }
  })

  it('MUST be split the same way when it is long and received in many chunks', () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `line ${index}\r\n`).join('')
    const body = `--b\r\n${long}\r\n--b\r\nshort\r\n--b\r\n${long}\r\n--b--`
    const chunks = (size: number): string[] => {
      const cut: string[] = []
      for (let start = 0; start < body.length; start += size) cut.push(body.slice(start, start + size))
      return cut
    }
    for (const size of [11, 100, 4095, 4096, 4097, 1_000_000]) {
      const [contents, closed] = split(chunks(size))
      expect(closed).toBe(true)
      expect(contents.map(([text]) => text === long || text)).toEqual([true, 'short', true])
    }
  })
})
