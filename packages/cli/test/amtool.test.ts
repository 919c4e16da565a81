import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  alertmanagerBinary,
  amtoolBinary,
  describeWith,
  pathOf,
} from '../../../test-support/binaries.ts'
import { until } from './support/poll.ts'
import { type Run, run } from './support/run.ts'
import {
  type Server,
  startAlertmanager,
  startGatehouse,
  temporaryFolder,
} from './support/server.ts'

const config = `
global:
  resolve_timeout: 10m
route:
  receiver: default
  group_by: [alertname]
  routes:
  - receiver: team-a
    matchers: [ 'team="a"' ]
    continue: true
    routes:
    - receiver: pager
      match: { severity: critical }
      group_wait: 10s
  - receiver: team-b
    matchers: [ 'team=~"a|b"', 'severity!="none"' ]
    group_by: ['...']
    mute_time_intervals: [ weekends ]
inhibit_rules:
- source_matchers: [ 'severity="critical"' ]
  target_matchers: [ 'severity="warning"' ]
  equal: [alertname]
receivers:
- name: default
- name: team-a
- name: team-b
- name: pager
time_intervals:
- name: weekends
  time_intervals:
  - weekdays: [ saturday, sunday ]
    times: [ { start_time: '00:00', end_time: '24:00' } ]
`

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const timeTexts = /\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d UTC|T\d\d:\d\d:\d\d\.\d{3}Z)/g

/** Without ids, and with times as minutes from now. */
function plain(text: string): string {
  return text.replace(uuid, '<id>').replace(timeTexts, (time) => {
    const minutes = (Date.parse(time) - Date.now()) / 60_000
    return Math.abs(minutes) > 1_440 ? time : `<now ${Math.round(minutes)} min>`
  })
}

