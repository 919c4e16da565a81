import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postAlerts } from '../alerts/post-alerts.ts'
import type { NotifyResult } from '../receivers/notifier.ts'
import { createSilence } from '../silences/create-silence.ts'
import {
  createDispatchWorld,
  type DispatchProcess,
  type DispatchWorld,
  teamConfig,
} from './start-dispatcher.fixture.ts'
import { collectGarbage } from './start-maintenance.ts'

const sent: NotifyResult = { outcome: 'sent' }
const refused: NotifyResult = { outcome: 'retry', reason: 'serverError', detail: 'answered 500' }
const unanswered: NotifyResult = {
  outcome: 'retry',
  reason: 'other',
  detail: 'no answer in time',
  mayHaveArrived: true,
}
const never = (): Promise<NotifyResult> => new Promise(() => {})
const hourMs = 3_600_000

let world: DispatchWorld
beforeEach(() => {
  world = createDispatchWorld()
})
afterEach(() => world.end())

/** Runs everything that does not wait for a response from a receiver. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
}

/** Lets time pass although a process waits for something that never comes. */
async function passAnyway(seconds: number): Promise<void> {
  for (let quarter = 0; quarter < 4 * seconds; quarter++) {
    world.clock.advance(250)
    await turns()
  }
}

const resolve = (on: DispatchProcess, alertname: string): Promise<void> =>
  postAlerts(on.alerts, [{ labels: { alertname, i: '1' }, endsAt: world.clock.now() }])

const lastNotified = () => world.notifications.at(-1)?.alerts
const briefly = () => world.notifications.map(({ at, by, alerts }) => [at, by, ...alerts])

/** The points in a flush at which a process is killed. */
const phases: Readonly<Record<string, (process: DispatchProcess) => void>> = {
  'before it sends': (process) => process.reach('unanswered'),
  'while the receiver handles it': () => world.answers.push(never),
  'after it sent, before it logs': (process) => {
    world.answers.push(() => {
      process.reach('away')
      return sent
    })
  },
  'after the commit that logs it': (process) => {
    world.answers.push(() => {
      process.reach('unanswered')
      return sent
    })
  },
}

describe.each(Object.entries(phases))('a process that is killed %s', (_, prepare) => {
  /** Kills a process during the flush that is due in a quarter of a second. */
  const kill = async (process: DispatchProcess): Promise<void> => {
    prepare(process)
    world.clock.advance(250)
    await turns()
    process.crash()
  }

  it('leaves no receiver that considers an alert firing after it was resolved', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    await world.pass(29.75)
    await kill(a)
    const b = world.start({ name: 'b' })
    await world.pass(2)
    await resolve(b, 'A')
    await world.pass(400)
    expect(lastNotified() ?? ['A/1 resolved']).toEqual(['A/1 resolved'])
  })

  it('leaves no receiver without the news that an alert fires again', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    await world.pass(100)
    await resolve(a, 'A')
    await world.pass(229.75)
    await kill(a)
    const b = world.start({ name: 'b' })
    await world.pass(2)
    await world.post(b, ['A/1'])
    await world.pass(400)
    expect(lastNotified()).toEqual(['A/1 firing'])
  })

  it('leaves none even if no process runs until after its lease', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'], 60)
    await world.pass(29.75)
    await kill(a)
    await world.pass(3_600)
    world.start({ name: 'b' })
    await world.pass(400)
    expect(lastNotified() ?? ['A/1 resolved']).toEqual(['A/1 resolved'])
  })

  it('repeats only the notification in progress, once', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    await world.pass(29.75)
    await kill(a)
    world.start({ name: 'b' })
    await world.pass(1_000)
    expect(world.notifications.length).toBeLessThanOrEqual(2)
    expect(lastNotified()).toEqual(['A/1 firing'])
  })
})

