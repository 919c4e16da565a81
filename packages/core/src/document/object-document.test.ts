import { describe, expect, it } from 'vitest'
import { objectDocument } from './object-document.ts'
import { resolveCoreScalar } from './scalar.ts'

const invalid = (message: string): object =>
  expect.objectContaining({ reason: 'InvalidConfig', message })

describe('objectDocument', () => {
  it('keeps the order of members and omits those that are undefined', () => {
    const document = objectDocument({ b: 1, a: undefined, c: ['x', null] })
    expect(document).toMatchObject({
      kind: 'mapping',
      line: 0,
      entries: [
        { key: { text: 'b', start: 1 }, value: { text: '1', isPlain: true, start: 2 } },
        {
          key: { text: 'c', start: 3 },
          value: { kind: 'sequence', start: 4, items: [{ text: 'x' }, { text: 'null' }] },
        },
      ],
    })
  })

  it.each([
    ['12', { kind: 'text', value: '12' }],
    [12, { kind: 'number', value: 12 }],
    [Number.POSITIVE_INFINITY, { kind: 'number', value: Number.POSITIVE_INFINITY }],
    [Number.NaN, { kind: 'number', value: Number.NaN }],
    [true, { kind: 'flag', value: true }],
    [null, { kind: 'null' }],
    [5n, { kind: 'other' }],
    [new Date(0), { kind: 'other' }],
    [new Map(), { kind: 'other' }],
    [() => 1, { kind: 'other' }],
  ])('reads %s with its own type', (value, scalar) => {
    const node = objectDocument(value)
    expect(node.kind === 'scalar' && resolveCoreScalar(node)).toEqual(scalar)
  })

  it('refuses circular and excessively shared values', () => {
    const loop: unknown[] = []
    loop.push(loop)
    expect(() => objectDocument(loop)).toThrow(invalid('nested deeper than 256 levels'))
    let many: unknown = 'x'
    for (let level = 0; level < 40; level++) many = [many, many]
    expect(() => objectDocument(many)).toThrow(invalid('more than 1000000 values'))
  })
})
