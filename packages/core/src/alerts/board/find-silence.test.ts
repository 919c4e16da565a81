import { createMemoryStorage } from '@gatehouse/store-memory'
import { expect, it } from 'vitest'
import type { Storage } from '../../storage/storage.ts'
import { createManualClock } from '../../testing/manual-clock.ts'
import { createAlerts } from '../create-alerts.ts'
import { createSilence } from '../silences/create-silence.ts'
import { expireSilence } from '../silences/expire-silence.ts'
import { getSilence } from '../silences/get-silence.ts'

const config = 'route: { receiver: team }\nreceivers: [ { name: team } ]\n'

/** A storage that does not yet see the commits of other processes, which may take up to a second. */
const behind = (storage: Storage): Storage => ({
  ...storage,
  changes: async () => ({ revision: 0, written: [], removed: [] }),
})

it('a silence that another process has just created can be read, changed and expired', async () => {
  const clock = createManualClock()
  const storage = createMemoryStorage({ clock })
  const one = createAlerts({ storage, clock, config })
  const other = createAlerts({ storage: behind(storage), clock, config })
  const silence = {
    matchers: [{ name: 'alertname', value: 'A', isRegex: false }],
    startsAt: clock.now(),
    endsAt: clock.now() + 60_000,
    createdBy: 'ada',
    comment: 'first',
  }
  const id = await createSilence(one, silence)
  expect(await getSilence(other, id)).toMatchObject({ id, comment: 'first' })
  expect(await createSilence(other, { ...silence, id, comment: 'second' })).toBe(id)
  expect(await getSilence(one, id)).toMatchObject({ comment: 'second' })
  await expireSilence(other, id)
  expect(await getSilence(one, id)).toMatchObject({ status: { state: 'expired' } })
  await expect(getSilence(other, 'none')).rejects.toMatchObject({ reason: 'SilenceNotFound' })
})
