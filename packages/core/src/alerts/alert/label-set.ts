import { compareBytes } from '@gatehouse/go-template/text'

/**
 * The labels of an alert: name to value, names in the order of their UTF-8 bytes. {@link labelSet} and {@link labelSetFromObject}
 * create them in this order.
 */
export type LabelSet = ReadonlyMap<string, string>

const classicLabelName = /^[a-zA-Z_][a-zA-Z0-9_]*$/

/** Creates a label set from pairs in any order. The last value of a repeated name counts. */
export function labelSet(entries: Iterable<readonly [string, string]>): LabelSet {
  const pairs = Array.from(entries)
  if (pairs.length > maxInserted) pairs.sort(comparePairs)
  else sortFew(pairs)
  return new Map(pairs)
}

/** Up to this size, inserting each pair in its place is faster than sort() with its callback. */
const maxInserted = 16

function sortFew(pairs: (readonly [string, string])[]): void {
  for (let i = 1; i < pairs.length; i++) {
    const pair = pairs[i]
    if (pair === undefined) return
    let to = i
    for (; to > 0; to--) {
      const previous = pairs[to - 1]
      if (previous === undefined || compareBytes(previous[0], pair[0]) <= 0) break
      pairs[to] = previous
    }
    pairs[to] = pair
  }
}

function comparePairs(a: readonly [string, string], b: readonly [string, string]): number {
  return compareBytes(a[0], b[0])
}

/** Creates a label set from the own properties of an object; `__proto__` is a name like any other. */
export function labelSetFromObject(labels: Readonly<Record<string, string>>): LabelSet {
  const set = new Map<string, string>()
  for (const name of sortedNames(labels)) set.set(name, labels[name] ?? '')
  return set
}

/**
 * The label set of an object that must not change. It takes a tenth of the memory of a copy and a little longer to iterate, so it
 * is for sets that are kept.
 */
export function labelSetOver(labels: Readonly<Record<string, string>>): LabelSet {
  return new ObjectLabels(labels)
}

class ObjectLabels implements LabelSet {
  readonly #labels: Readonly<Record<string, string>>

  constructor(labels: Readonly<Record<string, string>>) {
    this.#labels = labels
  }

