import { statSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithBrowser, useBrowser } from '../../../test-support/browser.ts'
import { type ConsoleServer, fire, startConsole } from './open-console.fixture.ts'
import { openPage } from './pages.fixture.ts'

const page = new URL('../dist/page/', import.meta.url)
const budget = 250_000

describeWithBrowser('the first load of the console', () => {
  const browser = useBrowser()
  let server: ConsoleServer
  beforeAll(async () => {
    server = await startConsole()
    await fire(server.alerts, [{ alertname: 'Disk' }])
  })
  afterAll(() => server?.stop())

  it('has at most 250 kB, compressed with gzip, and no other page', async () => {
    const { page: opened } = await openPage(browser(), server.url)
    await opened.getByText('1 alert · 1 group').waitFor()
    const urls = await opened.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    )
    const files = [...new Set(urls)].filter((path) => path.startsWith('/assets/'))
    const sizes = files.map((path) => statSync(new URL(`.${path}.gz`, page)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(budget)
    expect(files.filter((path) => /\b(?:people|silences|routing|de)\b/.test(path))).toEqual([])
  })

  it('works behind a proxy that serves it below a path of its own', async () => {
    const proxy = await startProxy(server.url, '/tools/gatehouse')
    const { port } = proxy.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/tools/gatehouse`
    // Without the slash at the end, too.
    const { page: opened, problems } = await openPage(browser(), url)
    await opened.getByText('1 alert · 1 group').waitFor()
    await opened.getByText('Live', { exact: true }).waitFor()
    await opened.getByRole('link', { name: 'Silences' }).click()
    await opened.getByText('No silences').waitFor()
    expect(problems).toEqual([])
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  })
})

/** Takes the prefix off every path, as `location /tools/ { proxy_pass http://…/; }` of nginx does. */
function startProxy(target: string, prefix: string): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { url = '/', method, headers } = incoming
    if (url === prefix) return outgoing.writeHead(301, { location: `${prefix}/` }).end()
    if (!url.startsWith(`${prefix}/`)) return outgoing.writeHead(404).end()
    const passed = request(
      new URL(url.slice(prefix.length + 1), target),
      { method: method ?? 'GET', headers: { ...headers, host: new URL(target).host } },
      (answer: IncomingMessage) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  return new Promise((resolve) => proxy.listen(0, '127.0.0.1', () => resolve(proxy)))
}
