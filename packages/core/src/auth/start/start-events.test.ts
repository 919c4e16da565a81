import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { Running } from '../../async/running.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import type { AuthEvent } from '../events/auth-event.ts'
import { outboxCollection } from '../events/outbox.ts'
import { createUser } from '../people/create-user.ts'
import { updateUser } from '../people/update-user.ts'
import { startFlow, startOfTests, type TestAuth, testAuth } from '../service.fixture.ts'
import { startEvents } from './start-events.ts'

/** Runs everything that needs no timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Lets time pass in steps of a second, and waits for the work of each. */
async function pass({ clock }: Pick<TestAuth, 'clock'>, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    clock.advance(1_000)
    await settle()
  }
}

async function running(
  { auth }: TestAuth,
  work: (running: Running) => Promise<void>,
): Promise<void> {
  const started = startEvents(auth)
  await settle()
  try {
    await work(started)
  } finally {
    await started.stop()
  }
}

const waiting = ({ storage }: TestAuth) => outboxCollection.find(storage, { by: 'id', limit: 500 })
const typesOf = (events: readonly AuthEvent[]) => events.map(({ type }) => type)

/** A service with three undelivered events. */
async function withEvents(options: Parameters<typeof testAuth>[1] = {}) {
  const world = testAuth({}, options)
  const userId = await createUser(world.auth, { email: 'maya@harborlight.example' })
  await updateUser(world.auth, userId, { custom_attributes: { x_size: 'S' } })
  await updateUser(world.auth, userId, { custom_attributes: { x_size: 'M' } })
  return { ...world, userId }
}

describe('events', () => {
  it('wait for a listener, and are delivered once, oldest first', async () => {
    const world = await withEvents()
    expect(world.events).toEqual([])
    expect(await waiting(world)).toHaveLength(3)
    await running(world, async () => {
      expect(typesOf(world.events)).toEqual([
        'user.created',
        'user.profile.updated',
        'user.profile.updated',
      ])
      await pass(world, 100)
    })
    expect(world.events).toHaveLength(3)
    expect(await waiting(world)).toEqual([])
  })

  it('are delivered within a second if they come later', async () => {
    const world = await withEvents()
    await running(world, async () => {
      await updateUser(world.auth, world.userId, { is_disabled: true })
      await settle()
      expect(world.events).toHaveLength(3)
      await pass(world, 1)
      expect(world.events).toHaveLength(4)
    })
  })

  it('name the type, the time, and the source', async () => {
    const world = await withEvents()
    await running(world, async () => {
      const [created] = world.events
      expect(created).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        seq: 1,
        type: 'user.created',
        payload: {
          user: expect.objectContaining({ id: world.userId, is_disabled: false }),
          identities: [expect.objectContaining({ email: 'maya@harborlight.example' })],
        },
        context: {
          timestamp: startOfTests,
          user_id: world.userId,
          triggered_by: 'admin_api',
          client_id: null,
          ip_address: null,
          user_agent: null,
          app_id: 'test',
          preferred_languages: [],
          language: 'en',
          oauth: {},
          authentication_flow: null,
        },
      })
    })
  })

  it('are numbered in the order of delivery', async () => {
    const world = await withEvents()
    await running(world, async () => {
      await updateUser(world.auth, world.userId, { is_disabled: true })
      await pass(world, 1)
      expect(world.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    })
  })

  it('are all delivered if there are more than one batch', async () => {
    const world = testAuth()
    const userId = await createUser(world.auth, { preferred_username: 'maya' })
    for (let count = 0; count < 250; count++) {
      await updateUser(world.auth, userId, { custom_attributes: { x_count: count } })
    }
    await running(world, async () => {
      for (let turn = 0; turn < 40 && world.events.length < 251; turn++) await settle()
      const ids = world.events.map(({ id }) => id)
      expect(ids).toHaveLength(251)
      expect(ids).toEqual([...ids].sort())
    })
  })

  it('are not stored without a listener', async () => {
    const clock = createManualClock(startOfTests)
    const storage = createMemoryStorage({ clock })
    const { auth } = testAuth({}, { storage })
    const silent = { ...auth, onEvent: undefined }
    await createUser(silent, { preferred_username: 'maya' })
    expect(await outboxCollection.find(storage, { by: 'id', limit: 10 })).toEqual([])
  })

  it('of failures contain no secret', async () => {
    const world = testAuth()
    await createUser(world.auth, {
      email: 'maya@harborlight.example',
      password: 'tidal-lantern-42',
    })
    const flow = await startFlow(world, 'login')
    await flow.input({ identification: 'email', login_id: 'maya@harborlight.example' })
    await flow.input({ authentication: 'primary_password', password: 'not-my-password' })
    await flow.input({ authentication: 'primary_password', password: 'tidal-lantern-42' })
    await running(world, async () => {
      expect(typesOf(world.events)).toEqual([
        'user.created',
        'authentication.primary.password.failed',
        'user.authenticated',
      ])
      expect(JSON.stringify(world.events)).not.toMatch(/not-my-password|tidal-lantern-42|scrypt/)
    })
  })
})

