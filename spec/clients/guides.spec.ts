import { FollowedGuide } from './support/followed-guide.js'
import { guideSteps } from './support/guide-steps.js'

/** The guides to clients, and the sections to follow. */
const guides = [
  ['clients-cloud-sdk.md', ['Generate and call a client']],
  ['clients-odata2ts.md', ['Generate and call a client']],
  ['clients-breeze.md', ['Query and save entities']],
  ['clients-ui5.md', ['Read all pages of a list']],
  ['clients-cap.md', ['Call the service']],
  ['clients-nuget.md', ['Implement the functions', 'Send the requests of a NuGet client']],
] as const

describe.each(guides)('The guide docs/%s', (page, headings) => {
  it('MUST print the stated output in an empty folder', async () => {
    const guide = new FollowedGuide()
    try {
      await guide.follow(page, headings)
    } finally {
      await guide.stop()
    }
  }, 600_000)
})

describe('The reader of guides', () => {
  it('MUST return files, commands, programs and their output in order, those of linked sections first', () => {
    const [install, service, ...others] = guideSteps('clients-cap.md', ['Call the service'])
    expect(install).toEqual({ kind: 'run', commands: expect.stringContaining('npm init -y\n') })
    expect(service).toMatchObject({ kind: 'save', file: 'server.mjs' })
    expect(others.map(({ kind }) => kind)).toEqual(['run', 'start', 'save', 'run', 'expect'])
  })

  it('MUST reject sections with a block that it cannot follow', () => {
    expect(() => guideSteps('clients-odata2ts.md', ['Install'])).toThrow("has no section 'Install'")
    expect(() => guideSteps('clients-ui5.md', ['Configure the app'])).toThrow("a block of 'json'")
  })
})
