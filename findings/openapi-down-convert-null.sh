#!/usr/bin/env bash
# @apiture/openapi-down-convert 0.14.2, which converts OpenAPI 3.1 to 3.0: references that can be null.
#
# A type array such as ["string", "null"] becomes a type with nullable: true. In OpenAPI 3.1, a reference that can be null,
# such as an expanded entity, is written as anyOf with the type "null", which remains unchanged, without a warning. OpenAPI 3.0
# has no such type: the result is not a valid document. Add nullable: true to the anyOf, and remove that member.
#
# Output seen:
#   Name {"type":"string","nullable":true}
#   Category {"anyOf":[{"$ref":"#/components/schemas/Category"},{"type":"null"}]}
#   OpenAPI 3.1.0 valid, OpenAPI 3.0.3 not valid
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @apiture/openapi-down-convert@0.14.2 \
  @seriousme/openapi-schema-validator@2.4.1

cat >run.mjs <<'SCRIPT'
import { Converter } from '@apiture/openapi-down-convert'
import { Validator } from '@seriousme/openapi-schema-validator'

const Category = { anyOf: [{ $ref: '#/components/schemas/Category' }, { type: 'null' }] }
const Product = { type: 'object', properties: { Name: { type: ['string', 'null'] }, Category } }
const schemas = { Category: { type: 'object' }, Product }
const document = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, paths: {}, components: { schemas } }
const converted = new Converter(structuredClone(document)).convert()

async function verdictOf(one) {
  const { valid } = await new Validator().validate(structuredClone(one))
  return `OpenAPI ${one.openapi} ${valid ? 'valid' : 'not valid'}`
}

const { properties } = converted.components.schemas.Product
for (const [name, schema] of Object.entries(properties)) console.log(name, JSON.stringify(schema))
const verdicts = `${await verdictOf(document)}, ${await verdictOf(converted)}`
console.log(verdicts)
const isAsStated =
  JSON.stringify(properties.Name) === '{"type":"string","nullable":true}' &&
  JSON.stringify(properties.Category) === JSON.stringify(Category) &&
  verdicts === 'OpenAPI 3.1.0 valid, OpenAPI 3.0.3 not valid'
process.exit(isAsStated ? 0 : 1)
SCRIPT
node run.mjs
