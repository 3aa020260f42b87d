import type { JsonObject } from './json.js'
import { reference } from './json.js'
import { document, etagHeader, inD } from './entity-components.js'

function failure(description: string): JsonObject {
  return { description, content: document(reference('schemas', 'Error'), 'application/xml') }
}

const text: JsonObject = { 'text/plain': { schema: { type: 'string' } } }
const bytes: JsonObject = { 'application/octet-stream': {} }

/** Answers that are the same for all sets. */
export const sharedResponses: Record<string, JsonObject> = {
  Error: failure('The request cannot be answered; `code` and `message` say why.'),
  NotFound: failure('There is no such resource.'),
  PreconditionFailed: failure('The entity has changed since the client read it.'),
  PreconditionRequired: failure('If-Match must name the version that is changed.'),
  Changed: { description: 'Done.', headers: etagHeader },
  Done: { description: 'Done.' },
  NotModified: { description: 'It is as the client knows it.' },
  Count: {
    description: 'How many there are.',
    content: { 'text/plain': { schema: { type: 'string', pattern: '^[0-9]+$' } } },
  },
  Link: {
    description: 'The address of the entity.',
    content: document(inD(reference('schemas', 'Link')), 'application/xml'),
  },
  Links: {
    description: 'The addresses of the entities.',
    content: document(inD(reference('schemas', 'Links')), 'application/xml'),
  },
  Raw: {
    description: 'The value as text, or its bytes.',
    headers: etagHeader,
    content: { ...text, ...bytes },
  },
  Media: { description: 'The bytes of the media resource.', headers: etagHeader, content: { '*/*': {} } },
  MediaRange: {
    description: 'The part of the media resource that Range asks for.',
    headers: etagHeader,
    content: { '*/*': {} },
  },
}

export const sharedBodies: Record<string, JsonObject> = {
  Link: {
    required: true,
    content: {
      'application/json': { schema: reference('schemas', 'Link') },
      'application/xml': { schema: { type: 'string' } },
    },
  },
  Property: {
    required: true,
    description: 'The property by its name: `{"Name":"x"}`.',
    content: document({ type: 'object', minProperties: 1, maxProperties: 1 }, 'application/xml'),
  },
  Raw: { required: true, content: { 'text/plain': { schema: { type: 'string' } } } },
  RawBytes: { required: true, content: { ...bytes, '*/*': {} } },
  Media: { required: true, content: { ...bytes, '*/*': {} } },
}

export const sharedHeaders: Record<string, JsonObject> = {
  ETag: {
    description: 'The version of the entity, for If-Match and If-None-Match.',
    schema: { type: 'string' },
  },
  Location: { description: 'The address of the new entity.', schema: { type: 'string' } },
}

function header(name: string, description: string, required: boolean, more: JsonObject = {}): JsonObject {
  return { name, in: 'header', required, description, schema: { type: 'string', ...more } }
}

export const sharedParameters: Record<string, JsonObject> = {
  'If-Match': header('If-Match', 'The version that is changed, from the ETag; `*` for any.', true),
  'If-Match.optional': header('If-Match', 'The version that is changed, from the ETag.', false),
  'If-None-Match': header('If-None-Match', 'The version that the client has.', false),
  Prefer: header('Prefer', 'Whether the entity is sent back.', false, {
    enum: ['return=representation', 'return=minimal'],
  }),
  Range: header('Range', 'The part that is wanted: `bytes=0-999`.', false),
  Slug: header('Slug', 'A name for what is new, percent-encoded.', false),
}

export const csrfParameter: JsonObject = header(
  'x-csrf-token',
  'The token that `x-csrf-token: Fetch` gets with any GET.',
  true,
)
