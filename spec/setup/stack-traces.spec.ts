/** Exists in the source only: the compiled file has other line numbers. */
interface Located {
  readonly line: number
}

describe('The stack of an error in a spec', () => {
  // Files after the first one of a worker have it anyway: run this file alone.
  it('MUST have the line of the source', () => {
    const located: Located = { line: 10 }
    const { stack } = new Error('located')
    expect(stack).toContain(`stack-traces.spec.ts:${located.line}:`)
  })
})