describe('a refused event', () => {
  /** A service whose host refuses a number of events first. */
  async function refusing(times: number) {
    const delivered: AuthEvent[] = []
    let left = times
    const onEvent = async (event: AuthEvent): Promise<void> => {
      delivered.push(event)
      if (left-- > 0) throw new Error('not now')
    }
    return { ...(await withEvents({ onEvent })), delivered }
  }

  it('is retried after a while, and does not hold up the others', async () => {
    const world = await refusing(1)
    await running(world, async () => {
      expect(typesOf(world.delivered)).toEqual([
        'user.created',
        'user.profile.updated',
        'user.profile.updated',
      ])
      await pass(world, 1)
      expect(world.delivered).toHaveLength(3)
      await pass(world, 1)
      expect(world.delivered[3]).toEqual(world.delivered[0])
      expect(world.delivered.map(({ seq }) => seq)).toEqual([1, 2, 3, 1])
      expect(await waiting(world)).toEqual([])
    })
  })

  it('is retried with a growing pause, and dropped after twenty attempts with a line in the log', async () => {
    const lines: string[] = []
    const log = (_: object, message: string): void => {
      lines.push(message)
    }
    const delivered: number[] = []
    const world = testAuth(
      {},
      {
        logger: { debug: log, info: log, warn: log, error: log },
        onEvent: () => {
          delivered.push(world.clock.now())
          throw new Error('never')
        },
      },
    )
    await createUser(world.auth, { preferred_username: 'maya' })
    const started = startEvents(world.auth)
    await settle()
    for (let attempt = 1; attempt < 25; attempt++) {
      for (let waited = 0; waited < 610 && delivered.length === attempt; waited += 10) {
        world.clock.advance(10_000)
        await settle()
      }
    }
    await started.stop()
    expect(delivered).toHaveLength(20)
    const pauses = delivered.slice(1).map((at, index) => at - (delivered[index] ?? 0))
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b))
    expect(Math.max(...pauses)).toBeLessThanOrEqual(610_000)
    expect(lines.filter((line) => line === 'an event was dropped')).toHaveLength(1)
    expect(await waiting(world)).toEqual([])
  })
})

