import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dropDatabase } from '../../../test-support/postgres/postgres-database.ts'
import { describeWithPostgres, freshDatabase } from '../../../test-support/postgres/use-postgres.ts'
import { launchConfig } from './support/api-server.ts'
import { until } from './support/poll.ts'
import { type Server, temporaryFolder, whenReady } from './support/server.ts'
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'

const tokenOf = (name: string): string => `the-token-of-${name}`

/** Two people: one may do everything, the other silences only alerts of a team. */
const access = {
  roles: {
    'team-db': {
      actions: ['alerts:read', 'silences:write', 'silences:write-others'],
      silences: ['team="db"'],
    },
  },
  tokens: {
    ann: { token: tokenOf('ann'), roles: 'admin' },
    omar: { token: tokenOf('omar'), roles: 'team-db' },
  },
}

/** Everything that is not kept back is notified again each second. */
const alertmanagerConfig = (url: string): object => ({
  route: {
    receiver: 'team',
    group_by: ['alertname'],
    group_wait: '100ms',
    group_interval: '1s',
    repeat_interval: '1s',
  },
  receivers: [{ name: 'team', webhook_configs: [{ url }] }],
})

const longMs = 180_000
const patient = { withinMs: longMs, everyMs: 100 }

interface Answer {
  readonly status: number
  readonly body: unknown
}

type ListedAlert = { readonly fingerprint: string; readonly status: { readonly state: string } }
type ListedSilence = {
  readonly id: string
  readonly comment: string
  readonly createdBy: string
  readonly status: { readonly state: string }
}

