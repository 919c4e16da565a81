import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeAdapter } from '@gatehouse/adapter-node'
import { type AlertsContext, createAlerts, postAlerts } from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Ended, runCli, runHere } from '../main.fixture.ts'

const config = `
route:
  receiver: everyone
  group_by: [alertname]
  routes: [{ receiver: storage, matchers: [team="storage"] }]
receivers: [{ name: everyone }, { name: storage }]
`
let folder: string
let alerts: AlertsContext
let server: Server
let url: string
let authorization: string | undefined

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-remote-'))
  writeFileSync(join(folder, 'old.yml'), config)
  alerts = createAlerts({ storage: createMemoryStorage(), config })
  const serve = nodeAdapter(alerts.routes)
  server = createServer((request, response) => {
    authorization = request.headers.authorization
    serve(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true })
})

const run = (...args: readonly string[]): Promise<Ended> => runHere(args, folder)

describe('gatehouse explain', () => {
  it('says what happens to an alert of a running server', async () => {
    await postAlerts(alerts, [{ labels: { alertname: 'DiskFull', team: 'storage' } }])
    const args = ['explain', '--url', url, 'alertname=DiskFull', 'team="storage"']
    const { exitCode, stdout } = await runCli(args, folder)
    expect(stdout).toContain('The alert is firing and active.')
    expect(stdout).toContain('- goes to receiver "storage" by route {} / {team="storage"}')
    expect(stdout).toContain(
      '- receiver "storage" is not notified: the receiver has no integration',
    )
    expect(exitCode).toBe(0)
    const json = await run('explain', '--url', url, '--json', 'a=b')
    expect(JSON.parse(json.stdout)).toMatchObject({ labels: { a: 'b' }, firing: false })
  })

  it('sends the user of the URL, or the token of a file, and prints neither', async () => {
    await run('explain', '--url', url.replace('//', '//maya:s%40crt@'), 'a=b')
    expect(authorization).toBe(`Basic ${Buffer.from('maya:s@crt').toString('base64')}`)
    writeFileSync(join(folder, 'token'), 'of-maya\n')
    await run('explain', '--url', url, '--token-file', 'token', 'a=b')
    expect(authorization).toBe('Bearer of-maya')
    server.close()
    server.closeAllConnections()
    const { exitCode, stderr } = await run(
      'explain',
      '--url',
      url.replace('//', '//maya:s%40crt@'),
      'a=b',
    )
    expect(exitCode).toBe(2)
    expect(stderr).toContain('127.0.0.1')
    expect(stderr).not.toContain('crt')
  })

  it.each([[['explain', 'nonsense']], [['explain', '--url', 'ftp://x', 'a=b']], [['explain']]])(
    'refuses %j with 2',
    async (args) => {
      expect((await run(...args)).exitCode).toBe(2)
    },
  )
})

describe('gatehouse diff', () => {
  it('says which alerts of a running server would go elsewhere, and exits with 1', async () => {
    await postAlerts(alerts, [
      { labels: { alertname: 'A', team: 'storage' } },
      { labels: { alertname: 'B', team: 'web' } },
    ])
    writeFileSync(join(folder, 'new.yml'), config.replaceAll('storage', 'disks'))
    const { exitCode, stdout } = await run('diff', 'old.yml', 'new.yml', '--url', url)
    expect(stdout).toBe(`1 of 2 alerts would be routed differently.

1 alert, such as {alertname="A", team="storage"}
- storage; grouped by alertname; wait, interval, repeat: 30s, 5m, 4h
+ everyone; grouped by alertname; wait, interval, repeat: 30s, 5m, 4h
`)
    expect(exitCode).toBe(1)
    const same = await run('diff', 'old.yml', 'old.yml', '--url', url, '--history', '7d')
    expect(same).toMatchObject({
      exitCode: 0,
      stdout: 'No routing changes: all 2 alerts keep their receivers.\n',
    })
  })

  it('takes alerts of a file, and prints JSON', async () => {
    writeFileSync(join(folder, 'alerts.json'), JSON.stringify([{ labels: { team: 'storage' } }]))
    writeFileSync(
      join(folder, 'new.yml'),
      config.replace('receiver: storage', 'receiver: everyone'),
    )
    const { stdout } = await run('diff', 'old.yml', 'new.yml', '--alerts', 'alerts.json', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ alerts: 1, moved: 1 })
  })

  it.each([
    [['diff', 'old.yml', 'none.yml', '--alerts', 'alerts.json']],
    [['diff', 'old.yml', 'old.yml', '--alerts', 'old.yml']],
    [['diff', 'old.yml']],
  ])('refuses %j with 2', async (args) => {
    writeFileSync(join(folder, 'alerts.json'), '[]')
    expect((await run(...args)).exitCode).toBe(2)
  })
})
