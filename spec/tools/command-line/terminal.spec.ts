import { progressOn, hasColors, textStyle } from '../../../lib/tools/command-line/terminal.js'

describe('Colors', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [undefined, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
  ])('MUST be used only in terminals that support them: isTTY %p in %j', (isTTY, environment, expected) => {
    expect(hasColors(isTTY === undefined ? {} : { isTTY }, environment)).toBe(expected)
  })

  it('MUST be reset after the text', () => {
    expect(textStyle(true).red('No')).toBe('\u001b[31mNo\u001b[39m')
    expect(textStyle(false).red('No')).toBe('No')
  })
})

describe('Progress', () => {
  const recorded = (
    isTTY: boolean,
  ): { readonly written: string[]; readonly stream: Parameters<typeof progressOn>[0] } => {
    const written: string[] = []
    return { written, stream: { isTTY, columns: 20, write: (text) => written.push(text) } }
  }

  it('MUST use one line of a terminal and clear it at the end', () => {
    const { written, stream } = recorded(true)
    const progress = progressOn(stream)('Reading')
    progress.update('Reading something that is long')
    progress.end()
    expect(written).toEqual(['\r\u001b[2KReading', '\r\u001b[2KReading something …', '\r\u001b[2K'])
  })

  it('MUST be a bar once the work takes more than two seconds', () => {
    const { written, stream } = recorded(true)
    const time = [0, 1999, 2000, 2050, 2100]
    const progress = progressOn({ ...stream, columns: 80 }, () => time.shift() ?? 0)('Opening')
    for (const done of [0.1, 0.255, 0.3, 0.5]) progress.advance(done)
    progress.end()
    const full = '█'
    expect(written).toEqual([
      '\r\u001b[2KOpening',
      `\r\u001b[2K${full.repeat(5)}${'░'.repeat(15)}  25 %  Opening`,
      `\r\u001b[2K${full.repeat(10)}${'░'.repeat(10)}  50 %  Opening`,
      '\r\u001b[2K',
    ])
  })

  it('MUST not be written to files and pipes', () => {
    const { written, stream } = recorded(false)
    const progress = progressOn(stream)('Reading')
    progress.update('More')
    progress.advance(0.5)
    progress.end()
    expect(written).toEqual([])
  })
})
