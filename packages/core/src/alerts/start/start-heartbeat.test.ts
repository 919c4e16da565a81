import { describe, expect, it } from 'vitest'
import type { Storage, Write } from '../../storage/storage.ts'
import { heartbeatLifeMs, peerCollection } from '../cluster/peer.ts'
import { getStatus } from '../running-config/get-status.ts'
import { createFixture } from '../service.fixture.ts'
import { createCluster, createSwitch, namesOf, settled } from './start-heartbeat.fixture.ts'
import { startHeartbeat } from './start-heartbeat.ts'

const minute = 60_000

describe('processes that share a storage', () => {
  it('list each other by name, each as ready', async () => {
    const { process, pass } = createCluster()
    const [b, a, c] = ['b', 'a', 'c'].map((name) => process(name))
    for (const one of [b, a, c]) one?.start()
    await settled()
    const peers = ['a', 'b', 'c'].map((name) => ({ name, address: `${name}:9094` }))
    expect(await a?.status()).toEqual({ name: 'a', peers, status: 'ready' })
    await pass(5 * minute)
    expect(await c?.status()).toEqual({ name: 'c', peers, status: 'ready' })
  })

  it('are settling, and list only themselves, until their heartbeat is stored', async () => {
    const { process } = createCluster()
    const [early, late] = [process('early'), process('late')]
    early.start()
    await settled()
    expect(await late.status()).toMatchObject({ name: 'late', status: 'settling' })
    expect(namesOf(await late.status())).toEqual(['early', 'late'])
    expect(namesOf(await early.status())).toEqual(['early'])
    late.start()
    await settled()
    expect((await late.status()).status).toBe('ready')
    expect(namesOf(await early.status())).toEqual(['early', 'late'])
  })

  it('no longer list one that crashed once its heartbeat has expired, without any other event', async () => {
    const { process, pass, clock } = createCluster()
    const [a, b] = [process('a'), process('b')]
    a.start()
    b.start()
    await settled()
    a.crash()
    b.crash()
    const reader = process('reader')
    expect(namesOf(await reader.status())).toEqual(['a', 'b', 'reader'])
    await pass(heartbeatLifeMs - 1)
    expect(namesOf(await reader.status())).toEqual(['a', 'b', 'reader'])
    clock.advance(1)
    expect(namesOf(await reader.status())).toEqual(['reader'])
  })

  it('no longer list one that was stopped, at once', async () => {
    const { process, storage, clock } = createCluster()
    const [a, b] = [process('a'), process('b')]
    const running = a.start()
    b.start()
    await settled()
    await running.stop()
    await running.stop()
    expect(namesOf(await b.status())).toEqual(['b'])
    expect((await a.status()).status).toBe('settling')
    expect(await storage.find(peerCollection, { by: 'id', limit: 10 })).toHaveLength(1)
    expect(clock.pendingTimers).toBe(1)
  })

  it('list each other as long as their clocks differ by less than a heartbeat has left', async () => {
    const { process, pass } = createCluster()
    const [exact, ahead] = [process('exact'), process('ahead', { aheadMs: 14_000 })]
    exact.start()
    ahead.start()
    for (let second = 0; second < 60; second++) {
      await pass(1_000)
      expect(namesOf(await ahead.status())).toEqual(['ahead', 'exact'])
      expect(namesOf(await exact.status())).toEqual(['ahead', 'exact'])
    }
  })

  it('may share a name: each keeps its heartbeat, and all addresses are listed', async () => {
    const { process, pass } = createCluster()
    const [first, second] = [
      process('twin', { address: 'one:9094' }),
      process('twin', { address: 'two:9094' }),
    ]
    first.start()
    const running = second.start()
    const peers = ['one:9094', 'two:9094'].map((address) => ({ name: 'twin', address }))
    for (let round = 0; round < 30; round++) {
      await pass(1_000)
      expect(await first.status()).toEqual({ name: 'twin', peers, status: 'ready' })
      expect(await second.status()).toEqual({ name: 'twin', peers, status: 'ready' })
    }
    await running.stop()
    expect(await first.status()).toMatchObject({ peers: peers.slice(0, 1), status: 'ready' })
  })

  it('list one that restarted with its name and address once, also before its old heartbeat expired', async () => {
    const { process, pass } = createCluster()
    const [before, after] = [process('a'), process('a')]
    before.start()
    await settled()
    before.crash()
    expect((await after.status()).status).toBe('settling')
    after.start()
    await settled()
    expect(await after.status()).toMatchObject({ peers: [{ name: 'a' }], status: 'ready' })
    await pass(minute)
    expect(await after.status()).toMatchObject({ peers: [{ name: 'a' }], status: 'ready' })
  })
})

