// How the console fares with many alerts, in a real Chromium: what it reads and computes to load, while alerts change and while one
// types, and the frames while it scrolls.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { alertBatches, config } from './alerts/data.mjs'
import { createClient } from './lib/client.mjs'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { startServer } from './lib/server.mjs'
import { median, table } from './lib/table.mjs'

const usage = `npm run bench -- console [options]

  --alerts N      how many alerts fire (default 10000)
  --servers N     on how many servers, each with all of them, of which one shows them all (default 1)
  --seconds N     how long each list scrolls (default 5)
  --rounds N      how many rounds, each with a fresh browser (default 3)
  --json          the figures as JSON`

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      alerts: { type: 'string', default: '10000' },
      servers: { type: 'string', default: '1' },
      seconds: { type: 'string', default: '5' },
    },
  })
  if (values === undefined) return
  const alerts = wholeNumber('alerts', values.alerts)
  const scrollMs = wholeNumber('seconds', values.seconds) * 1_000
  const count = wholeNumber('servers', values.servers)
  /** @type {Server[]} */
  const servers = []
  const rounds = []
  try {
    const times = { startsAt: Date.now(), endsAt: Date.now() + 3_600_000 }
    while (servers.length < count) {
      // The last one shows what all have.
      const others = servers.length === count - 1 ? servers : []
      const server = await startGatehouse(others.map(({ port }) => port))
      servers.push(server)
      for (const batch of alertBatches(alerts, times)) {
        await server.client.post('/api/v2/alerts', batch)
      }
    }
    const shown = servers.at(-1)
    if (shown === undefined) throw new Error('--servers must be at least 1')
    for (let round = 0; round < wholeNumber('rounds', values.rounds); round++) {
      rounds.push(await measure(shown, { round, scrollMs }))
    }
  } finally {
    for (const server of servers) await server.stop()
  }
  if (values.json) return console.log(JSON.stringify({ alerts, rounds }, undefined, 2))
  const names = Object.keys(rounds[0] ?? {})
  const rows = names.map((name) => [name, median(rounds.map((one) => one[name])).toFixed(1)])
  const where = count === 1 ? '' : ` on each of ${count} servers`
  console.log(`\n${alerts} alerts${where}, medians\n\n${table([['measure', 'console'], ...rows])}`)
}

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {import('./lib/client.mjs').Client} client
 * @property {() => Promise<void>} stop
 */

const main = fileURLToPath(new URL('../packages/cli/dist/main.js', import.meta.url))

/**
 * Starts a server in memory that shows the alerts of others beside its own.
 *
 * @param {readonly number[]} others their ports
 * @returns {Promise<Server>}
 */
async function startGatehouse(others) {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  const file = join(folder, 'gatehouse.json')
  const other_servers = others.map((port) => ({
    name: `server-${port}`,
    url: `http://127.0.0.1:${port}`,
  }))
  writeFileSync(join(folder, 'alertmanager.yml'), config)
  const alerts = { config: 'alertmanager.yml', other_servers }
  writeFileSync(file, JSON.stringify({ storage: { memory: true }, alerts }))
  try {
    const server = await startServer(process.execPath, (port) => [
      ...[main, 'api', '--config', file, '--listen', `127.0.0.1:${port}`],
    ])
    const client = createClient(server.port, 4)
    return {
      port: server.port,
      client,
      async stop() {
        client.close()
        await server.stop()
        removeFolder()
      },
    }
  } catch (error) {
    removeFolder()
    throw error
  }
}

/** How many single alerts come, one each second. */
const changes = 10

/**
 * @param {Pick<Server, 'port' | 'client'>} server
 * @param {{ readonly round: number, readonly scrollMs: number }} options
 * @returns {Promise<Record<string, number>>}
 */
