import { addressOfService } from '../batch/inner-target.js'
import { ODataError } from '../errors/odata-error.js'
import { changeOptionNames, PROOF_OPTION } from '../formats/next-link.js'
import type { SignedLinksSettings } from '../http/signed-links-options.js'
import type { QueryOptions } from '../uri/parse-query-options.js'
import { parseQueryOptions } from '../uri/parse-query-options.js'
import { isSameHash, keyedHash } from '../util/keyed-hash.js'
import type { PromiseOrValue } from '../util/promise-or-value.js'
import { mapValue } from '../util/promise-or-value.js'
import { required } from '../util/required.js'
import { unquotedToken } from './change-token.js'
import type { RequestSession } from './request-session.js'

/** 128 bits. */
const PROOF_LENGTH = 22

/** Signs the links to pages and deltas in the response to one caller. */
class LinkSigner {
  constructor(
    private readonly keys: SignedLinksSettings['keys'],
    private readonly root: string,
    private readonly caller: string,
  ) {}

  /** Adds a proof to an absolute link of the service. */
  readonly sign = (link: string): string => {
    const [path = '', query = ''] = splitAt(link.slice(this.root.length))
    const proof = keyedHash(
      required(this.keys[0]),
      this.contentOf(path, parseQueryOptions(query)),
      PROOF_LENGTH,
    )
    // The token stays the last option, as some clients expect.
    const start = link.length - query.length
    return `${link.slice(0, start)}${PROOF_OPTION}=${proof}&${query}`
  }

  /** Returns true for a request that follows a link which was signed with one of the keys. */
  accepts(relativeUri: string, options: QueryOptions): boolean {
    const proofs = options.custom.filter(([name]) => name === PROOF_OPTION)
    const [[, proof] = ['', '']] = proofs
    const [path = ''] = splitAt(relativeUri.replace(/^\//, ''))
    const content = this.contentOf(path, options)
    let isAccepted = false
    for (const key of this.keys)
      isAccepted = isSameHash(proof, keyedHash(key, content, PROOF_LENGTH)) || isAccepted
    return isAccepted && proofs.length === 1
  }

  /** Returns the signed text. Clients may encode a link in another way, and choose format and language. */
  private contentOf(path: string, { custom, system }: QueryOptions): string {
    const options = [...system, ...custom].filter(
      ([name]) => name !== '$format' && name !== PROOF_OPTION && !name.startsWith('sap-'),
    )
    const values = options.map(([name, value]) =>
      JSON.stringify([name, name.startsWith('!delta') ? unquotedToken(value) : value]),
    )
    return JSON.stringify([addressOfService(this.root).path, decoded(path), values.sort(), this.caller])
  }
}

/**
 * Checks the proof of a request that follows a link, and prepares the signing of links.
 *
 * @throws ODataError InvalidLink for a link that the service has not created for the caller
 */
export function checkLink(session: RequestSession): PromiseOrValue<undefined> {
  const { settings } = session
  const { signedLinks } = settings
  if (signedLinks === undefined) return undefined
  const { caller } = signedLinks
  const identity = caller === undefined ? '' : mapValue(session.caller(), caller)
  return mapValue(identity, (name): undefined => {
    if (typeof name !== 'string')
      throw new TypeError(`signedLinks.caller must return a string, not ${typeof name}.`)
    const { binding, request } = session
    const signer = new LinkSigner(signedLinks.keys, request.serviceRoot, name)
    session.linkSigner = signer
    const { options } = binding.plan
    if (isLink(options) && !signer.accepts(request.relativeUri, options)) throw new ODataError('InvalidLink')
  })
}

function isLink({ custom, system }: QueryOptions): boolean {
  return (
    system.has('$skiptoken') ||
    custom.some(([name]) => (changeOptionNames as readonly string[]).includes(name))
  )
}

function splitAt(address: string): readonly string[] {
  const mark = address.indexOf('?')
  return mark < 0 ? [address] : [address.slice(0, mark), address.slice(mark + 1)]
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
