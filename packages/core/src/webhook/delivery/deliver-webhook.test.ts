import { createMemoryStorage } from '@gatehouse/store-memory'
import { describe, expect, it, vi } from 'vitest'
import { type Storage, storageUnavailable } from '../../storage/storage.ts'
import { createManualClock, type ManualClock } from '../../testing/index.ts'
import { closeWebhooks } from '../close-webhooks.ts'
import type { WebhookDefinition } from '../config/written/webhooks-config.generated.ts'
import { getRun } from '../get-run.ts'
import { runCollection } from '../records/run-record.ts'
import { sampleDelivery } from '../request/delivery.fixture.ts'
import type { Delivery } from '../request/delivery.ts'
import { findRunHandle } from '../runs/find-run.ts'
import {
  createFixture,
  endAtOnce,
  type Fixture,
  settled,
  webhookNamed,
} from '../service.fixture.ts'
import { deliverWebhook } from './deliver-webhook.ts'

const strict = webhookNamed('strict', {
  allow_ips: ['192.0.2.0/24'],
  rate_limit: { runs: 2, per: '1h' },
  dedupe: { key: 'header:key' },
  rules: { source: 'data.ref', equals: 'main', mismatch_status: 204 },
  command_arguments: [{ source: 'data.v' }],
  queue: 0,
})

/** A delivery that is valid only for what it sets. */
function delivery(parts: Partial<Delivery> & { body?: Delivery['body'] } = {}): Delivery & {
  released: number
} {
  const made = {
    ...sampleDelivery(),
    trust: 'unchecked' as const,
    ...parts,
    released: 0,
    hold: {
      release() {
        made.released++
      },
    },
  }
  return made
}

const body = (text: string): Pick<Delivery, 'body' | 'rawBody'> => {
  const { body, rawBody } = sampleDelivery({ body: text })
  return { body, rawBody }
}

/** The outcome of a delivery, in one word. */
const outcome = ({ webhooks }: Fixture, given: Delivery): Promise<string> =>
  deliverWebhook(webhooks, given).then(
    ({ kind }) => kind,
    (error) => String(error.reason),
  )

describe('a delivery', () => {
  it('is checked step by step, and the first failure is the answer', async () => {
    const fixture = createFixture({ config: { webhooks: [strict] } })
    const good = { id: 'strict', token: 't', clientAddress: '192.0.2.9' }
    const bad = { id: 'strict', token: 'wrong', clientAddress: '198.51.100.1' }
    expect(await outcome(fixture, delivery({ ...bad, id: 'nobody' }))).toBe('unknown_webhook')
    expect(await outcome(fixture, delivery(bad))).toBe('address_not_allowed')
    expect(await outcome(fixture, delivery({ ...bad, clientAddress: undefined }))).toBe(
      'address_not_allowed',
    )
    expect(await outcome(fixture, delivery({ ...good, token: 'wrong' }))).toBe('invalid_token')
    expect(await outcome(fixture, delivery({ ...good, token: undefined }))).toBe('invalid_token')
    expect(await outcome(fixture, delivery(good))).toBe('skipped')
    const main = body('{"data":{"ref":"main"}}')
    expect(await outcome(fixture, delivery({ ...good, ...main }))).toBe('argument_missing')
    const whole = body('{"data":{"ref":"main","v":"1"}}')
    expect(await outcome(fixture, delivery({ ...good, ...whole }))).toBe('run')
    expect(await outcome(fixture, delivery({ ...good, ...whole }))).toBe('queue_full')
    const closing = closeWebhooks(fixture.webhooks, { graceMs: 0 })
    expect(await outcome(fixture, delivery({ ...bad, id: 'nobody' }))).toBe('shutting_down')
    await closing
  })

  it('is admitted by its token, its signature, both or either', async () => {
    const signed = (auth: string): WebhookDefinition =>
      webhookNamed(auth, {
        auth,
        concurrency: 0,
        signature: { scheme: 'gitlab-token', secret: 's' },
      })
    const fixture = createFixture({
      config: { webhooks: ['token', 'signature', 'both', 'either'].map(signed) },
      script: endAtOnce,
    })
    const proofs = [
      { token: 't', signature: 's' },
      { token: 't', signature: 'x' },
      { token: 'x', signature: 's' },
      { token: 'x', signature: 'x' },
      { token: undefined, signature: 'x' },
    ]
    const outcomes: Record<string, string[]> = {}
    for (const id of ['token', 'signature', 'both', 'either']) {
      outcomes[id] = []
      for (const { token, signature } of proofs) {
        const header = (name: string): string | undefined =>
          name.toLowerCase() === 'x-gitlab-token' ? signature : undefined
        outcomes[id].push(await outcome(fixture, delivery({ id, token, header })))
      }
    }
    const [noToken, noSignature] = ['invalid_token', 'invalid_signature']
    expect(outcomes).toEqual({
      token: ['run', 'run', noToken, noToken, noToken],
      signature: ['run', noSignature, 'run', noSignature, noSignature],
      both: ['run', noSignature, noToken, noToken, noToken],
      either: ['run', 'run', 'run', noToken, noSignature],
    })
    expect(fixture.lines).toContainEqual({
      level: 'info',
      message: 'a signature was refused',
      fields: { webhook: 'both', request_id: 'r1', reason: 'signature_mismatch' },
    })
  })

  it('with any token reports that a signature over a parsed body cannot be verified', async () => {
    const signature = { scheme: 'github', secret: 's' }
    const either = webhookNamed('either', { token: 't', signature, auth: 'either' })
    const fixture = createFixture({ config: { webhooks: [either] } })
    const header = (name: string): string | undefined =>
      name === 'x-hub-signature-256' ? `sha256=${'0'.repeat(64)}` : undefined
    for (const token of [undefined, 'x']) {
      const given = delivery({ id: 'either', token, header, isBodyRebuilt: true })
      await expect(deliverWebhook(fixture.webhooks, given)).rejects.toMatchObject({
        reason: 'invalid_signature',
        message: expect.stringContaining('kept no raw bytes'),
      })
    }
    expect(fixture.lines).toContainEqual({
      level: 'warn',
      message: expect.stringContaining('request.rawBody'),
      fields: { webhook: 'either', request_id: 'r1', reason: 'body_was_parsed' },
    })
  })

  it('with a checked token still needs the signature if both are required', async () => {
    const fixture = createFixture({
      config: {
        webhooks: [
          webhookNamed('both', {
            auth: 'both',
            signature: { scheme: 'gitlab-token', secret: 's' },
          }),
          webhookNamed('job'),
        ],
      },
    })
    const checked = { trust: 'token-checked' as const, token: undefined }
    expect(await outcome(fixture, delivery({ id: 'both', ...checked }))).toBe('invalid_signature')
    expect(await outcome(fixture, delivery({ id: 'job', ...checked }))).toBe('run')
  })

  it('releases its body once, when the command has it or never will', async () => {
    const fixture = createFixture({ config: { webhooks: [webhookNamed('job', { queue: 1 })] } })
    const { webhooks, runner } = fixture
    const trust = 'program' as const
    const [running, waiting] = [delivery({ id: 'job', trust }), delivery({ id: 'job', trust })]
    await deliverWebhook(webhooks, running)
    await settled()
    expect(running.released).toBe(1)
    const waited = await deliverWebhook(webhooks, waiting)
    const refused = [
      delivery({ id: 'job', trust }),
      delivery({ id: 'nobody', trust }),
      delivery({ id: 'job', token: 'wrong' }),
    ]
    for (const one of refused) await outcome(fixture, one)
    expect(refused.map(({ released }) => released)).toEqual([1, 1, 1])
    await settled()
    expect(waiting.released).toBe(0)
    if (waited.kind === 'run') waited.run.cancel('canceled')
    await settled()
    expect(waiting.released).toBe(1)
    runner.commands[0]?.end()
    await settled()
    expect([running.released, waiting.released]).toEqual([1, 1])
  })
})

