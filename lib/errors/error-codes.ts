/**
 * The codes of error responses, each with its HTTP status and default message. Codes are stable: applications and
 * clients may compare them. OData V2 does not define codes.
 *
 * @spec MS-ODATA 2.2.8 (error responses)
 */
export const errorCodes = {
  BadRequest: { status: 400, message: 'The request is malformed.' },
  InvalidSystemQueryOption: { status: 400, message: 'A system query option is malformed.' },
  QueryOptionNotAllowed: { status: 400, message: 'This query option is not allowed on this resource.' },
  InvalidLink: { status: 400, message: 'The service has not created this link for you.' },
  DataServiceVersionMismatch: {
    status: 400,
    message: 'The requested protocol version is not supported.',
  },
  LimitExceeded: { status: 400, message: 'The request exceeds a limit of this service.' },
  Unauthorized: { status: 401, message: 'Authorization is required.' },
  Forbidden: { status: 403, message: 'The request is not permitted.' },
  ResourceNotFound: { status: 404, message: 'The resource does not exist.' },
  MethodNotAllowed: { status: 405, message: 'The method is not allowed on this resource.' },
  NotAcceptable: { status: 406, message: 'The resource is not available in an accepted media type.' },
  RequestTimeout: { status: 408, message: 'The request was not received in time.' },
  Conflict: { status: 409, message: 'The request conflicts with the state of the data.' },
  Gone: { status: 410, message: 'The resource does not exist any more.' },
  PreconditionFailed: { status: 412, message: 'The resource has changed since it was read.' },
  PayloadTooLarge: { status: 413, message: 'The body of the request is too large.' },
  UriTooLong: { status: 414, message: 'The URI of the request is too long.' },
  UnsupportedMediaType: { status: 415, message: 'The media type of the body is not supported.' },
  RangeNotSatisfiable: { status: 416, message: 'The range lies outside the media resource.' },
  UnprocessableContent: { status: 422, message: 'The values of the request are not accepted.' },
  Locked: { status: 423, message: 'The resource is locked.' },
  PreconditionRequired: {
    status: 428,
    message: 'The request must have an If-Match header with the ETag of the entity, or * for any version.',
  },
  TooManyRequests: { status: 429, message: 'There are too many requests. Try again later.' },
  InternalServerError: { status: 500, message: 'The service failed to process the request.' },
  NotImplemented: { status: 501, message: 'The service does not support this request.' },
  BadGateway: { status: 502, message: 'A system behind the service failed.' },
  ServiceUnavailable: { status: 503, message: 'The service is temporarily unavailable.' },
  GatewayTimeout: { status: 504, message: 'A system behind the service did not respond in time.' },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>

/**
 * The code of an {@link ODataError}.
 *
 * @example const code: ODataErrorCode = 'ResourceNotFound'
 */
export type ODataErrorCode = keyof typeof errorCodes
