#!/usr/bin/env bash
# moment 2.31.0, dayjs 1.11.23, duration-fns 3.0.2 and tinyduration 3.4.1: values of Edm.Time, read and sent back.
#
# Edm.Time is an xs:duration with up to seven decimals of a second. All four libraries parse it, but three write values
# that are not an Edm.Time: moment the 60th second, duration-fns a comma (which ISO 8601 allows, and xs:duration does not),
# dayjs an exponent. tinyduration drops the seventh decimal. `format` of dayjs ignores the decimals of SSS and shows
# "undefined". luxon 3.7.2 cuts to milliseconds; temporal-polyfill 1.0.8 returns all values unchanged: use it.
#
# Output seen:
#   PT23H59M59.9999999S: moment PT23H59M60S, duration-fns PT23H59M59,999S, luxon PT23H59M59.999S, temporal PT23H59M59.9999999S
#   PT0.0000001S: dayjs PT1e-7S, tinyduration PT0.000000S, temporal PT0.0000001S
#   PT9H5M8.04S as HH:mm:ss.SSS: dayjs 09:05:8.04.undefined
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm init --yes >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts moment@2.31.0 dayjs@1.11.23 duration-fns@3.0.2 \
  tinyduration@3.4.1 luxon@3.7.2 temporal-polyfill@1.0.8

cat >run.cjs <<'SCRIPT'
const dayjs = require('dayjs')
const durationFns = require('duration-fns')
const { Duration } = require('luxon')
const moment = require('moment')
const { Temporal } = require('temporal-polyfill')
const tinyduration = require('tinyduration')

dayjs.extend(require('dayjs/plugin/duration'))
const copies = {
  moment: (text) => moment.duration(text).toISOString(),
  dayjs: (text) => dayjs.duration(text).toISOString(),
  'duration-fns': (text) => durationFns.toString(durationFns.parse(text)),
  tinyduration: (text) => tinyduration.serialize(tinyduration.parse(text)),
  luxon: (text) => Duration.fromISO(text).toISO(),
  temporal: (text) => Temporal.Duration.from(text).toString(),
}
const expected = {
  'PT23H59M59.9999999S': {
    moment: 'PT23H59M60S',
    'duration-fns': 'PT23H59M59,999S',
    luxon: 'PT23H59M59.999S',
    temporal: 'PT23H59M59.9999999S',
  },
  'PT0.0000001S': { dayjs: 'PT1e-7S', tinyduration: 'PT0.000000S', temporal: 'PT0.0000001S' },
}
let isAsStated = true
for (const [text, stated] of Object.entries(expected)) {
  const names = Object.keys(stated)
  console.log(`${text}: ${names.map((name) => `${name} ${copies[name](text)}`).join(', ')}`)
  isAsStated &&= names.every((name) => copies[name](text) === stated[name])
}
const shown = dayjs.duration('PT9H5M8.04S').format('HH:mm:ss.SSS')
console.log(`PT9H5M8.04S as HH:mm:ss.SSS: dayjs ${shown}`)
process.exit(isAsStated && shown === '09:05:8.04.undefined' ? 0 : 1)
SCRIPT
node run.cjs