describe('a process that is killed', () => {
  it('while it finds that there is nothing to send causes no repetition', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    await world.pass(329.75)
    a.reach('unanswered')
    world.clock.advance(250)
    await turns()
    a.crash()
    world.start({ name: 'b' })
    await world.pass(700)
    expect(briefly()).toEqual([[30, 'a', 'A/1 firing']])
  })

  it('leaves a notification uncertain, even through a silence', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    await world.pass(100)
    await resolve(a, 'A')
    await world.pass(229.75)
    world.answers.push(never)
    world.clock.advance(250)
    await turns()
    a.crash()
    const b = world.start({ name: 'b' })
    const now = world.clock.now()
    await createSilence(b.alerts, {
      matchers: [{ name: 'alertname', value: 'A', isRegex: false }],
      startsAt: now,
      endsAt: now + 600_000,
      createdBy: 'x',
      comment: 'y',
    })
    await world.post(b, ['A/1'])
    await world.pass(590)
    expect(lastNotified()).toEqual(['A/1 resolved'])
    await world.pass(400)
    expect(lastNotified()).toEqual(['A/1 firing'])
  })

  it('twice is taken over twice', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'])
    world.answers.push(never, never)
    await world.pass(29.75)
    await passAnyway(1)
    a.crash()
    const b = world.start({ name: 'b' })
    await passAnyway(16)
    b.crash()
    const c = world.start({ name: 'c' })
    await resolve(c, 'A')
    await world.pass(30)
    expect(world.notifications.map(({ by, status }) => [by, status])).toEqual([
      ['a', 'firing'],
      ['b', 'firing'],
      ['c', 'resolved'],
    ])
  })
})

describe('a receiver that did not confirm a notification', () => {
  const config = teamConfig.replace('5m', '20s')

  it('gets the resolution if it may have received the alert', async () => {
    const one = world.start({ config })
    for (let i = 0; i < 100; i++) world.answers.push(() => unanswered)
    await world.post(one, ['A/1'], 35)
    await world.pass(49.75)
    world.answers.length = 0
    await world.pass(60)
    expect(lastNotified()).toEqual(['A/1 resolved'])
  })

  it('gets an alert that fires again if it may have received the resolution', async () => {
    const one = world.start({ config })
    await world.post(one, ['A/1'])
    await world.pass(35)
    await resolve(one, 'A')
    world.answers.push(() => ({ ...unanswered, outcome: 'failed' }))
    await world.pass(25)
    expect(lastNotified()).toEqual(['A/1 resolved'])
    await world.post(one, ['A/1'])
    await world.pass(60)
    expect(lastNotified()).toEqual(['A/1 firing'])
    expect(world.notifications.at(-1)?.reason).toBe('unknown')
    const { length } = world.notifications
    await world.pass(60)
    expect(world.notifications).toHaveLength(length)
  })

  it('gets nothing about a resolved alert that it refused', async () => {
    const one = world.start({ config })
    for (let i = 0; i < 100; i++) world.answers.push(() => refused)
    await world.post(one, ['A/1'], 35)
    await world.pass(49.75)
    world.answers.length = 0
    await world.pass(60)
    expect(world.notifications.map(({ status }) => status)).not.toContain('resolved')
  })
})

describe('a suspended process', () => {
  /** Starts two processes. Returns the one that notifies the group, and the other one. */
  const startTwo = async (): Promise<{ sender: DispatchProcess; other: DispatchProcess }> => {
    const processes = { a: world.start({ name: 'a' }), b: world.start({ name: 'b' }) }
    await world.post(processes.a, ['A/1'])
    await world.pass(29.75)
    world.clock.advance(250)
    await turns()
    const { a, b } = processes
    return world.notifications[0]?.by === 'a' ? { sender: a, other: b } : { sender: b, other: a }
  }

  it('sends nothing between its attempts after another has taken over', async () => {
    world.answers.push(() => refused)
    const { sender } = await startTwo()
    const by = world.notifications[0]?.by
    sender.suspend()
    await world.pass(30)
    expect(world.notifications.map((one) => one.by === by)).toEqual([true, false])
    sender.resume()
    await world.pass(600)
    expect(world.notifications).toHaveLength(2)
  })

  it('continues if no other has taken over', async () => {
    const one = world.start()
    await world.post(one, ['A/1'])
    world.answers.push(() => refused)
    await world.pass(29.75)
    world.clock.advance(250)
    await turns()
    one.suspend()
    await world.pass(30)
    one.resume()
    await world.pass(30)
    expect(world.notifications.map(({ at }) => Math.floor(at))).toEqual([30, 60])
    await world.pass(600)
    expect(world.notifications).toHaveLength(2)
  })

  it('has a notification corrected that may have arrived too late', async () => {
    world.answers.push(() => sent)
    const processes = { a: world.start({ name: 'a' }), b: world.start({ name: 'b' }) }
    await world.post(processes.a, ['A/1'])
    await world.pass(29.75)
    let answer = (_: NotifyResult): void => {}
    world.answers.length = 0
    world.answers.push(() => new Promise((done) => (answer = done)))
    world.clock.advance(250)
    await turns()
    const by = world.notifications[0]?.by
    const [sender, other] = by === 'a' ? [processes.a, processes.b] : [processes.b, processes.a]
    sender.suspend()
    await world.pass(1)
    await resolve(other, 'A')
    await world.pass(30)
    expect(world.notifications.map(({ status }) => status)).toEqual(['firing', 'resolved'])
    // The receiver may get the first notification only now.
    answer(sent)
    sender.resume()
    await world.pass(10)
    expect(world.notifications.map(({ status }) => status)).toEqual([
      'firing',
      'resolved',
      'resolved',
    ])
    await world.pass(600)
    expect(world.notifications).toHaveLength(3)
  })
})

