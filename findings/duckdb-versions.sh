#!/usr/bin/env bash
# Every release of @duckdb/node-api is a prerelease for semver, such as 1.5.6-r.1, and there is no 1.5.6. A range with a
# caret that starts at another release therefore matches none of the newer ones: ^1.4.0-r.1 does not accept 1.5.6-r.1,
# and neither does ">=1.4.0". A peer dependency with such a range is never satisfied; a dependency never updates beyond
# its own patch version. Only the exact version, or ranges such as 1.5.6-r.1 || 1.5.7-r.1, work.
# Seen with @duckdb/node-api 1.5.6-r.1 and semver 7.7.2, the library of npm:
#   installed 1.5.6-r.1: prerelease
#   ^1.4.0-r.1 false, >=1.4.0 false, * false, ^1.5.6-r.1 true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund --omit=optional @duckdb/node-api@1.5.6-r.1 semver@7.7.2 > /dev/null
node -e "
const semver = require('semver')
const { version } = require('@duckdb/node-api/package.json')
const ranges = ['^1.4.0-r.1', '>=1.4.0', '*', '^1.5.6-r.1']
const accepts = ranges.map((range) => semver.satisfies(version, range))
console.log('installed ' + version + ': ' + (semver.prerelease(version) === null ? 'release' : 'prerelease'))
console.log(ranges.map((range, index) => range + ' ' + accepts[index]).join(', '))
process.exit(accepts.join() === 'false,false,false,true' ? 0 : 1)
"
