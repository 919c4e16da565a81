import { describe, expect, it } from 'vitest'
import { GatehouseError } from '../../errors.ts'
import { sampleRun } from '../board/run-handle.fixture.ts'
import { invalidRequest, webhookError } from '../errors.ts'
import { sampleWebhook } from '../webhook.fixture.ts'
import { refusalAnswer, toRefusal } from './error-response.ts'

function answerTo(error: unknown) {
  const { status, headers, body } = refusalAnswer(toRefusal(error), 'r1')
  return { status, headers, body: JSON.parse(String(body)) }
}

describe('an error of the service', () => {
  it('is answered with its code, its message and its details', () => {
    const fields = [{ path: 'id', problem: 'is missing' }]
    expect(answerTo(invalidRequest(fields))).toMatchObject({
      status: 400,
      body: { message: 'id: is missing', code: 'invalid_request', request_id: 'r1', fields },
    })
    const missing = webhookError('argument_missing', 'no value', { argument: 0, source: 'data.a' })
    expect(answerTo(missing)).toMatchObject({
      status: 422,
      body: { code: 'argument_missing', argument: 0, source: 'data.a' },
    })
  })

  it('contains its run, with the output that the webhook shows', () => {
    const run = sampleRun({ status: 'failed', reason: 'not_started' })
    const webhook = sampleWebhook({ include_output: 'always' })
    const error = webhookError('command_not_started', 'no program', { run, webhook })
    expect(answerTo(error).body).toMatchObject({
      code: 'command_not_started',
      status: 'failed',
      reason: 'not_started',
      exit_code: null,
      run_id: run.id,
      stdout: '',
    })
  })

  it.each([
    [webhookError('queue_full', 'full', { retryAfterSeconds: 2.1 }), '3'],
    [webhookError('rate_limited', 'slowly', { retryAfterSeconds: 4_000 }), '60'],
    [webhookError('overloaded', 'too much', { retryAfterSeconds: 0 }), '1'],
    [webhookError('shutting_down', 'bye'), '1'],
    [webhookError('invalid_token', 'no', { retryAfterSeconds: 5 }), undefined],
  ])('that is temporary says when to try again (%s)', (error, seconds) => {
    expect(answerTo(error).headers['retry-after']).toBe(seconds)
  })

  it('about an unread body closes the connection', () => {
    expect(answerTo(webhookError('body_too_large', 'too large')).headers.connection).toBe('close')
  })
})

it.each([
  new Error('the password is hunter2'),
  new GatehouseError('Conflict', 'StaleVersion', 'the password is hunter2'),
  new GatehouseError('NotFound', 'constructor', 'the password is hunter2'),
  'the password is hunter2',
  undefined,
])('any other error reveals nothing (%s)', (error) => {
  expect(answerTo(error)).toMatchObject({
    status: 500,
    body: { message: 'internal error', code: 'internal_error', request_id: 'r1' },
  })
})

it('an unavailable storage asks to try again, and is not named', () => {
  const error = new GatehouseError('ServiceUnavailable', 'StorageUnavailable', 'db.internal:5432')
  const { status, headers, body } = answerTo(error)
  expect([status, headers['retry-after']]).toEqual([503, '1'])
  expect(body).toEqual({ message: 'try again later', code: 'overloaded', request_id: 'r1' })
})
