import { nextQuery } from '../formats/next-link.js'
import type { ODataResponse } from '../http/odata-response.js'
import type { CollectionPage } from '../data/collection-page.js'
import type { RowBatch } from '../data/row-batch.js'
import type { PageWriter } from './page-body.js'
import { PageBody } from './page-body.js'
import type { RequestSession } from './request-session.js'
import { wholePage } from './version-rules.js'

/**
 * Answers with a page, written while it is read.
 *
 * @param path address of the collection relative to the service root
 */
export async function pageResponse(
  session: RequestSession,
  page: CollectionPage,
  contentType: string,
  path: string,
  writer: PageWriter,
): Promise<ODataResponse> {
  const headers = session.headers(contentType)
  try {
    return { status: 200, headers, body: await pageBody(session, page, path, writer) }
  } catch (error) {
    // Nobody else would tell the source that no more is wanted.
    await page.close()
    throw error
  }
}

async function pageBody(
  session: RequestSession,
  page: CollectionPage,
  path: string,
  writer: PageWriter,
): Promise<string | PageBody> {
  if (session.version === '1.0') return wholeText(await wholePage(page), writer)
  const nextLink = async (): Promise<string | undefined> => {
    const position = await page.nextPosition()
    if (position === undefined) return undefined
    const query = nextQuery(session.query, position, page.count, session.settings.nextTop)
    return `${session.request.serviceRoot}${path}?${query}`
  }
  return PageBody.open(page, writer, nextLink)
}

function wholeText(batches: readonly RowBatch[], writer: PageWriter): string {
  let text = writer.open(batches.length === 0)
  let isFirst = true
  for (const batch of batches) {
    for (let index = 0; index < batch.rows.length; index++) {
      text += writer.row(batch, index, isFirst)
      isFirst = false
    }
  }
  return text + writer.close(undefined)
}
