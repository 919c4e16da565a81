// How the console fares with many alerts, in a real Chromium: the first paint, the first alerts, and the frames while it scrolls.
import { execFileSync } from 'node:child_process'
import { chromium } from 'playwright-core'
import { alertBatches } from './alerts/data.mjs'
import { availableSystems, startSystem } from './alerts/systems.mjs'
import { readOptions, wholeNumber } from './lib/options.mjs'
import { median, table } from './lib/table.mjs'

const usage = `npm run bench -- console [options]

  --alerts N      how many alerts fire (default 10000)
  --seconds N     how long each list scrolls (default 5)
  --rounds N      how many rounds, each with a fresh browser (default 3)
  --json          the figures as JSON`

/** @param {string[]} args */
export async function run(args) {
  const values = readOptions(args, {
    usage,
    options: {
      alerts: { type: 'string', default: '10000' },
      seconds: { type: 'string', default: '5' },
    },
  })
  if (values === undefined) return
  const alerts = wholeNumber('alerts', values.alerts)
  const scrollMs = wholeNumber('seconds', values.seconds) * 1_000
  const system = availableSystems(false).find(({ id }) => id === 'memory')
  if (system === undefined) throw new Error('packages/cli is not built')
  const server = await startSystem(system)
  const rounds = []
  try {
    const times = { startsAt: Date.now(), endsAt: Date.now() + 3_600_000 }
    for (const batch of alertBatches(alerts, times))
      await server.client.post('/api/v2/alerts', batch)
    for (let round = 0; round < wholeNumber('rounds', values.rounds); round++) {
      rounds.push(await measure(`http://127.0.0.1:${server.port}/`, scrollMs))
    }
  } finally {
    await server.stop()
  }
  if (values.json) return console.log(JSON.stringify({ alerts, rounds }, undefined, 2))
  const names = Object.keys(rounds[0] ?? {})
  const rows = names.map((name) => [name, median(rounds.map((one) => one[name])).toFixed(1)])
  console.log(`\n${alerts} alerts, medians\n\n${table([['measure', 'console'], ...rows])}`)
}

/** @param {string} url @param {number} scrollMs @returns {Promise<Record<string, number>>} */
async function measure(url, scrollMs) {
  const executablePath = execFileSync('sh', ['-c', 'command -v chromium']).toString().trim()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(`${url}#/alerts?view=table`)
    await page.locator('[data-fingerprint]').first().waitFor()
    const firstAlertsMs = await page.evaluate(() => performance.now())
    const firstPaintMs = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    )
    const session = await page.context().newCDPSession(page)
    // The processor time of the main thread says what a frame costs when other programs keep the machine busy.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const busyMs = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN)
    }
    /** @type {Record<string, number>} */
    const figures = { 'first paint, ms': firstPaintMs, 'first alerts, ms': firstAlertsMs }
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