describeWith(
  [amtoolBinary, alertmanagerBinary],
  'amtool talks to Gatehouse as to Alertmanager',
  () => {
    let folder: string
    let reference: Server
    let gatehouse: Server

    beforeAll(async () => {
      folder = await temporaryFolder()
      reference = await startAlertmanager({ config })
      gatehouse = await startGatehouse({ config })
    })
    afterAll(async () => {
      await reference?.stop()
      await gatehouse?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    /** Runs amtool against one server, without the user's own configuration file. */
    function amtool(server: Server, args: readonly string[]): Promise<Run> {
      const env = { HOME: folder, XDG_CONFIG_HOME: folder, TZ: 'UTC' }
      return run(pathOf(amtoolBinary), [`--alertmanager.url=${server.url}`, ...args], env)
    }

    /** Runs amtool against both, requires the same exit code and output, and returns Gatehouse's. */
    async function both(...args: readonly string[]): Promise<string> {
      const [theirs, ours] = await Promise.all([amtool(reference, args), amtool(gatehouse, args)])
      expect({ args, code: ours.code, stdout: plain(ours.stdout) }, ours.stderr).toEqual({
        args,
        code: theirs.code,
        stdout: plain(theirs.stdout),
      })
      return ours.stdout
    }

    /** The silence ids that a command printed on either server, in order. */
    async function idsOn(server: Server, ...args: readonly string[]): Promise<readonly string[]> {
      const { stdout, stderr, code } = await amtool(server, args)
      expect({ stderr, code }).toMatchObject({ code: 0 })
      return stdout.match(uuid) ?? []
    }

    /** Runs amtool against both, with each server's ids of the silences with this comment. */
    async function bothWithIdsOf(comment: string, ...args: readonly string[]): Promise<string> {
      const runs = await Promise.all(
        [reference, gatehouse].map(async (server) => {
          const { stdout } = await amtool(server, ['silence', 'query', '--output=json'])
          const silences: { id: string; comment: string }[] = JSON.parse(stdout)
          const ids = silences.filter((found) => found.comment === comment).map(({ id }) => id)
          expect(ids).not.toEqual([])
          return amtool(server, [...args, ...ids])
        }),
      )
      const [theirs, ours] = runs.map(({ code, stdout }) => ({ args, code, stdout: plain(stdout) }))
      expect(ours).toEqual(theirs)
      return ours?.stdout ?? ''
    }

    it('adds alerts and finds them by matcher, state and receiver', async () => {
      await both(
        'alert',
        'add',
        'alertname=Disk',
        'node=x',
        '--annotation=summary=full up',
        '--generator-url=http://g/',
      )
      await both(
        'alert',
        'add',
        'Net',
        'team=a',
        '--start=2020-01-02T03:04:05Z',
        '--end=2040-01-02T03:04:05+01:00',
      )
      await both(
        'alert',
        'add',
        'Cpu',
        'severity=critical',
        'team=a',
        '--end=2040-01-02T03:04:05Z',
        '--start=2020-01-03T03:04:05Z',
      )
      await both(
        'alert',
        'add',
        'Cpu',
        'severity=warning',
        'team=b',
        '--end=2040-01-02T03:04:05Z',
        '--start=2020-01-04T03:04:05Z',
      )
      await both('alert', 'add', 'bad-name=x')

      expect(await both('alert', 'query')).toContain('Disk')
      expect(await both('alert', 'query', 'Disk')).toContain('full up')
      expect(await both('alert', 'query', '--inhibited')).toContain('Cpu')
      await both('alert', 'query', '--active', '--silenced', '--inhibited', '--unprocessed')
      await both('alert', 'query', 'alertname=~"D.*"', 'node=x')
      await both('alert', 'query', 'alertname=~[DN].+')
      await both('alert', 'query', 'team!=a', 'severity=""')
      await both('alert', 'query', '--receiver=team-a')
      await both('alert', 'query', '--receiver=team-(a|b)', '--inhibited', '--active')
      await both('alert', 'query', '--output=extended')
      await both('alert', 'query', 'nothing')
      await both('alert', 'query', 'alertname=~"("')
      await both('alert', 'query', '--receiver=(')
    })

    it('shows alerts as JSON with the same facts', async () => {
      const [theirs, ours] = await Promise.all(
        [reference, gatehouse].map(async (server) => {
          const { stdout } = await amtool(server, ['alert', 'query', '--output=json', 'Net'])
          return plain(stdout)
        }),
      )
      expect(JSON.parse(ours ?? '')).toEqual(JSON.parse(theirs ?? ''))
    })

    it('adds, finds, updates and expires silences', async () => {
      const bob = ['--author=bob', '--comment=first']
      await both('silence', 'add', 'Disk', ...bob, '--duration=30m')
      await both(
        'silence',
        'add',
        'alertname=~"N.*"',
        'team=a',
        '--author=alice',
        '--comment=second',
        '--end=2040-01-02T03:04:05Z',
      )
      await both(
        'silence',
        'add',
        'alertname=Cpu',
        'severity!=critical',
        '--author=alice',
        '--comment=third',
        '--start=2039-01-02T03:04:05Z',
        '--end=2041-01-02T03:04:05Z',
      )
      await both('silence', 'add', 'Disk', '--author=bob')
      await both('silence', 'add', 'alertname=~".*"', ...bob)
      await both('silence', 'add', 'alertname=~"("', ...bob)

      expect(await both('silence', 'query')).toMatch(/alertname="Disk" .*bob +first/)
      await both('silence', 'query', '--output=extended')
      await both('silence', 'query', '--within=1h')
      await both('silence', 'query', '--created-by=alice')
      await both('silence', 'query', '--expired')
      await both('silence', 'query', 'Disk')
      await both('silence', 'query', 'alertname=~"N.*"')
      await both('silence', 'query', 'team=a')
      await both('silence', 'query', 'alertname=~"("')
      expect(await both('alert', 'query', '--silenced')).toMatch(/Net.*Disk/s)

      await bothWithIdsOf('first', 'silence', 'update', '--duration=2h', '--comment=changed')
      await bothWithIdsOf('second', 'silence', 'update', '--end=2042-01-02T03:04:05Z')
      await bothWithIdsOf('second', 'silence', 'update', '--output=json', '--comment=second')
      expect(await both('silence', 'query')).toContain('changed')
      await bothWithIdsOf('changed', 'silence', 'query', '--id')

      await bothWithIdsOf('changed', 'silence', 'expire')
      await bothWithIdsOf('third', 'silence', 'expire')
      expect(await both('silence', 'query')).not.toContain('changed')
      expect(await both('silence', 'query', '--expired')).toContain('changed')
      expect(await both('silence', 'query', '--expired', '--within=1h')).toContain('changed')
      await both('silence', 'expire', '44444444-4444-4444-8444-444444444444')
      await both('silence', 'expire', 'nope')
      await both('silence', 'update', '--comment=x', '44444444-4444-4444-8444-444444444444')
    })

    it('expires all silences of a quiet query', async () => {
      await both('silence', 'add', 'Bulk1', '--author=bob', '--comment=bulk', '--duration=3h')
      await both('silence', 'add', 'Bulk2', '--author=bob', '--comment=bulk', '--duration=3h')
      for (const server of [reference, gatehouse]) {
        const ids = await idsOn(server, 'silence', 'query', '--quiet', '--created-by=bob')
        expect(ids).toHaveLength(2)
        expect(await idsOn(server, 'silence', 'expire', ...ids)).toEqual([])
      }
      expect(await both('silence', 'query', '--quiet', '--created-by=bob')).toBe('')
    })

    it('imports silences exported from the other server, with and without their ids', async () => {
      for (const [from, to] of [
        [reference, gatehouse],
        [gatehouse, reference],
      ] as const) {
        const exported = await amtool(from, ['silence', 'query', '--output=json'])
        const silences: { id: string; comment: string }[] = JSON.parse(exported.stdout)
        expect(silences).not.toEqual([])
        const file = join(folder, 'silences.json')
        await writeFile(file, exported.stdout)
        const imported = await idsOn(to, 'silence', 'import', file)
        expect(imported).toHaveLength(silences.length)
        expect(await idsOn(to, 'silence', 'import', '--force', file)).toHaveLength(silences.length)

        const there = await amtool(to, ['silence', 'query', '--output=json'])
        const found: { id: string; comment: string }[] = JSON.parse(there.stdout)
        for (const id of imported) expect(found.map((silence) => silence.id)).toContain(id)
      }
    })

    it('shows the cluster, the configuration and the routes', async () => {
      await both('cluster', 'show')
      expect(await both('config', 'show')).toContain('resolve_timeout: 10m')
      expect(await both('config', 'routes', 'show')).toContain('receiver: pager')
      await both('config', 'routes')
      await both('config', 'routes', 'test', 'team=a')
      expect(await both('config', 'routes', 'test', 'team=a', 'severity=critical')).toBe(
        'pager,team-b\n',
      )
      await both('config', 'routes', 'test', '--tree', 'team=b', 'severity=x')
      await both(
        'config',
        'routes',
        'test',
        '--verify.receivers=pager,team-b',
        'team=a',
        'severity=critical',
      )
      await both('config', 'routes', 'test', '--verify.receivers=default', 'team=a')
    })

    it('accepts the configuration that Gatehouse shows', async () => {
      const { stdout } = await amtool(gatehouse, ['config', 'show'])
      const file = join(folder, 'shown.yml')
      await writeFile(file, stdout)
      const checked = await run(pathOf(amtoolBinary), ['check-config', file])
      expect(checked).toMatchObject({ code: 0 })
      expect(checked.stdout).toContain('SUCCESS')
    })

    it('does not list an alert that ended', async () => {
      const ended = new Date(Date.now() - 1_000).toISOString()
      const ago = new Date(Date.now() - 60_000).toISOString()
      await both('alert', 'add', 'alertname=Disk', 'node=x', `--start=${ago}`, `--end=${ended}`)
      await until('the alert is gone', async () =>
        (await amtool(gatehouse, ['alert', 'query', '--silenced', '--active'])).stdout.includes(
          'Disk',
        )
          ? undefined
          : true,
      )
      await both('alert', 'query', '--silenced', '--active')
    })
  },
)
