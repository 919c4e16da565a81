import type { ListedWebhook, Run, WebhookInput } from '@gatehouse/client'
import { describe, expect, it } from 'vitest'
import {
  durationBuckets,
  runDuration,
  summarizeDurations,
  timedRuns,
} from '../src/runs/run-durations.ts'
import { fieldProblem, isData, runFields, runRequest, takesData } from '../src/runs/run-fields.ts'
import { refetchMs } from '../src/runs/run-states.ts'
import { matchesSimply } from '../src/runs/simple-pattern.ts'
import { formatBytes } from '../src/runs/sizes.ts'

const input = (source: string, rules: Partial<WebhookInput> = {}): WebhookInput => ({
  use: 'argument',
  name: '',
  source,
  required: false,
  ...rules,
})

const fieldsFor = (...inputs: readonly WebhookInput[]) => runFields({ inputs })

/** The kind of problem of a value for one input. */
const problemOf = (rules: Partial<WebhookInput>, value: string, source = 'data.a') => {
  const [field] = fieldsFor(input(source, rules))
  return field && fieldProblem(field, value)?.kind
}

describe('the fields of a webhook', () => {
  it('are one for each source, with its place in the request', () => {
    const fields = fieldsFor(
      input('data.a.b'),
      input('header:X-Name', { default: 'x' }),
      input('query:q'),
      input('data'),
      input('body:'),
      input('body:data.c'),
      input('id'),
      input('data.a.b', { required: true, use: 'variable' }),
    )
    expect(fields.map(({ source, place, path }) => [source, place, ...path])).toEqual([
      ['data.a.b', 'data', 'a', 'b'],
      ['header:X-Name', 'header', 'X-Name'],
      ['query:q', 'query', 'q'],
      ['data', 'whole'],
      ['body:', 'whole'],
      ['body:data.c', 'data', 'c'],
      ['id', 'elsewhere'],
    ])
    expect(fields[0]).toMatchObject({ isRequired: true, inputs: [{}, {}] })
    expect(fields[1]?.default).toBe('x')
    const reads = (reads_data: boolean): Pick<ListedWebhook, 'reads_data'> => ({ reads_data })
    expect(takesData(reads(false), fields)).toBe(true)
    expect(takesData(reads(false), fields.slice(0, 3))).toBe(false)
    expect(takesData(reads(true), [])).toBe(true)
  })

  it('refuse what the server would refuse', () => {
    expect(problemOf({ required: true }, '')).toBe('required')
    expect(problemOf({}, '')).toBeUndefined()
    expect(problemOf({ max_length: 3 }, 'äö')).toBe('long')
    expect(problemOf({ max_length: 3 }, 'abc')).toBeUndefined()
    expect(problemOf({ allow_dash: false }, '--upload-pack=x')).toBe('dash')
    expect(problemOf({ allow_dash: false }, '-1.5')).toBeUndefined()
    expect(problemOf({ allow_dash: true }, '-x')).toBeUndefined()
    expect(problemOf({ pattern: '[a-z]+' }, 'A')).toBe('pattern')
    expect(problemOf({ pattern: '[a-z]+' }, 'a'.repeat(4_097))).toBe('pattern')
    expect(problemOf({ pattern: '(?i)yes' }, 'no')).toBeUndefined()
    expect(problemOf({}, 'a\0b')).toBe('characters')
    expect(problemOf({}, '\ud800')).toBe('characters')
    expect(problemOf({}, 'ü€', 'header:x')).toBe('characters')
    expect(problemOf({}, 'a\nb', 'header:x')).toBe('characters')
    expect(problemOf({ base64: true }, 'a*b')).toBe('base64')
    expect(problemOf({ base64: true }, 'aGk=\n')).toBeUndefined()
  })

  it('become a request', () => {
    const fields = fieldsFor(
      input('data.a.b'),
      input('data.a.c'),
      input('data.__proto__.polluted'),
      input('header:X-Name'),
      input('query:q'),
      input('data.empty'),
    )
    const values = {
      'data.a.b': '1',
      'data.a.c': '2',
      'data.__proto__.polluted': 'yes',
      'header:X-Name': 'n',
      'query:q': 'v',
      'data.empty': '',
    }
    const { data, headers, query } = runRequest(fields, {
      values,
      json: '{"a": {"z": 0}, "k": []}',
    })
    expect(JSON.stringify(data)).toBe(
      '{"k":[],"a":{"z":0,"b":"1","c":"2"},"__proto__":{"polluted":"yes"}}',
    )
    expect(Object({}).polluted).toBeUndefined()
    expect([headers, query]).toEqual([{ 'X-Name': 'n' }, { q: 'v' }])
    expect(runRequest(fields, { values: {}, json: ' ' })).toEqual({
      data: undefined,
      headers: {},
      query: {},
    })
  })

  it('take an object as data, and nothing else', () => {
    expect(['', ' ', '{}', '{"a":1}'].map(isData)).toEqual([true, true, true, true])
    expect(['[]', 'null', '1', '{', 'x'].map(isData)).toEqual([false, false, false, false, false])
  })
})

