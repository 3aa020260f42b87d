import { asksForHtml } from '../../../lib/tools/explorer/asks-for-html.js'

/** What browsers send when somebody opens an address. */
const browsers = {
  Chrome:
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  Firefox: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/png,image/svg+xml,*/*;q=0.8',
  Safari: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
}

describe('Who gets the page at the service root', () => {
  it.each(Object.entries(browsers))('MUST be %s', (_name, accept) => {
    expect(asksForHtml(accept)).toBe(true)
  })

  it.each(['text/html', 'text/html, */*', 'text/html;q=0.5, application/xml;q=0.4'])(
    'MUST be who names HTML first: %s',
    (accept) => {
      expect(asksForHtml(accept)).toBe(true)
    },
  )

  it.each([
    undefined,
    '',
    '*/*',
    'text/*',
    'application/json',
    'application/atom+xml',
    'application/atomsvc+xml;q=0.8, application/json;odata=fullmetadata;q=0.7, application/json;q=0.5, */*;q=0.1',
    'application/atom+xml, application/xml;q=0.9, text/html;q=0.8',
    'text/html, application/json',
    'text/html;q=0.5, application/json;q=0.6',
    'text/html;q=0.5, application/*;q=0.6',
    'text/html;q=0, */*',
    'text/html;q=wrong',
    // Java, when nobody says what to accept.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
    'application/xml;name="text/html"',
  ])('MUST not be who would take a document of the service as gladly: %s', (accept) => {
    expect(asksForHtml(accept)).toBe(false)
  })
})
