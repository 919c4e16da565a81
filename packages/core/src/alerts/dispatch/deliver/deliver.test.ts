import { expect, it, vi } from 'vitest'
import { createManualClock } from '../../../testing/index.ts'
import { sampleNotification } from '../../receivers/notifier.fixture.ts'
import { deliver } from './deliver.ts'

it('sends nothing after its deadline, even if the claim was renewed meanwhile', async () => {
  const end = new AbortController()
  const notify = vi.fn()
  const hold = async (): Promise<boolean> => {
    end.abort(new DOMException('the flush took too long', 'TimeoutError'))
    return true
  }
  const delivery = await deliver({ name: 'code', notify }, sampleNotification(), {
    clock: createManualClock(),
    claim: { isSure: () => false, hold },
    random: () => 0,
    end: end.signal,
    patience: new AbortController().signal,
    activity: { pause: () => () => {} },
    onAttempt: () => {},
  })
  expect(notify).not.toHaveBeenCalled()
  expect(delivery).toMatchObject({ attempts: 0, wasCut: true, mayHaveArrived: false })
})
