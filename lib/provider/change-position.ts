import { createHmac, timingSafeEqual } from 'node:crypto'
import { ODataError } from '../errors/odata-error.js'

/** A log of the changes of an entity set. */
export interface SealedLog {
  /** Differs after the log was replaced. Contains no dot. */
  readonly epoch: string
  /** The key of the authentication code, unknown to clients. */
  readonly secret: string
  /** The path of the entity set. */
  readonly set: string
}

const CODE_LENGTH = 16

/** Returns a position for clients. Its authentication code keeps them from reading changes before their first load. */
export function sealedPosition(log: SealedLog, place: string): string {
  return `${log.epoch}.${place}~${codeOf(log, place)}`
}

/**
 * Returns the place in a position of {@link sealedPosition}.
 *
 * @throws ODataError Gone for a position of another epoch; BadRequest for one that was not returned for this set
 */
export function openedPosition(log: SealedLog, position: string): string {
  const { epoch } = log
  if (position.split('.', 1)[0] !== epoch) throw new ODataError('Gone')
  const [place = '', code = ''] = position.slice(epoch.length + 1).split('~')
  const given = Buffer.from(code)
  const expected = Buffer.from(codeOf(log, place))
  if (given.length === expected.length && timingSafeEqual(given, expected)) return place
  throw new ODataError('BadRequest', {
    message: 'The position in the token is malformed. Use the link as the service returned it.',
  })
}

function codeOf({ epoch, secret, set }: SealedLog, place: string): string {
  const hash = createHmac('sha256', secret).update(`${epoch}.${place}\n${set}`).digest('base64url')
  return hash.slice(0, CODE_LENGTH)
}