describe('matchesSimply()', () => {
  it.each([
    ['[a-z0-9./:_-]+', 'repo/app:2', 'A'],
    ['v\\d+\\.\\d+', 'v1.22', 'v1x22'],
    ['main|staging', 'staging', 'mainstaging'],
    ['[A-F\\d]{8}', '12ABCDEF', '12ABCDEG'],
    ['a-b', 'a-b', 'a-c'],
    ['[^a\\]]*', 'b[', 'b]'],
    ['a{2,3}b?', 'aaa', 'aaaa'],
    ['a{2,}', 'aaaaa', 'a'],
    ['[-x]+\\w', '-x-_', '-x-'],
    ['a*a*a*a*a*a*a*a*b', `${'a'.repeat(4_000)}b`, 'a'.repeat(4_096)],
    ['a?'.repeat(30) + 'a'.repeat(30), 'a'.repeat(30), 'a'.repeat(29)],
    ['[😀-😂]', '😁', '😃'],
    ['', '', 'a'],
  ])('reads %s', (pattern, right, wrong) => {
    expect([matchesSimply(pattern, right), matchesSimply(pattern, wrong)]).toEqual([true, false])
  })

  it.each([
    '(a+)+b',
    '(?i)yes',
    'a.b',
    '\\pL+',
    '[[:alpha:]]',
    '^a$',
    '\\s',
    '[^\\s]',
    '[a',
    '\\z',
    'a**',
    '{',
  ])('leaves %s to the server', (pattern) => {
    expect(matchesSimply(pattern, 'a')).toBeUndefined()
  })
})

const run = (duration_ms: number | null, status: Run['status'] = 'succeeded'): Run => ({
  run_id: 'run_0',
  id: 'a',
  status,
  reason: null,
  exit_code: 0,
  signal: null,
  attempts: 1,
  created_at: '2026-01-01T00:00:00Z',
  started_at: null,
  finished_at: null,
  queued_ms: 0,
  duration_ms,
  client_ip: null,
  request_id: null,
  stdout: '',
  stderr: '',
  stdout_bytes: 0,
  stderr_bytes: 0,
  stdout_truncated: false,
  stderr_truncated: false,
})

describe('the durations of runs', () => {
  const runs = [
    run(400_000, 'timed_out'),
    run(null, 'running'),
    run(20_000),
    run(5_000, 'failed'),
    run(1_200),
    run(1_000),
  ]

  it('are in ranges, without empty ones at the ends', () => {
    const buckets = durationBuckets(timedRuns(runs))
    expect(buckets.map(({ from, count, failed }) => [from, count, failed])).toEqual([
      [1_000, 2, 0],
      [5_000, 1, 1],
      [15_000, 1, 0],
      [60_000, 0, 0],
      [300_000, 1, 1],
    ])
    expect(durationBuckets([])).toEqual([])
  })

  it('are summarized', () => {
    expect(summarizeDurations(timedRuns(runs))).toEqual({
      count: 5,
      failed: 2,
      median: 5_000,
      most: 400_000,
      longest: 400_000,
    })
    expect(summarizeDurations([])).toBeUndefined()
    expect(timedRuns(runs)[0]?.duration_ms).toBe(1_000)
  })

  it('are short texts', () => {
    expect([0, 412, 999, 1_250, 9_999, 61_000].map(runDuration)).toEqual([
      '0ms',
      '412ms',
      '999ms',
      '1.2s',
      '9.9s',
      '1m 1s',
    ])
    expect([0, 999, 1_500, 10_500_000].map((size) => formatBytes(size, 'en'))).toEqual([
      '0 byte',
      '999 byte',
      '1.5 kB',
      '10.5 MB',
    ])
  })

  it('are read again often while something goes on', () => {
    expect(refetchMs([run(null, 'running')], 50)).toBe(2_000)
    expect(refetchMs([run(1)], 50)).toBe(5_000)
    expect(
      refetchMs(
        Array.from({ length: 201 }, () => run(null, 'queued')),
        50,
      ),
    ).toBe(15_000)
  })
})