describe('a wall clock that is corrected', () => {
  it.each([-hourMs, hourMs])('by %i ms delays no first notification', async (ms) => {
    const one = world.start()
    await world.post(one, ['A/1'])
    await world.pass(10)
    world.clock.setWallClock(world.clock.now() + ms)
    await world.pass(600)
    expect(briefly()).toEqual([[30, 'one', 'A/1 firing']])
  })

  it.each([-hourMs, hourMs])('by %i ms delays no later notification', async (ms) => {
    const one = world.start()
    await world.post(one, ['A/1'])
    await world.pass(100)
    world.clock.setWallClock(world.clock.now() + ms)
    await world.post(one, ['A/2'])
    await world.pass(600)
    expect(briefly()).toEqual([
      [30, 'one', 'A/1 firing'],
      [330, 'one', 'A/1 firing', 'A/2 firing'],
    ])
  })

  it.each([-hourMs, hourMs])(
    'by %i ms before a restart delays by one interval at most',
    async (ms) => {
      const a = world.start({ name: 'a' })
      await world.post(a, ['A/1'])
      await world.pass(100)
      await world.post(a, ['A/2', 'B/1'])
      await world.pass(1)
      a.crash()
      world.clock.setWallClock(world.clock.now() + ms)
      world.start({ name: 'b' })
      await world.pass(301)
      expect(world.notifications.map(({ alerts }) => alerts).sort()).toEqual([
        ['A/1 firing'],
        ['A/1 firing', 'A/2 firing'],
        ['B/1 firing'],
      ])
    },
  )

  it('back by an hour does not delay a repetition', async () => {
    const one = world.start({ config: teamConfig.replace('4h', '1h') })
    await world.post(one, ['A/1'])
    await world.pass(100)
    world.clock.setWallClock(world.clock.now() - hourMs)
    await world.pass(4_300)
    expect(world.notifications.map(({ reason }) => reason)).toEqual([
      'first notification',
      'repeat interval elapsed',
    ])
  })

  it('back by an hour does not lengthen the start delay', async () => {
    const one = world.start({ startDelayMs: 60_000 })
    await world.post(one, ['A/1'])
    await world.pass(1)
    world.clock.setWallClock(world.clock.now() - hourMs)
    await world.pass(70)
    expect(briefly()).toEqual([[60, 'one', 'A/1 firing']])
  })

  it.each([-hourMs, hourMs])('by %i ms does not affect the claim of a slow flush', async (ms) => {
    world.start({ name: 'a' })
    const b = world.start({ name: 'b' })
    await world.post(b, ['A/1'])
    await world.pass(29.75)
    let answer = (_: NotifyResult): void => {}
    world.answers.push(() => new Promise((done) => (answer = done)))
    await passAnyway(3)
    world.clock.setWallClock(world.clock.now() + ms)
    await passAnyway(40)
    answer(sent)
    await world.pass(400)
    expect(world.notifications).toHaveLength(1)
  })
})

describe.each([5_000, hourMs])('two processes whose clocks are %i ms apart', (clockAheadMs) => {
  const startBoth = () =>
    [world.start({ name: 'a' }), world.start({ name: 'b', clockAheadMs })] as const

  it('notify each group once', async () => {
    const [a, b] = startBoth()
    const names = Array.from({ length: 20 }, (_, index) => `A${index}/1`)
    await world.post(
      a,
      names.filter((_, index) => index % 2 === 0),
    )
    await world.post(
      b,
      names.filter((_, index) => index % 2 === 1),
    )
    await world.pass(1_000)
    expect(world.notifications.map(({ alerts }) => alerts[0]).sort()).toEqual(
      names.map((name) => `${name} firing`).sort(),
    )
  })

  it.each(['a', 'b'])('do not take over a slow flush from %s', async (sender) => {
    const [a, b] = startBoth()
    const [own, other] = sender === 'a' ? [a, b] : [b, a]
    other.suspend()
    await world.post(own, ['A/1'])
    let answer = (_: NotifyResult): void => {}
    world.answers.push(() => new Promise((done) => (answer = done)))
    await passAnyway(31)
    other.resume()
    await passAnyway(60)
    expect(world.notifications.map(({ by }) => by)).toEqual([sender])
    answer(sent)
    await world.pass(300)
    expect(world.notifications).toHaveLength(1)
  })

  it.each(['a', 'b'])('take over from %s after its lease when it is gone', async (sender) => {
    const [a, b] = startBoth()
    const [own, other] = sender === 'a' ? [a, b] : [b, a]
    other.suspend()
    await world.post(own, ['A/1'])
    world.answers.push(never)
    await passAnyway(31)
    own.crash()
    other.resume()
    await world.pass(20)
    expect(world.notifications.map(({ by }) => by)).toEqual([sender, sender === 'a' ? 'b' : 'a'])
    const [first, second] = world.notifications.map(({ at }) => at)
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(15)
  })
})

