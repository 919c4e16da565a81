// The upper bound that Node.js allows: a server with only the unavoidable work of a refused request. It has no routes, limits,
// counters or webhooks; it parses JSON, hashes a token, compares it, writes a log line and answers.
import { hash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const good = hash('sha256', 'another token', 'buffer')

/** @type {(() => void)[]} */
let ends = []
let lines = ''

/** Sends the answers and log lines of a turn together, which costs least. */
function endTurn() {
  const due = ends
  ends = []
  process.stderr.write(lines)
  lines = ''
  for (const end of due) end()
}

/** @param {string} text */
function refusal(text) {
  const { id, token } = JSON.parse(text)
  if (timingSafeEqual(hash('sha256', `${token}`, 'buffer'), good)) throw new Error('it is right')
  const request_id = randomUUID()
  const now = new Date().toISOString()
  lines += `ts=${now} level=info msg=request request_id=${request_id} status=401 webhook=${id}\n`
  return JSON.stringify({ message: 'invalid token', code: 'invalid_token', request_id })
}

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const text = request.method === 'POST' ? refusal(`${Buffer.concat(chunks)}`) : 'ready'
    const length = Buffer.byteLength(text)
    response.writeHead(request.method === 'POST' ? 401 : 200, {
      'content-type': 'application/json',
      'content-length': length,
    })
    if (ends.push(() => response.end(text, 'latin1')) === 1) setImmediate(endTurn)
  })
})
server.listen(Number(process.argv[2]), '127.0.0.1')
