import { isRecord } from '../../util/is-record.js'
import type { EntitySet } from '../../edm/edm-model.js'
import type { Answer, AuditRequest } from './answer.js'
import type { Row, Sample } from './sample.js'
import { setAddress } from './sample.js'

/** How many entities a sample has at most. */
const sampleSize = 200

/** More pages are not read for one sample. */
const maximumPages = 20

/** What `readSample` needs of a service. */
interface Reader {
  addressOf(address: string): string
  send(request: AuditRequest): Promise<Answer>
}

/** Reads the first entities of a set, page after page; nothing is demanded of them yet. */
export async function readSample(service: Reader, set: EntitySet): Promise<Sample | undefined> {
  const rows: Row[] = []
  let address: string | undefined = `${setAddress(set)}?$top=${sampleSize}`
  for (let page = 0; page < maximumPages && address !== undefined && rows.length < sampleSize; page++) {
    const url = service.addressOf(address)
    const headers = { Accept: 'application/json' }
    const answer = await service.send({ method: 'GET', url, headers })
    const feed = feedIn(answer)
    if (feed === undefined) return page === 0 ? undefined : { set, rows, complete: false }
    rows.push(...feed.rows)
    address = feed.next
  }
  return { set, rows, complete: address === undefined && rows.length < sampleSize }
}

interface Feed {
  readonly rows: readonly Row[]
  readonly next: string | undefined
}

/** Whatever can be taken for a feed, also that of version 1. */
function feedIn(answer: Answer): Feed | undefined {
  if (answer.status !== 200) return undefined
  let document: unknown
  try {
    document = JSON.parse(answer.text)
  } catch {
    return undefined
  }
  const content = isRecord(document) ? document['d'] : undefined
  const results: unknown = isRecord(content) ? content['results'] : content
  if (!Array.isArray(results)) return undefined
  const next = isRecord(content) ? content['__next'] : undefined
  return { rows: results.filter(isRecord), next: typeof next === 'string' ? next : undefined }
}
