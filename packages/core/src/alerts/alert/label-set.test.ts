import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareLabelSets,
  fingerprint,
  isLabelName,
  type LabelSet,
  labelSet,
  labelSetFromObject,
  labelSetOver,
  labelSetToObject,
  withoutEmptyValues,
} from './label-set.ts'

const anyText = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7f }), fc.integer({ min: 0, max: 0x10ffff })), {
    maxLength: 6,
  })
  .map((codes) => String.fromCodePoint(...codes))
const text = anyText.map((any) => any.toWellFormed())
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', '0', '10', 'a'))
const pairs = fc.array(fc.tuple(name, text), { maxLength: 8 })

describe('a label set', () => {
  it('is sorted by the bytes of its names, whatever their original order', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const names = [...labelSet(list).keys()]
        const sorted = [...new Set(list.map(([first]) => first))].sort((a, b) =>
          Buffer.compare(Buffer.from(a), Buffer.from(b)),
        )
        expect(names).toEqual(sorted)
      }),
    )
  })

  it('created from a label set is that label set', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const labels = labelSet(list)
        expect([...labelSet(labels)]).toEqual([...labels])
      }),
    )
  })

  it('keeps the last value of a repeated name', () => {
    expect([
      ...labelSet([
        ['b', '1'],
        ['a', '2'],
        ['b', '3'],
      ]),
    ]).toEqual([
      ['a', '2'],
      ['b', '3'],
    ]) // prettier-ignore
  })

  it('over an object has the same labels as a copy of it', () => {
    const seen = (labels: LabelSet) => {
      const each: unknown[] = []
      labels.forEach((value, label) => {
        each.push([label, value])
      })
      const names = ['__proto__', 'constructor', 'toString', '0', '10', 'a', '']
      return {
        each,
        size: labels.size,
        entries: [...labels],
        keys: [...labels.keys()],
        values: [...labels.values()],
        got: names.map((one) => [labels.get(one), labels.has(one)]),
      }
    }
    fc.assert(
      fc.property(pairs, (list) => {
        const object = Object.fromEntries(list)
        expect(seen(labelSetOver(object))).toEqual(seen(labelSetFromObject(object)))
      }),
    )
  })

  it('converts to and from an object, with a label named __proto__', () => {
    const source = JSON.parse('{"__proto__":"x","constructor":"y","toString":"z","a":""}')
    const labels = labelSetFromObject(source)
    expect(labels.get('__proto__')).toBe('x')
    expect([...labels.keys()]).toEqual(['__proto__', 'a', 'constructor', 'toString'])
    const back = labelSetToObject(labels)
    expect(Object.hasOwn(back, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
    expect(JSON.parse(JSON.stringify(back))).toEqual(source)
  })

  it('drops its empty values', () => {
    const labels = labelSetFromObject({ b: '', a: 'x', c: ' ' })
    expect([...withoutEmptyValues(labels)]).toEqual([
      ['a', 'x'],
      ['c', ' '],
    ]) // prettier-ignore
    const full = labelSetFromObject({ a: 'x' })
    expect(withoutEmptyValues(full)).toBe(full)
  })
})

describe('the order of label sets', () => {
  it.each([
    [{}, { a: 'x' }],
    [{ z: 'z' }, { a: 'a', b: 'b' }],
    [{ b: 'x' }, { a: 'x' }],
    [
      { a: 'x', c: 'x' },
      { a: 'x', b: 'x' },
    ],
    [
      { a: 'x', b: 'x' },
      { a: 'y', b: 'a' },
    ],
    [{ a: 'A' }, { a: '_' }],
    [{ a: '\uff5e' }, { a: '😀' }],
  ])('%j comes before %j', (first, second) => {
    const [a, b] = [labelSetFromObject({ ...first }), labelSetFromObject({ ...second })]
    expect(compareLabelSets(a, b)).toBeLessThan(0)
    expect(compareLabelSets(b, a)).toBeGreaterThan(0)
    expect(compareLabelSets(a, labelSet(a))).toBe(0)
  })
})

describe('the name of a label', () => {
  it.each([
    ['a', true, true],
    ['__proto__', true, true],
    ['_9', true, true],
    ['9', true, false],
    ['a-b', true, false],
    ['a:b', true, false],
    ['ü', true, false],
    ['a\n', true, false],
    ['', false, false],
    ['\ud800', false, false],
  ])('%j: UTF-8 %s, classic %s', (candidate, inUtf8, inClassic) => {
    expect(isLabelName(candidate, 'utf8')).toBe(inUtf8)
    expect(isLabelName(candidate, 'classic')).toBe(inClassic)
  })
})

describe('the fingerprint', () => {
  interface Vector {
    labels: Record<string, string>
    fingerprint: string
  }
  const url = new URL('../../../vectors/alerts/fingerprints.json', import.meta.url)
  const vectors: Vector[] = JSON.parse(readFileSync(url, 'utf8'))

  it.each(vectors)('of the recorded labels $labels.alertname is $fingerprint', (vector) => {
    const labels = withoutEmptyValues(labelSetFromObject(vector.labels))
    expect(fingerprint(labels)).toBe(vector.fingerprint)
  })

  it('of no labels is the offset basis', () => {
    expect(fingerprint(labelSet([]))).toBe('cbf29ce484222325')
  })

  function slowFingerprint(labels: LabelSet): string {
    let hash = 14_695_981_039_346_656_037n
    for (const part of [...labels].flat()) {
      for (const byte of [...Buffer.from(part), 0xff]) {
        hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 1_099_511_628_211n)
      }
    }
    return hash.toString(16).padStart(16, '0')
  }

  it('is FNV-1a over the UTF-8 bytes', () => {
    const anyPairs = fc.array(fc.tuple(anyText, anyText), { maxLength: 6 })
    fc.assert(
      fc.property(anyPairs, (list) => {
        const labels = labelSet(list)
        expect(fingerprint(labels)).toBe(slowFingerprint(labels))
      }),
    )
  })
})
