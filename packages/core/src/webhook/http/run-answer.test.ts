import { describe, expect, it } from 'vitest'
import { sampleRun, succeeded } from '../board/run-handle.fixture.ts'
import type { Run } from '../run.ts'
import { sampleWebhook } from '../webhook.fixture.ts'
import type { Webhook } from '../webhook.ts'
import { type AnsweredRun, acceptedAnswer, endedAnswer, skippedAnswer } from './run-answer.ts'

/** A whole output. */
const keptOf = (text: string): AnsweredRun['stdout'] => {
  const bytes = new TextEncoder().encode(text)
  return { bytes, total: bytes.length }
}

const answered = (
  run: Partial<Run>,
  settings: Partial<Webhook> = {},
  isDuplicate = false,
): AnsweredRun => ({
  webhook: sampleWebhook(settings),
  run: sampleRun(run),
  stdout: keptOf(run.stdout ?? ''),
  isDuplicate,
  answer:
    typeof settings.response === 'object'
      ? {
          text: settings.response.text.join(''),
          headers: { 'content-type': settings.response.type },
        }
      : undefined,
  requestId: 'r1',
})

const bodyOf = ({ body }: { readonly body: unknown }): unknown => JSON.parse(String(body))

const failed: Partial<Run> = { ...succeeded, status: 'failed', reason: 'exit_code', exit_code: 3 }
const output: Partial<Run> = { stdout: 'out', stderr: 'err', stdout_truncated: true }

describe('the answer about a successful run', () => {
  it('says in every form if its end is not recorded', () => {
    const run: Partial<Run> = { ...succeeded, recorded: false }
    expect(bodyOf(endedAnswer(answered(run)))).toMatchObject({ recorded: false })
    const text = endedAnswer(answered(run, { response: 'text' }))
    expect(text.headers).toMatchObject({ 'x-run-recorded': 'false' })
    const accepted = acceptedAnswer(answered(run), '/runs/r', {})
    expect(bodyOf(accepted)).toMatchObject({ status: 'succeeded', recorded: false })
  })

  it('has its facts, and no output', () => {
    const answer = endedAnswer(answered({ ...succeeded, ...output }))
    expect(answer.status).toBe(200)
    expect(bodyOf(answer)).toEqual({
      message: 'command executed',
      id: 'deploy',
      run_id: 'run_01kdrt3g0000000000000000aa',
      status: 'succeeded',
      exit_code: 0,
      signal: null,
      duration_ms: 412,
      queued_ms: 0,
    })
    expect(answer.headers['content-length']).toBe(`${answer.byteLength}`)
  })

  it('has the output if the webhook wants it, and says what was cut', () => {
    const run = { ...succeeded, ...output }
    const shown = endedAnswer(answered(run, { include_output: 'always' }))
    expect(bodyOf(shown)).toMatchObject({ stdout: 'out', stderr: 'err', stdout_truncated: true })
    expect(bodyOf(shown)).not.toHaveProperty('stderr_truncated')
    expect(bodyOf(endedAnswer(answered(run, { include_output: 'on_error' })))).not.toHaveProperty(
      'stdout',
    )
  })

  it('has the status and the headers of the webhook', () => {
    const settings = { success_status: 201, response_headers: { 'X-A': 'b' } }
    expect(endedAnswer(answered(succeeded, settings))).toMatchObject({
      status: 201,
      headers: { 'x-a': 'b' },
    })
    const mapped = { ...settings, exit_status_map: new Map([[0, 203]]) }
    expect(endedAnswer(answered(succeeded, mapped)).status).toBe(203)
  })

  it.each([204, 205])('of status %i has no body', (success_status) => {
    const answer = endedAnswer(answered(succeeded, { success_status }))
    expect([answer.status, answer.body]).toEqual([success_status, null])
    expect(() => new Response(null, { status: success_status })).not.toThrow()
  })

  it('says that an earlier delivery made it', () => {
    expect(bodyOf(endedAnswer(answered(succeeded, {}, true)))).toMatchObject({ duplicate: true })
  })
})

describe('the answer about a failed run', () => {
  it.each<[Partial<Run>, number, string, string | undefined]>([
    [failed, 500, 'command_failed', 'exit status 3'],
    [
      { ...failed, reason: 'signal', exit_code: 137, signal: 'SIGKILL' },
      500,
      'command_failed',
      'signal SIGKILL',
    ],
    [
      { ...failed, reason: 'signal', exit_code: null },
      500,
      'command_failed',
      'killed from outside',
    ],
    [
      { ...failed, reason: 'output_limit', signal: 'SIGTERM' },
      500,
      'command_failed',
      'the output exceeded its limit',
    ],
    [{ status: 'failed', reason: 'not_started' }, 500, 'command_not_started', undefined],
    [
      { status: 'failed', reason: 'not_started', error: 'the program was not found' },
      500,
      'command_not_started',
      'the program was not found',
    ],
    [{ ...succeeded, status: 'timed_out', exit_code: 143 }, 504, 'command_timeout', undefined],
    [{ status: 'superseded' }, 409, 'superseded', undefined],
    [{ status: 'canceled', reason: 'canceled' }, 409, 'canceled', undefined],
    [{ status: 'canceled', reason: 'disconnect' }, 409, 'canceled', undefined],
    [{ status: 'canceled', reason: 'shutdown' }, 503, 'shutting_down', undefined],
    [{ status: 'lost' }, 500, 'internal_error', undefined],
  ])('%j is %i %s', (run, status, code, error) => {
    const answer = endedAnswer(answered(run))
    expect(answer.status).toBe(status)
    expect(bodyOf(answer)).toMatchObject({
      code,
      request_id: 'r1',
      status: run.status,
      id: 'deploy',
    })
    expect(Object(bodyOf(answer)).error).toBe(error)
    expect(answer.headers['retry-after']).toBe(status === 503 ? '1' : undefined)
  })

  it('has the status of its exit code before failure_status', () => {
    const settings = { failure_status: 502, exit_status_map: new Map([[3, 404]]) }
    expect(endedAnswer(answered(failed, settings)).status).toBe(404)
    expect(endedAnswer(answered({ ...failed, exit_code: 4 }, settings)).status).toBe(502)
    const late = { ...failed, status: 'timed_out' as const }
    expect(endedAnswer(answered(late, settings)).status).toBe(504)
  })

  it('has the output if the webhook wants it for errors', () => {
    const answer = endedAnswer(answered({ ...failed, ...output }, { include_output: 'on_error' }))
    expect(bodyOf(answer)).toMatchObject({ stdout: 'out', stderr: 'err' })
  })
})

