import type { BatchResponse, PartResponse } from '../batch/serialize-batch.js'
import type { BatchRequests } from './batch-requests.js'

/** Returns an error that has the Content-ID of no request. */
export function changeSetError(response: PartResponse, batch: BatchRequests): BatchResponse {
  return failedChangeSet({ ...response, contentId: undefined, partContentId: undefined }, batch)
}

/** Returns the error of a change set, which replaces the multipart or is nested in it. */
export function failedChangeSet(response: PartResponse, { session }: BatchRequests): BatchResponse {
  return session.settings.nestChangeSetErrors
    ? { kind: 'ChangeSet', responses: [response] }
    : { kind: 'Response', response }
}
