import { ODataError } from '../../errors/odata-error.js'

/** @throws ODataError ResourceNotFound */
export function gone(): never {
  throw new ODataError('ResourceNotFound', { message: 'There is no entity with this key.' })
}

export function noFreeName(): ODataError {
  return new ODataError('Conflict', { message: 'All numbered variants of this name are taken.' })
}

export function noDirectory(): ODataError {
  return new ODataError('BadRequest', { message: 'The directory of the new file does not exist.' })
}

export function noContent(): ODataError {
  return new ODataError('MethodNotAllowed', {
    message: 'A directory has no content that could be changed.',
    details: { allow: ['GET', 'HEAD', 'OPTIONS'] },
  })
}

export function notEmpty(): ODataError {
  return new ODataError('Conflict', { message: 'The directory is not empty.' })
}

export function rootRemoval(): ODataError {
  return new ODataError('Forbidden', { message: 'The root directory cannot be deleted.' })
}