// Beside each other, because they wait for intervals of groups and of expected alerts. Each has alerts of its own.
describeWithPostgres(
  'two processes of gatehouse api for people on call, on one PostgreSQL',
  () => {
    let url = ''
    let folder = ''
    let receiver: WebhookReceiver
    let servers: readonly Server[] = []

    beforeAll(async () => {
      url = await freshDatabase()
      folder = await temporaryFolder()
      receiver = await startWebhookReceiver()
      const config = {
        storage: { postgres: url, max_connections: 4 },
        access,
        alerts: {
          config: alertmanagerConfig(receiver.url),
          expect: [{ name: 'source', matchers: ['alertname="Watchdog"'], every: '5s' }],
        },
        webhooks: [{ id: 'say', token: tokenOf('say'), execute_command: 'true', workdir: '/' }],
      }
      const flags = ['--listen', '127.0.0.1:0']
      servers = await Promise.all([1, 2].map(() => launchConfig(config, { folder, flags })))
      await Promise.all(servers.map(whenReady))
    })
    afterAll(async () => {
      for (const server of servers) server.kill('SIGKILL')
      await Promise.all(servers.map(({ exited }) => exited))
      await receiver?.stop()
      await dropDatabase(url)
      await rm(folder, { recursive: true, force: true })
    })

    const authorization = (user: string) => ({ authorization: `Bearer ${tokenOf(user)}` })

    /** Sends a request of a person to one of the processes. */
    async function ask(
      place: 0 | 1,
      user: string,
      request: string,
      given?: unknown,
    ): Promise<Answer> {
      const [method = 'GET', path = ''] = request.split(' ')
      const response = await fetch(`${servers[place]?.url}${path}`, {
        method,
        headers: { ...authorization(user), 'content-type': 'application/json' },
        ...(given === undefined ? {} : { body: JSON.stringify(given) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    }

    const listed = async <T>(place: 0 | 1, path: string): Promise<readonly T[]> =>
      (await ask(place, 'ann', `GET ${path}`)).body as readonly T[]

    const post = (place: 0 | 1, labels: object, endsInMs = 600_000): Promise<Answer> =>
      ask(place, 'ann', 'POST /api/v2/alerts', [
        { labels, endsAt: new Date(Date.now() + endsInMs).toISOString() },
      ])

    const silence = (team: string, more: object = {}): object => ({
      matchers: [{ name: 'team', value: team, isRegex: false }],
      startsAt: new Date().toISOString(),
      endsAt: new Date(Date.now() + 3_600_000).toISOString(),
      createdBy: 'somebody else',
      comment: 'a new disk',
      ...more,
    })

    const notifiedOf = (name: string) =>
      receiver.received.filter(({ body }) => body.groupLabels.alertname === name)

    it('decide alike about silences of each other, as they are now', async ({ expect }) => {
      const created = await ask(0, 'omar', 'POST /api/v2/silences', silence('db'))
      const { silenceID: id } = Object(created.body)
      expect((await ask(1, 'omar', 'POST /api/v2/silences', silence('web'))).status).toBe(403)
      // A process sees what another one wrote within a second.
      await expect
        .poll(async () => (await ask(1, 'omar', `GET /api/v2/silence/${id}`)).body)
        .toMatchObject({ createdBy: 'omar' })
      const moved = silence('web', { id, comment: 'moved' })
      const { silenceID: other } = Object(
        (await ask(1, 'ann', 'POST /api/v2/silences', moved)).body,
      )
      // The first process may not have seen the change yet, and decides about the silence as it is.
      const extension = { silenceId: other, byMs: 1_000 }
      const extended = await ask(0, 'omar', 'POST /gatehouse/v1/silence-extensions', extension)
      expect(extended.status).toBe(403)
      expect((await ask(0, 'omar', `DELETE /api/v2/silence/${other}`)).status).toBe(403)
      expect((await ask(0, 'ann', `DELETE /api/v2/silence/${other}`)).status).toBe(200)
      await expect
        .poll(async () => (await ask(1, 'ann', `GET /api/v2/silence/${other}`)).body)
        .toMatchObject({ createdBy: 'ann', status: { state: 'expired' } })
    })

    it('do not repeat what somebody acknowledged in the other one, until an alert joins', {
      timeout: 2 * longMs,
    }, async () => {
      await post(0, { alertname: 'Disk', instance: 'a' })
      await until(
        'the group is repeated',
        () => notifiedOf('Disk').length > 1 || undefined,
        patient,
      )
      const labels = { alertname: 'Disk', instance: 'a' }
      const request = { labels, comment: 'on it', by: 'somebody else' }
      expect((await ask(1, 'ann', 'POST /gatehouse/v1/acknowledgements', request)).status).toBe(200)
      for (const place of [0, 1] as const) {
        await until(
          'the acknowledgement is listed',
          async () => {
            const { body } = await ask(place, 'omar', 'GET /gatehouse/v1/acknowledgements')
            expect(body).toMatchObject({ items: [{ labels, by: 'ann', comment: 'on it' }] })
            return true
          },
          patient,
        )
      }
      const known = notifiedOf('Disk').length
      await post(1, { alertname: 'Other' })
      // Each of the processes could have repeated it several times by then.
      await until('others are repeated', () => notifiedOf('Other').length > 4 || undefined, patient)
      // One may have been under way.
      expect(notifiedOf('Disk').length).toBeLessThanOrEqual(known + 1)
      await post(1, { alertname: 'Disk', instance: 'b' })
      const joined = () =>
        notifiedOf('Disk').find(({ body }) => body.alerts.length === 2) && notifiedOf('Disk').at(-1)
      expect((await until('the group is notified again', joined, patient))?.body.status).toBe(
        'firing',
      )
    })

    it('end a silence with its alerts once, and make one silence of each occurrence', {
      timeout: 2 * longMs,
    }, async () => {
      const untilResolved = silence('until', { untilResolved: true, comment: 'until resolved' })
      const created = await ask(0, 'ann', 'POST /api/v2/silences', untilResolved)
      const { silenceID: id } = Object(created.body)
      const isKnown = async () =>
        (await listed<ListedSilence>(1, '/api/v2/silences')).find((one) => one.id === id)
      await until('the other one knows the silence', isKnown, patient)
      const labels = { alertname: 'Link', team: 'until' }
      await post(1, labels)
      const path = `/api/v2/alerts?filter=${encodeURIComponent('alertname="Link"')}`
      for (const place of [0, 1] as const) {
        const isSilenced = async () =>
          (await listed<ListedAlert>(place, path))[0]?.status.state === 'suppressed' || undefined
        await until('the alert is silenced', isSilenced, patient)
      }
      const recurring = (comment: string): object => ({
        matchers: [{ name: 'job', value: comment, isRegex: false }],
        timeIntervals: [{ location: 'Europe/Berlin' }],
        createdBy: 'somebody else',
        comment,
      })
      const comments = Array.from({ length: 6 }, (_, index) => `always ${index}`)
      const places = comments.map((_, index) => (index % 2) as 0 | 1)
      const statuses = await Promise.all(
        comments.map((comment, index) =>
          ask(
            places[index] ?? 0,
            'ann',
            'POST /gatehouse/v1/recurring-silences',
            recurring(comment),
          ),
        ),
      )
      expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]))
      await post(0, labels, 0)
      for (const place of [0, 1] as const) {
        const hasEnded = async () =>
          Object((await ask(place, 'ann', `GET /api/v2/silence/${id}`)).body).status.state ===
            'expired' || undefined
        await until('the silence has ended', hasEnded, patient)
        const silences = await listed<ListedSilence>(place, '/api/v2/silences')
        const made = silences.filter(({ comment }) => comments.includes(comment))
        expect(made.map(({ comment }) => comment).sort()).toEqual(comments)
        expect(new Set(made.map(({ createdBy }) => createdBy))).toEqual(new Set(['ann']))
      }
      expect(notifiedOf('Link')).toEqual([])
      await until(
        'the history has its end once',
        async () => {
          const history = await ask(1, 'ann', `GET /gatehouse/v1/silence-history?silenceId=${id}`)
          const events = Object(history.body).items.map(({ event }: { event: string }) => event)
          expect(events.filter((event: string) => event === 'expired')).toHaveLength(1)
          return true
        },
        patient,
      )
    })

    it('fire one alert while expected ones are missing, and resolve it when one of them gets some', {
      timeout: 2 * longMs,
    }, async () => {
      const isFiring = () =>
        notifiedOf('ExpectedAlertMissing').find(({ body }) => body.status === 'firing')
      const fired = await until('the alert fires', isFiring, patient)
      expect(fired.body.alerts.map(({ labels }) => labels)).toEqual([
        { alertname: 'ExpectedAlertMissing', expected: 'source', severity: 'critical' },
      ])
      const isResolved = async () => {
        await post(1, { alertname: 'Watchdog' })
        return notifiedOf('ExpectedAlertMissing').find(({ body }) => body.status === 'resolved')
      }
      await until('the alert is resolved', isResolved, patient)
      for (const place of [0, 1] as const) {
        await until(
          'the expected alerts are present',
          async () => {
            await post(1, { alertname: 'Watchdog' })
            const { body } = await ask(place, 'ann', 'GET /gatehouse/v1/expected-alerts')
            expect(body).toMatchObject({ items: [{ name: 'source', state: 'present' }] })
            return true
          },
          patient,
        )
      }
    })

    it('show listeners the runs of each other', { timeout: 2 * longMs }, async () => {
      const address = `${servers[0]?.url}/runs/changes?id=say`
      const { body } = await fetch(address, { headers: authorization('ann') })
      const decoder = new TextDecoder()
      let seen = ''
      let isStarted = false
      for await (const chunk of body ?? []) {
        seen += decoder.decode(chunk, { stream: true })
        if (!isStarted && seen.includes('event: ready')) {
          isStarted = true
          await ask(1, 'ann', 'POST /webhook/say', {})
        }
        if (seen.includes('"status":"succeeded"')) break
      }
      expect(seen).toContain('event: run\ndata: {"run_id":"run_')
      expect((await ask(1, 'omar', 'GET /runs/changes?id=say')).status).toBe(403)
    })
  },
  { concurrent: true },
)
