#!/usr/bin/env bash
# dayjs 1.11.23: dates without an offset in the years 1 to 99.
#
# The smallest DateTime of .NET, which many services return instead of null, is 0001-01-01T00:00:00 in Atom of OData V2.
# dayjs splits strings without an offset and passes the year to `new Date(year, ...)`, which adds 1900 to years below 100: the
# result is the valid day 1901-01-01, with `dayjs.utc` too. Comparisons with the smallest date fail without an error. A string
# with Z is passed to `new Date(text)`, and its year is 1. luxon 3.7.2 and date-fns 4.4.0 read the year 1 from both.
#
# Output seen:
#   dayjs      0001-01-01T00:00:00 is 1901-01-01, with Z 0001-01-01, dayjs.utc 1901-01-01
#   luxon      0001-01-01
#   date-fns   0001-01-01
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts dayjs@1.11.23 luxon@3.7.2 date-fns@4.4.0

cat >run.mjs <<'SCRIPT'
import { format, parseISO } from 'date-fns'
import dayjs from 'dayjs'
import utc from 'dayjs/plugin/utc.js'
import { DateTime } from 'luxon'

dayjs.extend(utc)
const text = '0001-01-01T00:00:00'
const ofDayjs = dayjs(text).format('YYYY-MM-DD')
const withZ = dayjs(`${text}Z`).toISOString().slice(0, 10)
const inUtc = dayjs.utc(text).toISOString().slice(0, 10)
const ofLuxon = DateTime.fromISO(text).toISODate()
const ofDateFns = format(parseISO(text), 'yyyy-MM-dd')
console.log(`dayjs      ${text} is ${ofDayjs}, with Z ${withZ}, dayjs.utc ${inUtc}`)
console.log(`luxon      ${ofLuxon}`)
console.log(`date-fns   ${ofDateFns}`)
const found = [ofDayjs, withZ, inUtc, ofLuxon, ofDateFns]
const expected = ['1901-01-01', '0001-01-01', '1901-01-01', '0001-01-01', '0001-01-01']
process.exit(String(found) === String(expected) ? 0 : 1)
SCRIPT
TZ=UTC node run.mjs
