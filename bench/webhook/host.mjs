// A program that embeds the webhook service and holds buffers of its own: node --expose-gc host.mjs SETTINGS.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expressAdapter } from '@gatehouse/adapter-express'
import { createWebhooks, startWebhooks } from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import express from 'express'

/**
 * @typedef {object} HostSettings
 * @property {number} port
 * @property {string} config the file with the webhooks
 * @property {number} bufferMiB the size of the buffers it holds
 */

const pieceMiB = 64

/** @type {HostSettings} */
const { port, config, bufferMiB } = JSON.parse(process.argv[2])
const buffers = Array.from({ length: bufferMiB / pieceMiB }, () =>
  Buffer.alloc(pieceMiB * 1024 * 1024, 1),
)

const webhooks = createWebhooks({
  storage: createMemoryStorage(),
  config: readFileSync(config, 'utf8'),
  environment: process.env,
})
const running = startWebhooks(webhooks, { graceMs: 1_000 })

/** The delay of the event loop since the last request for it. */
const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()

const app = express()
app.get('/delay', (_, response) => {
  response.json({ p99Ms: delays.percentile(99) / 1e6, heldPieces: buffers.length })
  delays.reset()
})
app.get('/memory', (_, response) => {
  // Uncollected garbage delays nothing, and its amount is a matter of chance.
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  response.json({ usedMiB: (heapUsed + external) / 2 ** 20 })
})
app.use(expressAdapter(webhooks.routes))
const server = createServer(app).listen(port, '127.0.0.1')

process.once('SIGTERM', async () => {
  server.close()
  server.closeAllConnections()
  await running.stop()
  process.exit()
})
