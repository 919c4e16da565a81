import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import { silentLogger } from '../../logger.ts'
import { commitTogether } from '../../storage/commit-together.ts'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/index.ts'
import { systemMachine } from '../runner/process/machine.ts'
import { createHeartbeat } from './heartbeat.ts'
import { serverCollection } from './server-record.ts'

it('a heartbeat whose record others remove at that moment is renewed under another server id', async () => {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  let isRemoved = false
  const late: Storage = {
    ...storage,
    async get(collection, ids) {
      const found = await storage.get(collection, ids)
      if (isRemoved) await storage.commit(ids.map((id) => serverCollection.remove(id)))
      isRemoved = false
      return found
    },
  }
  const fenced: string[] = []
  let servers = 0
  const heartbeat = createHeartbeat({
    storage: late,
    commit: commitTogether({ storage }),
    clock,
    logger: silentLogger,
    machine: systemMachine,
    createId: () => `server ${++servers}`,
    isNeeded: () => true,
    onFenced: (server) => fenced.push(server),
    onSure: () => {},
  })
  await heartbeat.ensure()
  // As if the answer to its own commit had been lost.
  const sign = { started_at: clock.now(), ...systemMachine.own() }
  await storage.commit([serverCollection.write('server 1', sign)])
  isRemoved = true
  await heartbeat.confirm()
  expect(fenced).toEqual(['server 1'])
  expect(heartbeat.server).toBe('server 2')
  const signs = await serverCollection.find(storage, { by: 'id', limit: 9 })
  expect(signs.map(({ id }) => id)).toEqual(['server 2'])
})
