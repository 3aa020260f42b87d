#!/usr/bin/env bash
# VisiData 2.11 (Debian package visidata 2.11-1): JSON that is converted to CSV.
#
# Numbers of JSON with a point are columns of floats, which are displayed with two decimals. `vd -b -o FILE.csv`, which opens no
# window, writes the displayed text: 0.125678 becomes 0.13, and 0.001 becomes 0.00, without a message. A file in JSON has the values as
# they are. CSV that is read has text, which is unchanged. Set --disp-float-fmt='{}'.
#
# Output seen, for 0.125678, 0.001 and 1234567.891:
#   csv 0.13,0.00,1234567.89
#   csv, --disp-float-fmt={} 0.125678,0.001,1234567.891
#   json {"Price": 0.125678, "Rate": 0.001, "Sum": 1234567.891}
set -euo pipefail
if ! command -v vd >/dev/null; then
  apt-get update >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends visidata=2.11-1 >/dev/null
fi
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
echo '[{"Price": 0.125678, "Rate": 0.001, "Sum": 1234567.891}]' >prices.json
convert() { HOME="$directory" timeout 60 vd -b "$@" prices.json </dev/null >/dev/null 2>&1; }
convert -o rounded.csv
convert -o exact.csv --disp-float-fmt='{}'
convert -o copy.json
rounded=$(tr -d '\r' <rounded.csv | sed -n 2p)
exact=$(tr -d '\r' <exact.csv | sed -n 2p)
json=$(sed -n 2p copy.json)
echo "csv $rounded"
echo "csv, --disp-float-fmt={} $exact"
echo "json $json"
[ "$rounded" = 0.13,0.00,1234567.89 ]
[ "$exact" = 0.125678,0.001,1234567.891 ]
[ "$json" = '{"Price": 0.125678, "Rate": 0.001, "Sum": 1234567.891}' ]
