#!/usr/bin/env bash
# haproxy 2.6.12 (Debian package 2.6.12-1+deb12u4)
#
# When a server dies without a response, HAProxy answers 502 only if the request was the first one of the client's
# connection. For any later request, a POST included, it closes the connection without a byte, exactly as if an idle
# connection had timed out. Clients take that for a stale connection, and may send the request again: the change can be
# made twice. `retries 0` does not change it.
#
# Seen: `first request: 502`, `second request: closed without a response`.
set -euo pipefail
command -v haproxy >/dev/null || apt-get install -y -qq haproxy >/dev/null
folder=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
cat >server.cjs <<'JS'
// A server whose process seems to be killed by each POST.
const { createServer } = require('node:http')
const server = createServer((request, response) =>
  request.method === 'POST' ? request.socket.destroy() : response.end('here'))
server.listen(18081, '127.0.0.1')
JS
cat >client.cjs <<'JS'
const { connect } = require('node:net')
const post = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx'
/** Sends a POST after a number of GET requests, and returns what follows. */
const send = (before) => new Promise((resolve) => {
  const socket = connect(18080, '127.0.0.1')
  let sent = 0
  let received = ''
  const next = () => {
    received = ''
    socket.write(sent++ < before ? 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' : post)
  }
  socket.on('connect', next)
  socket.on('error', () => undefined)
  socket.on('data', (data) => {
    received += data
    if (received.endsWith('here')) next()
  })
  socket.on('close', () => resolve(received === '' ? 'closed without a response' : received.slice(9, 12)))
})
send(0).then(async (first) => {
  const second = await send(1)
  console.log(`first request: ${first}`)
  console.log(`second request: ${second}`)
  process.exit(first === '502' && second === 'closed without a response' ? 0 : 1)
})
JS
cat >haproxy.cfg <<'CFG'
defaults
  mode http
  retries 0
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen a
  bind 127.0.0.1:18080
  server one 127.0.0.1:18081
CFG
node server.cjs &
haproxy -db -f haproxy.cfg 2>/dev/null &
for _ in $(seq 100); do
  (exec 3<>/dev/tcp/127.0.0.1/18080) 2>/dev/null && (exec 3<>/dev/tcp/127.0.0.1/18081) 2>/dev/null && break
  sleep 0.1
done
haproxy -v | head -1
node client.cjs
