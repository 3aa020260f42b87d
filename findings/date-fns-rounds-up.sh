#!/usr/bin/env bash
# date-fns 4.4.0: fractions of seconds with more digits than milliseconds.
#
# Edm.DateTime has up to seven digits. `parseISO` rounds them to the nearest millisecond, although `new Date`, luxon 3.7.2 and
# dayjs 1.11.23 drop the digits that do not fit. The largest DateTime of .NET, 9999-12-31T23:59:59.9999999, which services use
# for "without end", becomes the first moment of the year 10000, which no literal of OData V2 represents: a client cannot send
# the value back. The last moment of a day becomes the next day.
#
# Output seen:
#   date-fns   +010000-01-01T00:00:00.000Z 2026-02-01T00:00:00.000Z
#   Date       9999-12-31T23:59:59.999Z 2026-01-31T23:59:59.999Z
#   luxon      9999-12-31T23:59:59.999Z 2026-01-31T23:59:59.999Z
#   dayjs      9999-12-31T23:59:59.999Z 2026-01-31T23:59:59.999Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts dayjs@1.11.23 luxon@3.7.2 date-fns@4.4.0

cat >run.mjs <<'SCRIPT'
import { parseISO } from 'date-fns'
import dayjs from 'dayjs'
import { DateTime } from 'luxon'

const readers = {
  'date-fns': parseISO,
  Date: (text) => new Date(text),
  luxon: (text) => DateTime.fromISO(text).toJSDate(),
  dayjs: (text) => dayjs(text).toDate(),
}
const texts = ['9999-12-31T23:59:59.9999999', '2026-01-31T23:59:59.9999999']
const cut = '9999-12-31T23:59:59.999Z 2026-01-31T23:59:59.999Z'
for (const [name, read] of Object.entries(readers)) {
  const found = texts.map((text) => read(text).toISOString()).join(' ')
  console.log(name.padEnd(10), found)
  const expected = name === 'date-fns' ? '+010000-01-01T00:00:00.000Z 2026-02-01T00:00:00.000Z' : cut
  if (found !== expected) process.exitCode = 1
}
SCRIPT
TZ=UTC node run.mjs
