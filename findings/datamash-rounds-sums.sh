#!/usr/bin/env bash
# GNU datamash 1.7 (Debian package datamash 1.7-2): numbers of CSV files.
#
# Numbers are calculated with about 19 digits, but written with 14: a sum of amounts with cents above 10^12 is rounded,
# without an error, and so is a single value that `max` returns. Keys above 2^53 become numbers with an exponent. Hexadecimal text is a
# number: an article 0x10 is added as 16. The rounded values of `-R 2` or `--format '%.2f'` have all digits before the point.
#
# Output seen:
#   sum of 1234567890123.45 and 0.10: 1234567890123.6, with -R 2: 1234567890123.55
#   max of 98765432109876.54: 98765432109877, max of 9007199254740993: 9.007199254741e+15
#   sum of 0x10 and 1: 17
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
apt-get update >/dev/null
apt-get download datamash=1.7-2 >/dev/null
dpkg -x datamash_*.deb .
PATH=$dir/usr/bin:$PATH
sum=$(printf '1234567890123.45\n0.10\n' | datamash sum 1)
rounded=$(printf '1234567890123.45\n0.10\n' | datamash -R 2 sum 1)
max=$(echo 98765432109876.54 | datamash max 1)
key=$(echo 9007199254740993 | datamash max 1)
hexadecimal=$(printf '0x10\n1\n' | datamash sum 1)
echo "sum of 1234567890123.45 and 0.10: $sum, with -R 2: $rounded"
echo "max of 98765432109876.54: $max, max of 9007199254740993: $key"
echo "sum of 0x10 and 1: $hexadecimal"
[ "$sum" = 1234567890123.6 ]
[ "$rounded" = 1234567890123.55 ]
[ "$max" = 98765432109877 ]
[ "$key" = 9.007199254741e+15 ]
[ "$hexadecimal" = 17 ]
