import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../../../test-support/cpu-time.ts'
import { sampleDelivery } from './delivery.fixture.ts'
import { parseSource, readSource } from './source.ts'

const read = (source: string, sample: Parameters<typeof sampleDelivery>[0] = {}, now = 0) =>
  readSource(parseSource(source), sampleDelivery(sample), now)

describe('parseSource', () => {
  it('reads a dotted path', () => {
    expect(parseSource('data.a.0')).toEqual({ kind: 'body', segments: ['data', 'a', '0'] })
    expect(parseSource('data.a b:c')).toEqual({ kind: 'body', segments: ['data', 'a b:c'] })
  })

  it('reads a prefix', () => {
    expect(parseSource('header:X-GitHub-Event')).toEqual({ kind: 'header', name: 'x-github-event' })
    expect(parseSource('query:a.b')).toEqual({ kind: 'query', name: 'a.b' })
    expect(parseSource('request:client_ip')).toEqual({ kind: 'request', fact: 'client_ip' })
    expect(parseSource('body:')).toEqual({ kind: 'raw' })
    expect(parseSource('body:header:x')).toEqual({ kind: 'body', segments: ['header:x'] })
  })

  it.each([
    '',
    '.',
    'a.',
    '.a',
    'a..b',
    'body:a..b',
    'file:',
    'header:a b',
    'request:',
    'request:body',
  ])('refuses %j', (text) => {
    expect(() => parseSource(text)).toThrow(expect.objectContaining({ reason: 'bad_path' }))
  })

  it.each([
    ['a[0].b', 'data.a.0.b'],
    ['data.alerts[0].status', 'data.alerts.0.status'],
    ['data.alerts[-1]', 'data.alerts.-1'],
    ['data["ref"]', 'data.ref'],
    ["data['a']['b'].c", 'data.a.b.c'],
    ['data.a[*].b', 'data.a.*.b'],
    ['data.tags[]', 'data.tags'],
    ['$.ref', 'data.ref'],
    ['$.data.ref', 'data.ref'],
    ['$', 'data'],
    ['$ref', 'data.ref'],
    ['data.$ref', 'data.ref'],
    ['body:$.ref', 'data.ref'],
    ['body:data.a[0]', 'data.a.0'],
  ])('refuses %j and says to write %s', (text, plain) => {
    expect(() => parseSource(text)).toThrow(
      expect.objectContaining({
        reason: 'bad_path',
        message: expect.stringMatching(
          new RegExp(`write ${plain.replace(/[.*]/g, '\\$&')}(?:,|$)`),
        ),
      }),
    )
  })

  it('accepts names with brackets and dollar signs after body:', () => {
    const segments = ['data', 'user[name]', '$ref', 'tags[]']
    expect(parseSource('body:data.user[name].$ref.tags[]')).toEqual({ kind: 'body', segments })
  })

  it.each([
    'token',
    'body:token',
    'header:authorization',
    'header:Proxy-Authorization',
    'header:cookie',
    'header:X-Webhook-Token',
    'header:X-GITLAB-TOKEN',
  ])('refuses %j, which is a secret', (text) => {
    expect(() => parseSource(text)).toThrow(expect.objectContaining({ reason: 'secret_source' }))
  })

  it('accepts a member called token that is not the token of the request', () => {
    expect(parseSource('data.token')).toEqual({ kind: 'body', segments: ['data', 'token'] })
  })
})