describe('among several processes', () => {
  /** Two services on one storage, and all events that either received. */
  async function pair(onEvent: (event: AuthEvent) => void | Promise<void> = () => {}) {
    const clock = createManualClock(startOfTests)
    const storage = createMemoryStorage({ clock })
    const delivered: string[] = []
    const places: (number | undefined)[] = []
    const note = async (event: AuthEvent): Promise<void> => {
      delivered.push(event.id)
      places.push(event.seq)
      await onEvent(event)
    }
    const worlds = [1, 2].map(() => testAuth({}, { storage, clock, onEvent: note }))
    const [one, two] = worlds as [TestAuth, TestAuth]
    const userId = await createUser(one.auth, { preferred_username: 'maya' })
    for (let count = 0; count < 20; count++) {
      await updateUser(two.auth, userId, { custom_attributes: { x_count: count } })
    }
    return { one, two, clock, storage, delivered, places }
  }

  it('each event is delivered by one', async () => {
    const { one, two, delivered } = await pair()
    const started = [startEvents(one.auth), startEvents(two.auth)]
    await settle()
    await settle()
    await Promise.all(started.map((each) => each.stop()))
    expect(new Set(delivered).size).toBe(21)
    expect(delivered).toHaveLength(21)
  })

  it('numbers are unique and without gaps', async () => {
    const { one, two, places } = await pair()
    const started = [startEvents(one.auth), startEvents(two.auth)]
    await expect.poll(() => places.length).toBe(21)
    await Promise.all(started.map((each) => each.stop()))
    const numbers = Array.from({ length: 21 }, (_, index) => index + 1)
    expect([...places].sort((a = 0, b = 0) => a - b)).toEqual(numbers)
  })

  it('the events of a crashed process are delivered by another after a minute', async () => {
    let isFirst = true
    const world = await pair(() => {
      if (!isFirst) return
      isFirst = false
      return new Promise(() => {})
    })
    const dead = startEvents(world.one.auth)
    await settle()
    expect(world.delivered).toHaveLength(1)
    await running(world.two, async () => {
      await settle()
      expect(world.delivered).toHaveLength(21)
      await pass({ clock: world.clock }, 58)
      expect(world.delivered).toHaveLength(21)
      await pass({ clock: world.clock }, 3)
      expect(world.delivered).toHaveLength(22)
      expect(world.delivered[21]).toBe(world.delivered[0])
      expect(world.places[21]).toBe(world.places[0])
      expect(await outboxCollection.find(world.storage, { by: 'id', limit: 10 })).toEqual([])
    })
    expect(dead).toBeDefined()
  })
})

describe('after a crash of a process whose clock was an hour ahead', () => {
  it('its current event is delivered by another process after a minute', async () => {
    const clock = createManualClock(startOfTests)
    const storage = createMemoryStorage({ clock })
    const delivered: string[] = []
    const note = (event: AuthEvent): void => {
      delivered.push(event.id)
    }
    const ahead = { ...clock, now: () => clock.now() + 3_600_000 }
    const dead = testAuth(
      {},
      {
        storage,
        clock: ahead,
        onEvent: (event) => {
          note(event)
          return new Promise(() => {})
        },
      },
    )
    await createUser(dead.auth, { preferred_username: 'maya' })
    startEvents(dead.auth)
    await settle()
    expect(delivered).toHaveLength(1)
    const other = testAuth({}, { storage, clock, onEvent: note })
    await running(other, async () => {
      await pass({ clock }, 58)
      expect(delivered).toHaveLength(1)
      await pass({ clock }, 3)
      expect(delivered).toEqual([delivered[0], delivered[0]])
      expect(await waiting(other)).toEqual([])
    })
  })
})

describe('a stopped service', () => {
  it('waits for the current delivery, and starts no other', async () => {
    let end = (): void => {}
    const delivered: AuthEvent[] = []
    const world = await withEvents({
      onEvent: (event) => {
        delivered.push(event)
        return new Promise<void>((resolve) => {
          end = resolve
        })
      },
    })
    const started = startEvents(world.auth)
    await settle()
    let isStopped = false
    const stopping = started.stop().then(() => {
      isStopped = true
    })
    await settle()
    expect(isStopped).toBe(false)
    end()
    await stopping
    expect(delivered).toHaveLength(1)
    expect(await waiting(world)).toHaveLength(2)
    expect(world.clock.pendingTimers).toBe(0)
  })

  it('goes on after a short failure of the storage', async () => {
    const world = await withEvents()
    let failures = 2
    const storage = {
      ...world.storage,
      find: (...given: Parameters<typeof world.storage.find>) =>
        failures-- > 0 ? Promise.reject(new Error('away')) : world.storage.find(...given),
    }
    const flaky = { ...world, auth: { ...world.auth, storage } }
    await running(flaky, async () => {
      expect(world.events).toEqual([])
      await pass(world, 2)
      expect(world.events).toHaveLength(3)
    })
  })
})
