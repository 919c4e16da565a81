import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acceptAlert, type DecodedAlert, mergeAlerts, type StoredAlert } from './alert.ts'

const now = 1_000_000
const options = {
  now,
  resolveTimeoutMs: 300,
  labelNames: 'utf8' as const,
  maxLabels: 10,
  maxLength: 1_000,
}

function accept(postable: DecodedAlert): StoredAlert {
  const result = acceptAlert(postable, options)
  if ('failure' in result) throw new Error(result.failure)
  return result.alert
}

function failureOf(postable: DecodedAlert): string | undefined {
  const result = acceptAlert(postable, options)
  return 'failure' in result ? result.failure : undefined
}

describe('acceptAlert', () => {
  it('starts an alert without times now and ends it after the resolve timeout, marked as assumed', () => {
    expect(accept({ labels: { a: 'b' } })).toMatchObject({
      startsAt: now,
      endsAt: now + 300,
      timeout: true,
    })
  })

  it('starts an alert that has only an end at that end, with its offset', () => {
    const alert = accept({
      labels: { a: 'b' },
      endsAt: 5,
      endsAtText: '1970-01-01T02:00:00.005+02:00',
    })
    expect(alert).toMatchObject({ startsAt: 5, endsAt: 5 })
    expect(alert.startsAtText).toBe('1970-01-01T02:00:00.005+02:00')
    expect(alert.timeout).toBeUndefined()
  })

  it('accepts an end at the start and refuses one before it', () => {
    expect(failureOf({ labels: { a: 'b' }, startsAt: 7, endsAt: 7 })).toBeUndefined()
    expect(failureOf({ labels: { a: 'b' }, startsAt: 8, endsAt: 7 })).toBe(
      'start time must be before end time',
    )
  })

  it('drops labels with empty values before it requires a label', () => {
    expect(accept({ labels: { a: 'b', c: '' } }).labels).toEqual({ a: 'b' })
    expect(failureOf({ labels: { c: '' } })).toBe('at least one label pair required')
  })

  it('keeps labels named like properties of every object', () => {
    const labels = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>
    expect(JSON.stringify(accept({ labels }).labels)).toBe('{"__proto__":"x","constructor":"y"}')
  })

  it('names the label or annotation that is not valid', () => {
    expect(failureOf({ labels: { '': 'x' } })).toBe('invalid label set: invalid name ""')
    expect(failureOf({ labels: { a: 'x' }, annotations: { '': 'x' } })).toBe(
      'invalid annotations: invalid name ""',
    )
    const classic = acceptAlert({ labels: { 'a-b': 'x' } }, { ...options, labelNames: 'classic' })
    expect(classic).toEqual({ failure: 'invalid label set: invalid name "a-b"' })
  })
})

const alertArb = fc
  .record({
    start: fc.integer({ min: now - 50, max: now + 50 }),
    length: fc.nat(60),
    timeout: fc.boolean(),
    updatedAt: fc.integer({ min: now - 10, max: now }),
  })
  .map(
    ({ start, length, timeout, updatedAt }): StoredAlert => ({
      labels: { a: 'b' },
      annotations: { made: `${start}/${length}/${updatedAt}` },
      startsAt: start,
      endsAt: start + length,
      updatedAt,
      ...(timeout ? { timeout: true as const } : {}),
    }),
  )

describe('mergeAlerts', () => {
  it('returns the incoming alert when the same alert arrives again', () => {
    fc.assert(
      fc.property(alertArb, (alert) => {
        const again = { ...alert, updatedAt: now }
        expect(mergeAlerts(alert, again, now)).toEqual(again)
      }),
    )
  })

  it('takes the start and the end from one of the two alerts', () => {
    fc.assert(
      fc.property(alertArb, alertArb, (stored, incoming) => {
        const merged = mergeAlerts(stored, incoming, now)
        expect([stored.startsAt, incoming.startsAt]).toContain(merged.startsAt)
        expect([stored.endsAt, incoming.endsAt]).toContain(merged.endsAt)
        expect(merged.startsAt).toBeLessThanOrEqual(incoming.startsAt)
        expect(merged.endsAt).toBeGreaterThanOrEqual(merged.startsAt)
      }),
    )
  })

  it('resolves an alert that is sent as resolved, unless it already was', () => {
    fc.assert(
      fc.property(alertArb, alertArb, (stored, incoming) => {
        fc.pre(incoming.endsAt <= now)
        expect(mergeAlerts(stored, incoming, now).endsAt).toBeLessThanOrEqual(now)
      }),
    )
  })

  it('keeps a later end that was sent, and drops one that was only assumed', () => {
    const stored: StoredAlert = {
      labels: { a: 'b' },
      annotations: {},
      startsAt: now - 10,
      endsAt: now + 100,
      updatedAt: now - 5,
    }
    const incoming: StoredAlert = { ...stored, endsAt: now + 50, updatedAt: now }
    expect(mergeAlerts(stored, incoming, now).endsAt).toBe(now + 100)
    expect(mergeAlerts({ ...stored, timeout: true }, incoming, now).endsAt).toBe(now + 50)
  })

  it('replaces a stored alert that ended before the incoming one starts', () => {
    const stored: StoredAlert = {
      labels: { a: 'b' },
      annotations: { old: 'yes' },
      startsAt: now - 100,
      endsAt: now - 50,
      updatedAt: now - 50,
    }
    const incoming: StoredAlert = { ...stored, annotations: {}, startsAt: now, endsAt: now + 9 }
    expect(mergeAlerts(stored, incoming, now)).toEqual(incoming)
  })
})
