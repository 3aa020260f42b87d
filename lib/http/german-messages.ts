import type { ODataErrorCode } from '../errors/error-codes.js'
import { errorCodes } from '../errors/error-codes.js'
import type { ODataError } from '../errors/odata-error.js'

const general: Readonly<Record<ODataErrorCode, string>> = {
  BadRequest: 'Die Anfrage ist fehlerhaft.',
  InvalidSystemQueryOption: 'Eine Systemabfrageoption ist fehlerhaft.',
  QueryOptionNotAllowed: 'Diese Abfrageoption ist für diese Ressource nicht erlaubt.',
  InvalidLink: 'Der Service hat diesen Link nicht für Sie erstellt.',
  DataServiceVersionMismatch: 'Die angeforderte Protokollversion wird nicht unterstützt.',
  LimitExceeded: 'Die Anfrage überschreitet eine Grenze dieses Service.',
  Unauthorized: 'Eine Anmeldung ist erforderlich.',
  Forbidden: 'Die Anfrage ist nicht erlaubt.',
  ResourceNotFound: 'Die Ressource existiert nicht.',
  MethodNotAllowed: 'Die Methode ist für diese Ressource nicht erlaubt.',
  NotAcceptable: 'Die Ressource ist in keinem akzeptierten Medientyp verfügbar.',
  RequestTimeout: 'Die Anfrage wurde nicht rechtzeitig empfangen.',
  Conflict: 'Die Anfrage steht im Konflikt mit dem Stand der Daten.',
  Gone: 'Die Ressource existiert nicht mehr.',
  PreconditionFailed: 'Die Ressource wurde geändert, seit sie gelesen wurde.',
  PayloadTooLarge: 'Der Inhalt der Anfrage ist zu groß.',
  UriTooLong: 'Die URI der Anfrage ist zu lang.',
  UnsupportedMediaType: 'Der Medientyp des Inhalts wird nicht unterstützt.',
  RangeNotSatisfiable: 'Der Bereich liegt außerhalb der Medienressource.',
  UnprocessableContent: 'Die Werte der Anfrage werden nicht akzeptiert.',
  Locked: 'Die Ressource ist gesperrt.',
  PreconditionRequired:
    'Die Anfrage braucht einen Header If-Match mit dem ETag der Entität, oder * für jede Version.',
  TooManyRequests: 'Es sind zu viele Anfragen. Versuchen Sie es später noch einmal.',
  InternalServerError: 'Der Service konnte die Anfrage nicht verarbeiten.',
  NotImplemented: 'Der Service unterstützt diese Anfrage nicht.',
  BadGateway: 'Ein System hinter dem Service ist fehlgeschlagen.',
  ServiceUnavailable: 'Der Service ist vorübergehend nicht verfügbar.',
  GatewayTimeout: 'Ein System hinter dem Service hat nicht rechtzeitig geantwortet.',
}

/** Messages with details, which users of applications see most, and their translations. */
const templates: readonly (readonly [message: RegExp, translation: string])[] = [
  [/^There is no entity with this key\.$/, 'Es gibt keine Entität mit diesem Schlüssel.'],
  [/^The link does not exist\.$/, 'Diese Verknüpfung gibt es nicht.'],
  [/^There is no resource '([^']*)'\.$/, "Es gibt keine Ressource '$1'."],
  [
    /^There is no resource '([^']*)'\. Did you mean '([^']*)'\?$/,
    "Es gibt keine Ressource '$1'. Meinten Sie '$2'?",
  ],
  [
    /^(\$\w+): '([^']*)' has no property '([^']*)'\. At position (\d+):\n/,
    "$1: '$2' hat keine Eigenschaft '$3'. An Position $4:\n",
  ],
  [
    /^(\$\w+): '([^']*)' has no property '([^']*)'\. Did you mean '([^']*)'\? At position (\d+):\n/,
    "$1: '$2' hat keine Eigenschaft '$3'. Meinten Sie '$4'? An Position $5:\n",
  ],
  [/^(\S+) already exists\.$/, '$1 gibt es bereits.'],
  [/^'([^']*)' (?:cannot|must not) be null\.$/, "'$1' darf nicht leer sein."],
  [/^Property '([^']*)': a value is required(?:, [^.]*)?\.$/, "'$1' darf nicht leer sein."],
  [
    /^'([^']*)' must not be longer than (\d+) characters; '.*' has (\d+)\.$/s,
    "'$1' darf höchstens $2 Zeichen haben, nicht $3.",
  ],
  [
    /^Entities of '([^']*)' cannot be changed in this way\.$/,
    "Entitäten von '$1' können so nicht geändert werden.",
  ],
  [
    /^'([^']*)' is part of the key, which cannot change\.$/,
    "'$1' ist Teil des Schlüssels und kann nicht geändert werden.",
  ],
  [/^The key of (\S+) cannot change\.$/, 'Der Schlüssel von $1 kann nicht geändert werden.'],
  [
    /^Other requests are changing the same data\. Try again\.$/,
    'Andere Anfragen ändern die gleichen Daten. Versuchen Sie es noch einmal.',
  ],
  [
    /^The service is too busy at the moment\. Try again\.$/,
    'Der Service ist zurzeit überlastet. Versuchen Sie es noch einmal.',
  ],
  [/^This value cannot be changed\.$/, 'Dieser Wert kann nicht geändert werden.'],
  [/^This link cannot be changed\.$/, 'Diese Verknüpfung kann nicht geändert werden.'],
]

function german(error: ODataError): string {
  const { code, message } = error
  if (message === errorCodes[code].message) return general[code]
  for (const [pattern, translation] of templates) {
    if (pattern.test(message)) return message.replace(pattern, translation)
  }
  return `${general[code]} (${message})`
}

/**
 * German messages of all error codes, for the option `languages`. A message without German translation follows the
 * general message of its code in parentheses, for example the position of a syntax error, or the message of a hook.
 *
 * @example
 * const options: ServiceOptions = { languages: { default: 'en', texts: { de: { messages: germanMessages } } } }
 * @spec MS-ODATA 2.2.8.1
 */
// A literal, which bundlers can omit.
export const germanMessages: Readonly<Record<ODataErrorCode, (error: ODataError) => string>> = {
  BadRequest: german,
  InvalidSystemQueryOption: german,
  QueryOptionNotAllowed: german,
  InvalidLink: german,
  DataServiceVersionMismatch: german,
  LimitExceeded: german,
  Unauthorized: german,
  Forbidden: german,
  ResourceNotFound: german,
  MethodNotAllowed: german,
  NotAcceptable: german,
  RequestTimeout: german,
  Conflict: german,
  Gone: german,
  PreconditionFailed: german,
  PayloadTooLarge: german,
  UriTooLong: german,
  UnsupportedMediaType: german,
  RangeNotSatisfiable: german,
  UnprocessableContent: german,
  Locked: german,
  PreconditionRequired: german,
  TooManyRequests: german,
  InternalServerError: german,
  NotImplemented: german,
  BadGateway: german,
  ServiceUnavailable: german,
  GatewayTimeout: german,
}