describe('an answer as text', () => {
  const settings: Partial<Webhook> = { response: 'text', response_headers: { 'x-a': 'b' } }

  it.each<[Partial<Run>, number, string]>([
    [succeeded, 200, '0'],
    [failed, 500, '3'],
  ])('is the output of the command, with its facts in headers (%j)', (run, status, code) => {
    const answer = endedAnswer(answered({ ...run, stdout: 'grüße\n' }, settings))
    expect(answer).toMatchObject({
      status,
      body: new TextEncoder().encode('grüße\n'),
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-length': '8',
        'x-run-id': 'run_01kdrt3g0000000000000000aa',
        'x-exit-code': code,
        'x-a': 'b',
      },
    })
  })

  it('has the bytes that the command wrote, and says if some are missing', () => {
    const bytes = Uint8Array.of(0xff, 0, 0x61, 0xc3)
    const given = answered(succeeded, settings)
    const whole = endedAnswer({ ...given, stdout: { bytes, total: 4 } })
    expect([whole.body, whole.headers['x-output-truncated']]).toEqual([bytes, undefined])
    const cut = endedAnswer({ ...given, stdout: { bytes, total: 5 } })
    expect([cut.body, cut.headers['x-output-truncated']]).toEqual([bytes, 'true'])
  })

  it('is JSON if no command ended', () => {
    const answer = endedAnswer(answered({ status: 'failed', reason: 'not_started' }, settings))
    expect(bodyOf(answer)).toMatchObject({ code: 'command_not_started' })
  })
})

it('a continuing run is accepted, with the URL of its record', () => {
  const run = answered({ status: 'running' }, { response_headers: { 'x-a': 'b' } }, true)
  const answer = acceptedAnswer(run, '/hooks/runs/1', { 'preference-applied': 'respond-async' })
  expect(answer).toMatchObject({
    status: 202,
    headers: { location: '/hooks/runs/1', 'preference-applied': 'respond-async', 'x-a': 'b' },
  })
  expect(bodyOf(answer)).toEqual({
    message: 'command accepted',
    id: 'deploy',
    run_id: 'run_01kdrt3g0000000000000000aa',
    status: 'running',
    duplicate: true,
    status_url: '/hooks/runs/1',
  })
})

it('a skipped delivery has the status of its rules', () => {
  const skipped = skippedAnswer(sampleWebhook())
  expect([skipped.status, bodyOf(skipped)]).toMatchObject([
    200,
    { id: 'deploy', status: 'skipped' },
  ])
  const rule = { kind: 'all', rules: [] } as const
  const settings = { rules: { rule, mismatch_status: 403 } }
  expect(skippedAnswer(sampleWebhook(settings)).status).toBe(403)
})

describe('a fixed text', () => {
  const type = 'text/plain; charset=utf-8'
  const response = { text: ['OK\n✓'], type, headers: new Map() }

  it('is the whole answer of a successful run, with the status and headers of the webhook', () => {
    const settings = { response, success_status: 201, response_headers: { 'X-A': 'b' } }
    const { status, headers, body } = endedAnswer(answered({ ...succeeded, ...output }, settings))
    expect([status, body]).toEqual([201, 'OK\n✓'])
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-run-id': 'run_01kdrt3g0000000000000000aa',
      'x-a': 'b',
    })
    const own = { response, response_headers: { 'Content-Type': 'text/html' } }
    expect(endedAnswer(answered(succeeded, own)).headers['content-type']).toBe('text/html')
  })

  it('does not hide that a run failed', () => {
    const answer = endedAnswer(answered(failed, { response }))
    expect(answer.status).toBe(500)
    expect(bodyOf(answer)).toMatchObject({ code: 'command_failed' })
    const run: Partial<Run> = { ...failed, reason: 'not_started', exit_code: null }
    expect(bodyOf(endedAnswer(answered(run, { response })))).toMatchObject({
      code: 'command_not_started',
    })
  })

  it('is sent at once by an asynchronous webhook, and by no other that goes on', () => {
    const accepted = acceptedAnswer(answered({}, { response, mode: 'async' }), '/runs/r', {})
    expect([accepted.status, accepted.body]).toEqual([200, 'OK\n✓'])
    const waiting = acceptedAnswer(answered({}, { response }), '/runs/r', {})
    expect(waiting.status).toBe(202)
    expect(bodyOf(waiting)).toMatchObject({ status_url: '/runs/r' })
  })

  it('has a text for a skipped delivery too', () => {
    expect(skippedAnswer(sampleWebhook({ response })).headers['content-type']).toMatch(/^text/)
  })
})
