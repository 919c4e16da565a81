import { describe, expect, it } from 'vitest'
import { GatehouseError } from '../../errors.ts'
import { createFunctionNotifier, type NotifyFunction } from './function-notifier.ts'
import { sampleNotification } from './notifier.fixture.ts'
import type { NotifyResult } from './notifier.ts'

const { signal } = new AbortController()

const notify = (call: NotifyFunction): Promise<NotifyResult> =>
  createFunctionNotifier(call).notify(sampleNotification(), signal)

describe('createFunctionNotifier', () => {
  it('is named `function`, or by its options', () => {
    const call = async (): Promise<void> => undefined
    expect(createFunctionNotifier(call).name).toBe('function')
    expect(createFunctionNotifier(call, { name: 'matrix' }).name).toBe('matrix')
  })

  it('passes on the notification and the signal', async () => {
    const seen: unknown[] = []
    const notification = sampleNotification()
    const notifier = createFunctionNotifier(async (...given) => {
      seen.push(...given, given[0].text('{{ .Status }}'))
    })
    await notifier.notify(notification, signal)
    expect(seen).toEqual([notification, signal, 'firing'])
  })

  it('treats a function that returns nothing as success', async () => {
    expect(await notify(async () => {})).toEqual({ outcome: 'sent' })
  })

  it.each<NotifyResult>([
    { outcome: 'sent', keep: { thread: '1' } },
    { outcome: 'retry', reason: 'rateLimited', detail: 'slowly', retryAfterMs: 5 },
    { outcome: 'failed', reason: 'clientError', detail: 'never' },
  ])('returns the result $outcome unchanged', async (result) => {
    expect(await notify(async () => result)).toEqual(result)
  })

  it('lets a function return a result on some paths only', async () => {
    const result = await notify(async ({ status }) => {
      if (status === 'firing') return { outcome: 'failed', reason: 'other', detail: 'no' }
      return undefined
    })
    expect(result).toEqual({ outcome: 'failed', reason: 'other', detail: 'no' })
  })

  it.each([
    [new RangeError('too busy'), 'too busy'],
    [new TypeError(''), 'TypeError'],
    ['a text', 'a text'],
    [new Error('x'.repeat(2_000)), 'x'.repeat(1_024)],
  ])('retries after an exception: %o', async (thrown, detail) => {
    const throwing = (): never => {
      throw thrown
    }
    const expected = { outcome: 'retry', reason: 'other', detail, mayHaveArrived: true }
    expect(await notify(async () => throwing())).toEqual(expected)
    expect(await notify(throwing)).toEqual(expected)
  })

  it('fails permanently if a template cannot be rendered', async () => {
    const attempt = notify(async ({ text }) => {
      text('{{ .Nope }}')
    })
    await expect(attempt).rejects.toMatchObject({ reason: 'TemplateExecution' })
    const limit = new GatehouseError('TooLarge', 'TemplateLimit', 'too long')
    await expect(notify(() => Promise.reject(limit))).rejects.toBe(limit)
  })

  it.each([true, 'sent', 200, {}, { outcome: 'ok' }, { outcome: 'retry' }])(
    'does not treat the value %o as success',
    async (value) => {
      const untyped = (async () => value) as unknown as NotifyFunction
      expect(await notify(untyped)).toEqual({
        outcome: 'failed',
        reason: 'other',
        detail: `the function returned a value that is not a NotifyResult: ${typeof value}`,
      })
    },
  )

  it('does not wait for a function after the attempt was aborted', async () => {
    const controller = new AbortController()
    const notifier = createFunctionNotifier(async () => {
      controller.abort()
      return new Promise<never>(() => undefined)
    })
    const expected = {
      outcome: 'retry',
      reason: 'contextCanceled',
      detail: 'the function did not end in time',
      mayHaveArrived: true,
    }
    expect(await notifier.notify(sampleNotification(), controller.signal)).toEqual(expected)
    const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
    expect(await notifier.notify(sampleNotification(), late)).toEqual({
      ...expected,
      reason: 'contextDeadlineExceeded',
    })
  })
})
