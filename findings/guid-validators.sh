#!/usr/bin/env bash
# uuid 14.0.3, zod 4.6.7 and validator 13.15.35 (class-validator 0.15.1): valid values of Edm.Guid.
#
# Edm.Guid is any 16 bytes. NEWSEQUENTIALID() of SQL Server, and identifiers of COM, have other bits where RFC 9562 has
# its version and variant. `validate` of uuid, `z.uuid()`, and `isUUID` with 'all', reject them: forms refuse keys that the
# service itself has generated. ajv-formats 3.0.1 (format uuid of OpenAPI) and valibot 1.5.0, whose function has the same
# name, accept them, so that a generated client and a check of the schema disagree. zod has z.guid(), validator has 'loose'.
#
# Output seen, for ec5a8a55-3d39-eb11-9c2f-000d3a6a1b2c and 00000000-0000-0000-c000-000000000046:
#   uuid false, zod false, validator false, class-validator false, ajv true, valibot true, z.guid true, loose true
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts uuid@14.0.3 zod@4.6.7 class-validator@0.15.1 validator@13.15.35 \
  ajv@8.20.0 ajv-formats@3.0.1 valibot@1.5.0

cat >run.mjs <<'SCRIPT'
import Ajv from 'ajv'
import addFormats from 'ajv-formats'
import { isUUID } from 'class-validator'
import { validate } from 'uuid'
import * as valibot from 'valibot'
import validator from 'validator'
import { z } from 'zod'

const ajv = new Ajv()
addFormats(ajv)
const schema = ajv.compile({ type: 'string', format: 'uuid' })
const checks = {
  uuid: validate,
  zod: (text) => z.uuid().safeParse(text).success,
  validator: (text) => validator.isUUID(text, 'all'),
  'class-validator': (text) => isUUID(text, 'all'),
  ajv: (text) => schema(text),
  valibot: (text) => valibot.safeParse(valibot.pipe(valibot.string(), valibot.uuid()), text).success,
  'z.guid': (text) => z.guid().safeParse(text).success,
  loose: (text) => validator.isUUID(text, 'loose'),
}
const resultOf = (text) => Object.entries(checks).map(([name, check]) => `${name} ${check(text)}`).join(', ')
const rejected = 'uuid false, zod false, validator false, class-validator false'
const expected = `${rejected}, ajv true, valibot true, z.guid true, loose true`
for (const text of ['ec5a8a55-3d39-eb11-9c2f-000d3a6a1b2c', '00000000-0000-0000-c000-000000000046']) {
  console.log(text, resultOf(text))
  if (resultOf(text) !== expected) process.exitCode = 1
}
// A value of version 4 is accepted by all.
if (resultOf('ec5a8a55-3d39-4b11-9c2f-000d3a6a1b2c').includes('false')) process.exitCode = 1
SCRIPT
node run.mjs