async function measure(server, { round, scrollMs }) {
  const url = `http://127.0.0.1:${server.port}/`
  const executablePath = execFileSync('sh', ['-c', 'command -v chromium']).toString().trim()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    const session = await page.context().newCDPSession(page)
    // The processor time of the main thread says what a frame costs when other programs keep the machine busy.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const busyMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
    }
    const wire = await countBytes(session)
    await page.goto(`${url}#/alerts`)
    await page.locator('[data-fingerprint]').first().waitFor()
    const firstAlertsBusyMs = await busyMs()
    const firstAlertsMs = await page.evaluate(() => performance.now())
    const firstPaintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    )
    // The page goes on reading: other lists, and the files of the other pages. What they bring may move the alerts.
    await page.waitForTimeout(8_000)
    const legible = await page.evaluate(
      () =>
        [...document.querySelectorAll('[data-fingerprint]')].filter((row) => {
          const { top, bottom } = row.getBoundingClientRect()
          return top >= 0 && bottom <= innerHeight
        }).length,
    )
    /** @type {Record<string, number>} */
    const figures = {
      'first paint, ms': firstPaintMs,
      'first alerts, ms': firstAlertsMs,
      'first alerts, ms of CPU': firstAlertsBusyMs,
      'alerts on 1280×800': legible,
      'load: lists on the wire, kB': wire.take() / 1_000,
    }
    const before = await busyMs()
    for (let change = 0; change < changes; change++) {
      // The list has this severity. A severity of their own would add a count above the list, which then shows fewer alerts.
      const labels = {
        alertname: 'Change',
        severity: 'info',
        round: `${round}`,
        change: `${change}`,
      }
      await server.client.post('/api/v2/alerts', JSON.stringify([{ labels }]))
      await page.waitForTimeout(1_000)
    }
    figures['10 changes in 10 s: on the wire, kB'] = wire.take() / 1_000
    figures['10 changes in 10 s: ms of CPU'] = (await busyMs()) - before
    Object.assign(figures, await typing(page))
    for (const view of ['table', 'cards']) {
      await page.getByText(view === 'table' ? 'Table' : 'Cards', { exact: true }).click()
      const first = view === 'table' ? '[aria-rowindex="2"]' : 'section[data-severity]'
      await page.locator(first).first().waitFor()
      const before = await busyMs()
      const { count, perSecond, maxMs } = await frames(page, scrollMs)
      figures[`${view}: frames a second`] = perSecond
      figures[`${view}: main thread, ms of CPU a frame`] = ((await busyMs()) - before) / count
      figures[`${view}: longest frame, ms`] = maxMs
      await page.evaluate(() => scrollTo(0, 0))
    }
    return figures
  } finally {
    await browser.close()
  }
}

/**
 * Counts the bytes of what the page reads from the services, streams too, as they come over the wire.
 *
 * @param {import('playwright-core').CDPSession} session
 */
async function countBytes(session) {
  let bytes = 0
  /** @type {Map<string, boolean>} */
  const isStream = new Map()
  await session.send('Network.enable')
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!/\/(?:api\/v2|gatehouse\/v1)\//.test(request.url)) return
    isStream.set(requestId, request.url.includes('/changes'))
  })
  // A stream does not end. It is not compressed, so its data has the length on the wire.
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (isStream.get(requestId) === true) bytes += dataLength
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (isStream.get(requestId) === false) bytes += encodedDataLength
  })
  return {
    /** The bytes since the last call. */
    take() {
      const taken = bytes
      bytes = 0
      return taken
    },
  }
}

/**
 * Types a filter, with a rest after each matcher, and takes for each key the time until the frame that shows it.
 *
 * @param {import('playwright-core').Page} page
 * @returns {Promise<Record<string, number>>}
 */
async function typing(page) {
  const filter = page.getByRole('textbox').first()
  await filter.click()
  await page.waitForTimeout(2_000)
  await page.evaluate(() => {
    /** @type {number[]} */
    const delays = []
    Object.assign(globalThis, { delays })
    addEventListener(
      'keydown',
      ({ timeStamp }) =>
        requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - timeStamp))),
      true,
    )
  })
  for (const part of ['severity="critical"', ', team=~"t.*"', ', instance!="host-1"']) {
    await filter.pressSequentially(part, { delay: 80 })
    await page.waitForTimeout(1_000)
  }
  const delays = await page.evaluate(
    () => /** @type {{ delays: number[] }} */ (/** @type {unknown} */ (globalThis)).delays,
  )
  delays.sort((a, b) => a - b)
  await filter.fill('')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(1_000)
  return {
    'typing: median, ms': median(delays),
    'typing: p95, ms': delays[Math.floor(delays.length * 0.95)] ?? Number.NaN,
  }
}

/**
 * Scrolls the window evenly, and counts frames. The lists must keep up: 30 pixels a frame are two screens a second.
 *
 * @param {import('playwright-core').Page} page @param {number} durationMs
 */
const frames = (page, durationMs) =>
  page.evaluate(
    (durationMs) =>
      new Promise(
        (
          /** @type {(found: { count: number, perSecond: number, maxMs: number }) => void} */ done,
        ) => {
          const start = performance.now()
          let count = 0
          let last = start
          let maxMs = 0
          /** @param {number} now */
          const next = (now) => {
            count++
            maxMs = Math.max(maxMs, now - last)
            last = now
            if (now - start >= durationMs) {
              done({ count, perSecond: (count * 1_000) / (now - start), maxMs })
            } else {
              scrollBy(0, 30)
              requestAnimationFrame(next)
            }
          }
          requestAnimationFrame(next)
        },
      ),
    durationMs,
  )