describe('readSource', () => {
  it('reads headers, query parameters and facts of the request', () => {
    expect(read('header:X-Event', { headers: { 'x-event': 'push' } })).toBe('push')
    expect(read('header:X-Event')).toBeUndefined()
    expect(read('query:ref', { query: { ref: '' } })).toBe('')
    expect(read('query:ref')).toBeUndefined()
    expect(read('request:method')).toBe('POST')
    expect(read('request:client_ip')).toBe('192.0.2.7')
    expect(read('request:id')).toBe('r1')
    expect(read('request:time', {}, 1_700_000_000_123)).toBe('2023-11-14T22:13:20.123Z')
  })

  it('reads the whole body as text, unchanged', () => {
    expect(read('body:', { rawBody: new TextEncoder().encode('\ufeff{ "é":1 }') })).toBe(
      '{ "é":1 }',
    )
    expect(read('body:', { body: '{"data":{"n":1.0}}', rawBody: undefined })).toBe(
      '{"data":{"n":1.0}}',
    )
  })

  it('prefers the longest name, and backtracks from a dead end', () => {
    const body = '{"a":{"b":{"c":"1","c.d":"2"},"b.c":{"d":"3"}},"a.b":{"c":{"e":"4"}}}'
    expect(read('a.b.c.d', { body })).toBe('3')
    expect(read('a.b.c.e', { body })).toBe('4')
    expect(read('a.b.c', { body })).toBe('{"e":"4"}')
    expect(read('a.b.x', { body })).toBeUndefined()
  })

  it('treats null as missing, even under a longer name', () => {
    expect(read('a.b', { body: '{"a.b":null,"a":{"b":"x"}}' })).toBeUndefined()
  })

  it('finds an index only in a list', () => {
    expect(read('l.0', { body: '{"l":{"0":"member"}}' })).toBe('member')
    expect(read('l.0', { body: '{"l":["item"]}' })).toBe('item')
    for (const step of ['-1', '1', '00', '+0', '0x0', '1e0', 'length', '4294967296', ' 0']) {
      expect(read(`l.${step}`, { body: '{"l":["item"]}' })).toBeUndefined()
    }
    expect(read('s.0', { body: '{"s":"text"}' })).toBeUndefined()
  })

  it('ignores inherited members', () => {
    const names = Object.getOwnPropertyNames(Object.prototype)
    for (const name of [...names, 'map', 'at', 'length']) {
      expect(read(`data.${name}`, { body: '{"data":{"l":[]}}' })).toBeUndefined()
      expect(read(`data.l.${name}`, { body: '{"data":{"l":[]}}' })).toBeUndefined()
      expect(read(`data.${name}`, { body: `{"data":{"${name}":7.0}}` })).toBe('7.0')
    }
  })

  it('returns a text as it is, and other values as JSON', () => {
    const segment = fc.stringMatching(/^[a-z_]{1,5}$/)
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.jsonValue(),
        (path, value) => {
          const body = path.reduceRight(
            (inner, name) => `{"${name}": ${inner}}`,
            JSON.stringify(value),
          )
          const expected = typeof value === 'string' ? value : JSON.stringify(value)
          expect(read(`body:${path.join('.')}`, { body })).toBe(
            value === null ? undefined : expected,
          )
        },
      ),
    )
  })

  it('is fast if names of all lengths exist', () => {
    const segments = Array.from({ length: 12 }, () => 'a')
    const names = segments.map((_, index) => segments.slice(index).join('.'))
    const grow = (depth: number): string =>
      depth === 0
        ? '0'
        : `{${names.map((name) => `"${name}":${name === 'a' ? grow(depth - 1) : '{"a":{}}'}`).join(',')}}`
    const begin = cpuMs()
    expect(read(segments.join('.'), { body: grow(11) })).toBe('{"a":{}}')
    expect(read(`${segments.join('.')}.b`, { body: grow(11) })).toBeUndefined()
    expect(cpuMs() - begin).toBeLessThan(2_000)
  })
})

it('a source without a name is all headers, but no credentials, or all parameters', () => {
  const delivery = sampleDelivery({
    headers: { __proto__x: '2', host: 'a', authorization: 'Bearer s', cookie: 's', 'x-a': '1' },
    query: { b: '', a: '1' },
    files: new Map([['up', Uint8Array.of(104, 105)]]),
  })
  const read = (source: string) => readSource(parseSource(source), delivery, 0)
  expect(read('header:')).toBe('{"X-A":"1","__proto__x":"2"}')
  expect(read('query:')).toBe('{"a":"1","b":""}')
  expect(read('file:up')).toBe('hi')
  expect(read('file:toString')).toBeUndefined()
  expect(read('request:client_port')).toBe('40000')
})
