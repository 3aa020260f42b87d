#!/usr/bin/env bash
# odata2ts, @odata2ts/converter-v2-to-v4 0.5.3 with @odata2ts/odata-query-objects 0.21.0: converted dates in URLs.
#
# The converter makes a date and time of OData V4 from `/Date(0)/` of JSON. Filters, keys and parameters of functions use the
# same conversion in the other direction: `datetime'` contains the notation of JSON, which is not a literal of V2, so that
# services reject every filter by a converted property. Without the converter the text of the application is sent, and is
# right without zone. odata-query-objects 0.30.1 does the same. A key that was read from a URL becomes undefined. The converter of times of day is not affected.
#
# Output seen:
#   without converter: At ge datetime'2026-01-01T10:20:30'
#   with converter:    At ge datetime'/Date(1767262830000)/'
#   parameter:         datetime'/Date(1767262830000)/'
#   key from a URL:    undefined
#   time of day:       From ge time'PT10H20M30S'
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts @odata2ts/converter-v2-to-v4@0.5.3 @odata2ts/odata-query-objects@0.21.0 tslib@2.8.1

cat >run.mjs <<'SCRIPT'
import converters from '@odata2ts/converter-v2-to-v4'
import { QDateTimeV2Param, QDateTimeV2Path, QTimeV2Path } from '@odata2ts/odata-query-objects'

const { dateTimeToDateTimeOffsetConverter: dates, timeToTimeOfDayConverter: times } = converters
const parameter = new QDateTimeV2Param('at', 'at', dates)
const seen = {
  'without converter': new QDateTimeV2Path('At').ge('2026-01-01T10:20:30').toString(),
  'with converter': new QDateTimeV2Path('At', dates).ge('2026-01-01T10:20:30Z').toString(),
  parameter: parameter.formatUrlValue('2026-01-01T10:20:30Z'),
  'key from a URL': String(parameter.parseUrlValue("datetime'2026-01-01T10:20:30'")),
  'time of day': new QTimeV2Path('From', times).ge('10:20:30').toString(),
}
for (const [name, value] of Object.entries(seen)) console.log(`${`${name}:`.padEnd(18)} ${value}`)
const isAsStated =
  seen['with converter'] === "At ge datetime'/Date(1767262830000)/'" &&
  seen.parameter === "datetime'/Date(1767262830000)/'" &&
  seen['key from a URL'] === 'undefined' &&
  seen['without converter'] === "At ge datetime'2026-01-01T10:20:30'"
process.exit(isAsStated ? 0 : 1)
SCRIPT
TZ=UTC node run.mjs