describe('garbage collection', () => {
  it('keeps a resolved alert until its group has notified about it', async () => {
    const one = world.start()
    await world.post(one, ['A/1'], 60)
    await world.pass(100)
    await collectGarbage(one.alerts)
    await world.pass(300)
    expect(lastNotified()).toEqual(['A/1 resolved'])
    expect(await collectGarbage(one.alerts)).toEqual({ alerts: 1, silences: 0 })
  })

  it('keeps an alert that a killed process may have notified about until another has notified about the rest', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'], 32)
    world.answers.push(never)
    await world.pass(29.75)
    await passAnyway(3)
    a.crash()
    const b = world.start({ name: 'b' })
    await collectGarbage(b.alerts)
    await world.pass(60)
    expect(lastNotified()).toEqual(['A/1 resolved'])
  })

  it('does not wait for a group longer than the retention', async () => {
    const a = world.start({ name: 'a' })
    await world.post(a, ['A/1'], 60)
    await world.pass(100)
    await a.dispatcher.stop()
    world.clock.advance(100 * hourMs)
    expect(await collectGarbage(a.alerts)).toEqual({ alerts: 0, silences: 0 })
    world.clock.advance(20 * hourMs)
    expect(await collectGarbage(a.alerts)).toEqual({ alerts: 1, silences: 0 })
  })
})

describe('a group that is due again', () => {
  /** Delays the response to the commit that logs the next notification, until the returned function is called. */
  const holdAnswer = (): (() => void) => {
    const { commit } = world.storage
    let answer = (): void => {}
    const held = new Promise<void>((done) => (answer = done))
    world.answers.push(() => {
      world.storage.commit = async (writes) => {
        world.storage.commit = commit
        const versions = await commit(writes)
        await held
        return versions
      }
      return sent
    })
    return answer
  }

  it('before the storage confirms its last flush is flushed after that', async () => {
    const one = world.start()
    await world.post(one, ['A/1'])
    await world.pass(100)
    await resolve(one, 'A')
    await world.pass(229.75)
    const answer = holdAnswer()
    await passAnyway(1)
    expect(lastNotified()).toEqual(['A/1 resolved'])
    await world.post(one, ['A/1'])
    await passAnyway(40)
    answer()
    await world.pass(1)
    expect(lastNotified()).toEqual(['A/1 firing'])
  })

  it('by the end of a flush that took longer than its interval is flushed after that', async () => {
    const one = world.start({ config: teamConfig.replace('5m', '20s') })
    await world.post(one, ['A/1'])
    await world.pass(40)
    await resolve(one, 'A')
    await world.pass(9.75)
    const answer = holdAnswer()
    world.answers.unshift(() => refused)
    world.clock.advance(250)
    await turns()
    one.suspend()
    const other = world.start({ name: 'other' })
    await other.dispatcher.stop()
    await world.post(other, ['A/1'])
    await passAnyway(34)
    one.resume()
    await passAnyway(2)
    expect(lastNotified()).toEqual(['A/1 resolved'])
    answer()
    await world.pass(30)
    expect(lastNotified()).toEqual(['A/1 firing'])
  })
})

it('a flush takes two commits, however many groups it covers', async () => {
  const one = world.start()
  await world.post(one, ['A/1', 'B/1', 'C/1'])
  await world.pass(29)
  const { commit } = world.storage
  let commits = 0
  world.storage.commit = (writes) => {
    commits++
    return commit(writes)
  }
  await world.pass(1)
  expect([world.notifications.length, commits]).toEqual([3, 2])
  commits = 0
  await world.pass(300)
  expect([world.notifications.length, commits]).toEqual([3, 2])
})