  get size(): number {
    return Object.keys(this.#labels).length
  }

  get(name: string): string | undefined {
    const value: unknown = this.#labels[name]
    // What an object inherits is never a text.
    return typeof value === 'string' ? value : undefined
  }

  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  keys(): MapIterator<string> {
    return sortedNames(this.#labels).values()
  }

  values(): MapIterator<string> {
    return sortedNames(this.#labels)
      .map((name) => this.#labels[name] ?? '')
      .values()
  }

  entries(): MapIterator<[string, string]> {
    return sortedNames(this.#labels)
      .map((name): [string, string] => [name, this.#labels[name] ?? ''])
      .values()
  }

  forEach(callback: (value: string, name: string, labels: LabelSet) => void): void {
    for (const [name, value] of this) callback(value, name, this)
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries()
  }
}

/** Creates an object with one own property per label, also for a label named `__proto__`. */
export function labelSetToObject(labels: LabelSet): Record<string, string> {
  return Object.fromEntries(labels)
}

/** Removes labels without a value: an empty value means the same as no label. */
export function withoutEmptyValues(labels: LabelSet): LabelSet {
  for (const value of labels.values()) {
    if (value === '') return new Map([...labels].filter((label) => label[1] !== ''))
  }
  return labels
}

/** The label names that are valid: `classic` means `[a-zA-Z_][a-zA-Z0-9_]*`, `utf8` any non-empty UTF-8 text. */
export type LabelNames = 'utf8' | 'classic'

/** Whether a label name is valid. */
export function isLabelName(name: string, labelNames: LabelNames): boolean {
  return labelNames === 'classic' ? classicLabelName.test(name) : name !== '' && name.isWellFormed()
}

/**
 * The order of alert groups: fewer labels first; then, name by name in sorted order, the set that lacks a name first, then the
 * smaller value by its bytes. Returns a number below 0, 0 or above 0.
 *
 * @see Alertmanager API v2, `GET /alerts/groups`
 */
export function compareLabelSets(a: LabelSet, b: LabelSet): number {
  if (a.size !== b.size) return a.size - b.size
  const labelsB = b.entries()
  for (const [nameA, valueA] of a) {
    const labelB = labelsB.next()
    if (labelB.done) return 1
    const [nameB, valueB] = labelB.value
    const byName = compareBytes(nameA, nameB)
    if (byName !== 0) return -byName
    const byValue = compareBytes(valueA, valueB)
    if (byValue !== 0) return byValue
  }
  return 0
}

/**
 * The 64-bit FNV-1a hash of the labels as 16 hex digits, which identifies an alert. Names and values are hashed as UTF-8, each
 * followed by a byte 0xFF; an unpaired surrogate counts as U+FFFD.
 *
 * @see http://www.isthe.com/chongo/tech/comp/fnv/
 * @see Alertmanager API v2, `fingerprint` of an alert
 */
export function fingerprint(labels: LabelSet): string {
  const texts: string[] = []
  for (const [name, value] of labels) texts.push(name, value)
  return hashTexts(texts)
}

/** The {@link fingerprint} of labels that are the own properties of an object, in any order. */
export function fingerprintOfObject(labels: Readonly<Record<string, string>>): string {
  const texts: string[] = []
  for (const name of sortedNames(labels)) texts.push(name, labels[name] ?? '')
  return hashTexts(texts)
}

/** The names of the own properties of an object, in the order of their bytes. */
export function sortedNames(labels: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(labels)
  return isInOrder(names) ? names : names.sort(compareBytes)
}

/** Whether texts are in the order of their bytes, without duplicates. */
export const isInOrder = (texts: readonly string[]): boolean =>
  texts.every((text, i) => i === 0 || compareBytes(texts[i - 1] ?? '', text) < 0)

function hashTexts(texts: readonly string[]): string {
  // The offset basis 0xcbf29ce484222325 in two halves; a 64-bit BigInt costs 20 times as much.
  let high = 0xcbf29ce4 | 0
  let low = 0x84222325 | 0
  for (const text of texts) {
    for (let i = 0; i <= text.length; i++) {
      let bytes = 0xff
      if (i < text.length) {
        bytes = text.charCodeAt(i)
        if (bytes >= 0x80) {
          const codePoint = text.codePointAt(i) ?? 0
          if (codePoint > 0xffff) i++
          bytes = utf8Bytes(codePoint)
        }
      }
      do {
        // Multiply by the prime 2^40 + 435, modulo 2^64, in parts that stay below 2^32.
        low ^= bytes & 0xff
        const lowest = (low & 0xffff) * 435
        const middle = (low >>> 16) * 435 + (lowest >>> 16)
        high = (Math.imul(high, 435) + (middle >>> 16) + (low << 8)) | 0
        low = (middle << 16) | (lowest & 0xffff)
        bytes >>>= 8
      } while (bytes !== 0)
    }
  }
  return hex16(high >>> 16) + hex16(high) + hex16(low >>> 16) + hex16(low)
}

/** The UTF-8 bytes of a code point above U+007F in one number, the first byte lowest. No byte is 0. */
function utf8Bytes(codePoint: number): number {
  if (codePoint < 0x800) return 0x80c0 | (codePoint >> 6) | ((codePoint & 0x3f) << 8)
  const scalar = codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint
  const last = 0x80 | (scalar & 0x3f)
  const third = 0x80 | ((scalar >> 6) & 0x3f)
  if (scalar < 0x10000) return 0xe0 | (scalar >> 12) | (third << 8) | (last << 16)
  const second = 0x80 | ((scalar >> 12) & 0x3f)
  return 0xf0 | (scalar >> 18) | (second << 8) | (third << 16) | (last << 24)
}

const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, '0'),
)

function hex16(number: number): string {
  return `${hexPairs[(number >>> 8) & 0xff]}${hexPairs[number & 0xff]}`
}
