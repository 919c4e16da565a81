import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acknowledge, unacknowledge } from '../src/alerts/alerts/acknowledge.ts'
import { listAcknowledgements } from '../src/alerts/alerts/list-acknowledgements.ts'
import { alertsCollections } from '../src/alerts/collections.ts'
import { createRecurringSilence } from '../src/alerts/silences/create-recurring-silence.ts'
import { createSilence } from '../src/alerts/silences/create-silence.ts'
import { followSilences } from '../src/alerts/silences/follow-silences.ts'
import { getSilence } from '../src/alerts/silences/get-silence.ts'
import { listSilences } from '../src/alerts/silences/list-silences.ts'
import { makeSilences } from '../src/alerts/silences/make-silences.ts'
import {
  createDispatchWorld,
  type DispatchProcess,
  type DispatchWorld,
} from '../src/alerts/start/start-dispatcher.fixture.ts'
import type { Storage } from '../src/storage/storage.ts'
import { forEachStore } from './stores.ts'

const minute = 60

const text = `
route: { receiver: team, group_by: [alertname], group_wait: 0s, group_interval: 1m, repeat_interval: 10m }
receivers: [ { name: team } ]
`

forEachStore(alertsCollections, (store) => {
  describe(`processes that share ${store.name}`, () => {
    const isShared = store.name === 'postgres'
    let world: DispatchWorld
    let first: DispatchProcess
    let second: DispatchProcess

    /** Two processes with the same configuration. */
    const start = (config: Parameters<DispatchWorld['start']>[0]): void => {
      first = world.start({ name: 'first', ...config })
      second = world.start({ name: 'second', ...config })
    }

    /** Lets time pass in larger steps than the world's own, of `step` seconds. */
    const pass = async (seconds: number, step = 5): Promise<void> => {
      for (let left = seconds; left > 0; left -= step) {
        world.clock.advance(step * 1_000)
        for (const { dispatcher } of [first, second]) await dispatcher.settled()
      }
    }

    const sent = (): readonly string[] =>
      world.notifications.map(({ at, status }) => `${Math.floor(at / minute)} ${status}`)

    const opened: Storage[] = []

    beforeEach(async () => {
      // Storages of the other stores are empty and separate: there, the processes share one object.
      if (isShared) await (await store.openEmpty()).close()
      world = createDispatchWorld((clock) => {
        const storage = isShared ? store.open(clock) : (opened[0] ?? store.open(clock))
        opened.push(storage)
        return storage
      })
    })
    afterEach(async () => {
      await world.end()
      for (const storage of new Set(opened.splice(0))) await storage.close()
    })

    it('agree that an alert is acknowledged in one of them', async () => {
      start({ config: text })
      await world.post(first, ['A/1'])
      await pass(minute)
      expect(sent()).toEqual(['0 firing'])
      await acknowledge(second.alerts, { labels: { alertname: 'A', i: '1' }, by: 'maya' })
      await pass(30 * minute, 15)
      expect(sent()).toEqual(['0 firing'])
      await world.post(second, ['A/2'])
      await pass(2 * minute)
      expect(sent()).toHaveLength(2)
    })

    it('share a rate limit, and send one summary of the groups over it', async () => {
      const limited = text
        .replace('10m', '24h')
        .replace('name: team', 'name: team, rate_limit: { notifications: 2, per: 20m }')
      start({ config: limited })
      await world.post(first, ['A/1', 'B/1', 'C/1'])
      await world.post(second, ['D/1', 'E/1'])
      await pass(9 * minute)
      expect(world.notifications).toHaveLength(2)
      await pass(3 * minute)
      expect(world.notifications[2]?.groupKey).toBe('receiver "team":rate_limit')
      expect(new Set(world.notifications.flatMap(({ alerts }) => alerts))).toEqual(
        new Set(['A', 'B', 'C', 'D', 'E'].map((name) => `${name}/1 firing`)),
      )
      await pass(12 * minute)
      expect(world.notifications).toHaveLength(3)
    })

    it('agree on one acknowledgement of each alert, whatever else is stored at the same time', async () => {
      start({ config: text })
      const names = ['A/1', 'A/2', 'A/3']
      await world.post(first, names)
      /** After a second at most, a process sees what others stored. */
      const lists = async () => {
        world.clock.advance(1_000)
        return Promise.all([first, second].map(({ alerts }) => listAcknowledgements(alerts)))
      }
      await lists()
      const group = { groupKey: '{}:{alertname="A"}' }
      const calls = [first, second].flatMap((process) => [
        acknowledge(process.alerts, { ...group, by: `maya on ${process.alerts.ids.random()}` }),
        world.post(process, names),
        acknowledge(process.alerts, { labels: { alertname: 'A', i: '1' }, by: 'tom' }),
        world.post(process, ['A/4']),
      ])
      await Promise.all(calls)
      const [seen, other] = await lists()
      expect(seen).toEqual(other)
      const acknowledged = seen?.items.map(({ labels }) => `${labels.alertname}/${labels.i}`)
      expect(acknowledged).toEqual(expect.arrayContaining(names))
      const taken = await Promise.all(
        [first, second].map(({ alerts }) => unacknowledge(alerts, group)),
      )
      // Each acknowledgement is taken back by one of them.
      expect(taken.flat().sort()).toEqual(seen?.items.map((one) => one.fingerprint).sort())
      expect(await lists()).toEqual([{ items: [] }, { items: [] }])
    })

    it('either acknowledge an alert or see it resolve first', async () => {
      start({ config: text })
      const labels = { alertname: 'A', i: '1' }
      for (let round = 0; round < 5; round++) {
        await world.post(first, ['A/1'])
        const [answer] = await Promise.allSettled([
          acknowledge(second.alerts, { labels, by: 'maya' }),
          world.post(first, ['A/1'], 0),
        ])
        if (answer.status === 'rejected') {
          expect(answer.reason).toMatchObject({ reason: 'AlertNotFound' })
        }
        world.clock.advance(1_000)
        await world.post(first, ['A/1'])
        world.clock.advance(1_000)
        expect((await listAcknowledgements(second.alerts)).items).toEqual([])
      }
    })

    it('keep an acknowledgement through a crash, and repeat again once it ends', async () => {
      start({ config: text })
      await world.post(first, ['A/1'])
      await pass(minute)
      const until = world.clock.now() + 30 * minute * 1_000
      await acknowledge(second.alerts, { labels: { alertname: 'A', i: '1' }, by: 'maya', until })
      await pass(5 * minute)
      first.crash()
      second.crash()
      start({ config: text })
      await pass(24 * minute, 15)
      expect(sent()).toEqual(['0 firing'])
      await pass(3 * minute)
      expect(sent()).toHaveLength(2)
    })

    it('notify once that expected alerts are missing, and once that they are back', async () => {
      const expected = { name: 'watchdog', matchers: ['alertname="Watchdog"'], everyMs: 600_000 }
      start({ config: { text, expect: [expected] } })
      await pass(12 * minute)
      expect(sent()).toEqual(['10 firing'])
      await world.post(second, ['Watchdog'])
      await pass(3 * minute)
      const ofMissing = world.notifications.filter(({ groupKey }) => groupKey.includes('Missing'))
      expect(ofMissing.map(({ status }) => status)).toEqual(['firing', 'resolved'])
    })

    it('end a silence until its alerts resolve once, and remind once of the end of another', async () => {
      start({ config: text })
      const silence = {
        startsAt: world.clock.now(),
        endsAt: world.clock.now() + 20 * minute * 1_000,
        createdBy: 'maya',
        comment: 'a new disk',
      }
      const named = (value: string) => [{ name: 'alertname', value, isRegex: false }]
      const until = { ...silence, matchers: named('A'), untilResolved: true }
      const id = await createSilence(first.alerts, until)
      const reminded = { ...silence, matchers: named('B'), remindBeforeMs: 5 * minute * 1_000 }
      await createSilence(second.alerts, reminded)
      await world.post(first, ['A/1'], 2 * minute)
      const ended: number[] = []
      for (let step = 0; step < 18 * 6; step++) {
        await pass(10)
        ended.push(
          ...(await Promise.all([first, second].map(({ alerts }) => followSilences(alerts)))),
        )
      }
      expect(ended.reduce((a, b) => a + b)).toBe(1)
      expect((await getSilence(second.alerts, id)).status.state).toBe('expired')
      const reminders = world.notifications.filter(({ groupKey }) =>
        groupKey.includes('SilenceEnding'),
      )
      expect(reminders.map(({ at, status }) => `${Math.floor(at / minute)} ${status}`)).toEqual([
        '15 firing',
      ])
    })

    it('make the silence of each occurrence once', async () => {
      start({ config: text })
      const hourly = Array.from({ length: 24 }, (_, hour) => ({
        startTime: `${String(hour).padStart(2, '0')}:15`,
        endTime: `${String(hour).padStart(2, '0')}:45`,
      }))
      await createRecurringSilence(first.alerts, {
        matchers: [{ name: 'job', value: 'backup', isRegex: false }],
        timeIntervals: [{ times: hourly }],
        createdBy: 'maya',
        comment: 'the backup',
      })
      for (let quarter = 0; quarter < 16; quarter++) {
        await Promise.all([first, second].map(({ alerts }) => makeSilences(alerts)))
        await pass(15 * minute, minute)
      }
      const starts = (await listSilences(second.alerts)).map(({ startsAt }) => startsAt).sort()
      expect(starts).toEqual([...new Set(starts)])
      expect(starts.length).toBeGreaterThanOrEqual(4)
    })
  })
})
