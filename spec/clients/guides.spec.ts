import { FollowedGuide } from './support/followed-guide.js'

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
  const guide = new FollowedGuide()
  afterAll(() => guide.stop())

  it('MUST work in an empty folder, with the stated output', async () => {
    await guide.follow(page, headings)
  }, 600_000)
})