describe('with an unavailable storage', () => {
  /** A memory store that can be disconnected. */
  function createBrokenStorage(clock = createManualClock()): {
    clock: ManualClock
    storage: Storage
    cut(isCut: boolean): void
  } {
    const memory = createMemoryStorage({ clock })
    let isCut = false
    const guard = <A extends unknown[], R>(method: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        if (isCut) throw storageUnavailable('the database is away')
        return method(...args)
      }
    }
    const { get, find, commit } = memory
    return {
      clock,
      storage: { ...memory, get: guard(get), find: guard(find), commit: guard(commit) },
      cut: (value) => {
        isCut = value
      },
    }
  }

  it('no run starts without a record, and no place is lost', async () => {
    const { clock, storage, cut } = createBrokenStorage()
    const fixture = createFixture({ clock, storage })
    cut(true)
    const job = delivery({ id: 'job', token: 't' })
    await expect(deliverWebhook(fixture.webhooks, job)).rejects.toMatchObject({
      kind: 'ServiceUnavailable',
      reason: 'overloaded',
      info: { retryAfterSeconds: 1 },
      cause: { reason: 'StorageUnavailable' },
    })
    expect([fixture.runner.commands.length, fixture.webhooks.work.board.size]).toEqual([0, 0])
    cut(false)
    expect(await outcome(fixture, delivery({ id: 'job', token: 't' }))).toBe('run')
    await settled()
    expect(fixture.runner.commands).toHaveLength(1)
  })

  it('a finished run is answered as not recorded after ten seconds, and recorded as soon as possible', async () => {
    const { clock, storage, cut } = createBrokenStorage()
    const fixture = createFixture({ clock, storage })
    const { webhooks, runner } = fixture
    const delivered = await deliverWebhook(webhooks, delivery({ id: 'job', token: 't' }))
    if (delivered.kind !== 'run') throw new Error(delivered.kind)
    const { run } = delivered
    await vi.waitFor(() => expect(runner.commands).toHaveLength(1))
    cut(true)
    runner.commands[0]?.end(3)
    await settled()
    const pass = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        clock.advance(1_000)
        await settled()
      }
    }
    await pass(9)
    expect(findRunHandle(webhooks, run.run_id)?.snapshot()).toMatchObject({ status: 'running' })
    await pass(1)
    expect(await run.ended).toMatchObject({ status: 'failed', exit_code: 3, recorded: false })
    expect(findRunHandle(webhooks, run.run_id)?.snapshot()).toEqual(await run.ended)
    cut(false)
    clock.advance(30_000)
    await settled()
    expect(await runCollection.get(storage, run.run_id)).toMatchObject({
      value: { status: 'failed', exit_code: 3 },
    })
    expect(await getRun(webhooks, run.run_id)).not.toHaveProperty('recorded')
    expect(webhooks.work.board.size).toBe(0)
    expect(fixture.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
  })

  it('the service can be closed, and logs what it could not record', async () => {
    const { clock, storage, cut } = createBrokenStorage()
    const fixture = createFixture({ clock, storage })
    await deliverWebhook(fixture.webhooks, delivery({ id: 'job', token: 't' }))
    await settled()
    cut(true)
    await closeWebhooks(fixture.webhooks, { graceMs: 0 })
    await settled()
    expect(fixture.lines.map(({ message }) => message)).toContain(
      'the end of a run was never recorded',
    )
  })
})