describe('a heartbeat', () => {
  it('uses one record and one timer per process, and keeps the status the same object', async () => {
    const { process, pass, storage, clock } = createCluster()
    const [a, b] = [process('a'), process('b')]
    a.start()
    b.start()
    await settled()
    const status = await a.status()
    const { revision } = await storage.changes(peerCollection, 0)
    await pass(20 * minute)
    expect(await a.status()).toBe(status)
    expect(await storage.find(peerCollection, { by: 'id', limit: 10 })).toHaveLength(2)
    expect(await storage.changes(peerCollection, revision)).toMatchObject({
      written: [{ value: { name: expect.any(String) } }, { value: {} }],
      removed: [],
    })
    expect(clock.pendingTimers).toBe(2)
  })

  it('survives a failing storage, logs the failure and its end once, and recovers by itself', async () => {
    const { process, pass, storage } = createCluster()
    const away = createSwitch(storage)
    const [a, b] = [process('a', { storage: away.storage }), process('b')]
    away.failing = 'everything'
    a.start()
    b.start()
    await pass(minute)
    await expect(a.status()).rejects.toBe(away.failure)
    expect(namesOf(await b.status())).toEqual(['b'])
    expect(a.log).toEqual(['warn: the heartbeat could not be renewed'])
    away.failing = 'nothing'
    await pass(5_000)
    expect(await a.status()).toMatchObject({ peers: [{}, {}], status: 'ready' })
    expect(namesOf(await b.status())).toEqual(['a', 'b'])
    await pass(minute)
    expect(a.log.slice(1)).toEqual(['info: the heartbeat is renewed again'])
  })

  it('that cannot be renewed makes the process settling until it can be', async () => {
    const { process, pass, storage } = createCluster()
    const readOnly = createSwitch(storage)
    const a = process('a', { storage: readOnly.storage })
    a.start()
    await pass(5_000)
    readOnly.failing = 'commits'
    await pass(heartbeatLifeMs - 1)
    expect((await a.status()).status).toBe('ready')
    await pass(1)
    expect(await a.status()).toMatchObject({ peers: [{ name: 'a' }], status: 'settling' })
    readOnly.failing = 'nothing'
    await pass(5_000)
    expect((await a.status()).status).toBe('ready')
  })

  it('that cannot be removed is logged, and stopping does not fail', async () => {
    const { process, pass, storage, clock } = createCluster()
    const away = createSwitch(storage)
    const [a, b] = [process('a', { storage: away.storage }), process('b')]
    const running = a.start()
    await settled()
    away.failing = 'everything'
    await running.stop()
    expect(a.log).toEqual(['warn: the heartbeat could not be removed'])
    expect(clock.pendingTimers).toBe(0)
    expect(namesOf(await b.status())).toEqual(['a', 'b'])
    await pass(heartbeatLifeMs)
    expect(namesOf(await b.status())).toEqual(['b'])
  })

  it('is removed after a renewal in progress, so that it does not come back', async () => {
    const { process, storage, clock } = createCluster()
    const commits: (readonly Write[])[] = []
    let letGo = (): void => {}
    const gate = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const slow: Storage = {
      ...storage,
      async commit(writes) {
        commits.push(writes)
        await gate
        return storage.commit(writes)
      },
    }
    const stopped = process('a', { storage: slow }).start().stop()
    await settled()
    expect(commits).toHaveLength(1)
    letGo()
    await stopped
    expect(commits).toHaveLength(2)
    expect(await storage.find(peerCollection, { by: 'id', limit: 10 })).toEqual([])
    expect(clock.pendingTimers).toBe(0)
  })

  it('can be started again after it was stopped', async () => {
    const { process } = createCluster()
    const a = process('a')
    await a.start().stop()
    a.start()
    await settled()
    expect((await a.status()).status).toBe('ready')
  })

  it('is absent in a service without a cluster', async () => {
    const { alerts, clock, storage } = createFixture()
    const running = startHeartbeat(alerts)
    await settled()
    expect(clock.pendingTimers).toBe(0)
    expect(await storage.find(peerCollection, { by: 'id', limit: 10 })).toEqual([])
    expect((await getStatus(alerts)).cluster).toEqual({ peers: [], status: 'disabled' })
    await running.stop()
  })
})

describe('the option cluster', () => {
  it('stores and shows only a name and an address', async () => {
    const given = { name: 'a', address: 'h:1', password: 'x' }
    const { alerts, storage } = createFixture({ cluster: given })
    startHeartbeat(alerts)
    await settled()
    const [record] = await storage.find(peerCollection, { by: 'id', limit: 10 })
    expect(record?.value).toEqual({ name: 'a', address: 'h:1' })
    expect((await getStatus(alerts)).cluster.peers).toEqual([{ name: 'a', address: 'h:1' }])
  })

  it('is refused without a name', () => {
    expect(() => createFixture({ cluster: { name: '', address: 'h:1' } })).toThrow(
      'options.cluster.name: expected a non-empty string',
    )
  })
})
