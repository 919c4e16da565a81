import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it } from 'vitest'
import type { Logger } from '../../../logger.ts'
import { silentLogger } from '../../../logger.ts'
import type { Storage } from '../../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../../testing/manual-clock.ts'
import { approvalCollection, createListeners, type Listener, type Listeners } from './listeners.ts'

const limits = { inAll: 5, perAddress: 3, perChannel: 2 }

interface World {
  readonly clock: ManualClock
  readonly storage: Storage
  readonly listeners: Listeners
  readonly warnings: string[]
  /** How often the changes in the storage were read. */
  asked(): number
  approve(channel: string): Promise<void>
  /** Lets time pass, and waits for the work that it starts. */
  pass(ms: number): Promise<void>
  /** While set, the storage fails with it. */
  failure: Error | undefined
}

function createWorld(): World {
  const clock = createManualClock()
  const memory = createMemoryStorage({ clock })
  const warnings: string[] = []
  const logger: Logger = { ...silentLogger, warn: (_, message) => warnings.push(message) }
  let asked = 0
  const checked = async <T>(answer: () => Promise<T>): Promise<T> => {
    if (world.failure !== undefined) throw world.failure
    return answer()
  }
  const storage: Storage = {
    ...memory,
    get: (collection, ids) => checked(() => memory.get(collection, ids)),
    changes: (collection, since) => {
      asked++
      return checked(() => memory.changes(collection, since))
    },
  }
  const world: World = {
    clock,
    storage,
    listeners: createListeners({ storage, clock, logger, limits }),
    warnings,
    asked: () => asked,
    async approve(channel) {
      await memory.commit([approvalCollection.write(channel, { approved_at: clock.now() })])
    },
    async pass(ms) {
      clock.advance(ms)
      await world.listeners.look()
    },
    failure: undefined,
  }
  return world
}

/** Records its calls. */
function record(): { listener: Listener; calls: string[] } {
  const calls: string[] = []
  const listener: Listener = {
    refresh: () => calls.push('refresh'),
    ping: () => calls.push('ping'),
    end: (reason) => calls.push(reason),
  }
  return { listener, calls }
}

const place = (channel: string, address = '192.0.2.1') => ({ channel, address, until: 1e15 })

describe('listeners', () => {
  it('are notified of the approval on their channel, each once', async () => {
    const { listeners, approve, pass } = createWorld()
    const [one, two, other] = [record(), record(), record()]
    listeners.add(one.listener, place('ws_1'))
    listeners.add(two.listener, place('ws_1', '192.0.2.2'))
    listeners.add(other.listener, place('ws_2'))
    await listeners.look()
    await approve('ws_1')
    await pass(1_000)
    await pass(1_000)
    expect([one.calls, two.calls, other.calls]).toEqual([['refresh'], ['refresh'], []])
    await approve('ws_1')
    await pass(1_000)
    expect(one.calls).toEqual(['refresh', 'refresh'])
  })

  it('are notified at once of an earlier approval', async () => {
    const { listeners, approve, pass } = createWorld()
    const [first, second] = [record(), record()]
    listeners.add(first.listener, place('ws_other'))
    await approve('ws_1')
    await pass(1_000)
    listeners.add(second.listener, place('ws_1'))
    await listeners.look()
    expect(second.calls).toEqual(['refresh'])
    await pass(5_000)
    expect([first.calls, second.calls]).toEqual([[], ['refresh']])
  })

  it('are notified within a second by polling', async () => {
    const { clock, listeners, approve } = createWorld()
    const { listener, calls } = record()
    const heard = new Promise<void>((resolve) => {
      listeners.add({ ...listener, refresh: resolve }, place('ws_1'))
    })
    await listeners.look()
    await approve('ws_1')
    clock.advance(1_000)
    await heard
    expect(calls).toEqual([])
  })

  it('are pinged at least every 30 seconds, and end after their time', async () => {
    const { clock, listeners, pass } = createWorld()
    const { listener, calls } = record()
    listeners.add(listener, { ...place('ws_1'), until: clock.now() + 60_000 })
    for (let second = 0; second < 60; second++) await pass(1_000)
    expect(calls).toEqual(['ping', 'ping', 'expired'])
    expect([listeners.size, clock.pendingTimers]).toEqual([0, 0])
  })

  it('stop polling if there are none', async () => {
    const { clock, listeners, approve, asked, pass } = createWorld()
    expect(clock.pendingTimers).toBe(0)
    const leave = listeners.add(record().listener, place('ws_1'))
    await listeners.look()
    expect(clock.pendingTimers).toBe(1)
    leave?.()
    leave?.()
    expect([listeners.size, clock.pendingTimers]).toEqual([0, 0])
    const before = asked()
    await approve('ws_1')
    await pass(10_000)
    expect(asked()).toBe(before)
    listeners.add(record().listener, place('ws_1'))
    expect(clock.pendingTimers).toBe(1)
  })

  it('are limited in total, for each address, and for each channel', () => {
    const { listeners } = createWorld()
    const add = (channel: string, address: string) =>
      listeners.add(record().listener, place(channel, address))
    const leave = add('ws_1', 'a')
    add('ws_1', 'b')
    expect(listeners.hasRoom(place('ws_1', 'c'))).toBe(false)
    expect(add('ws_1', 'c')).toBeUndefined()
    add('ws_2', 'a')
    add('ws_3', 'a')
    expect(add('ws_4', 'a')).toBeUndefined()
    add('ws_4', 'd')
    expect(add('ws_5', 'e')).toBeUndefined()
    expect(listeners.size).toBe(5)
    leave?.()
    expect(listeners.hasRoom(place('ws_1', 'a'))).toBe(true)
  })

  it('survive a failure of the storage', async () => {
    const world = createWorld()
    const { listener, calls } = record()
    await world.approve('ws_1')
    world.failure = new Error('gone')
    world.listeners.add(listener, place('ws_1'))
    await world.pass(1_000)
    expect(calls).toEqual([])
    expect(world.warnings).toContain('approvals of links could not be read')
    world.failure = undefined
    await world.pass(1_000)
    expect(calls).toEqual(['refresh'])
  })

  it('end together, and no others are accepted after that', () => {
    const { clock, listeners } = createWorld()
    const { listener, calls } = record()
    listeners.add(listener, place('ws_1'))
    listeners.close()
    expect(calls).toEqual(['closing'])
    expect(listeners.hasRoom(place('ws_1'))).toBe(false)
    expect(listeners.add(listener, place('ws_1'))).toBeUndefined()
    expect([listeners.size, clock.pendingTimers]).toEqual([0, 0])
  })
})
