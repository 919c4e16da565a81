import { formatDuration } from '@gatehouse/core/config'
import type { Outcome } from './run-test.ts'
import type { RouteTest } from './test-file.ts'

/** A line of a comparison: expected but missing, there but not expected, or both. */
export interface ComparedLine {
  readonly mark: '-' | '+' | ' '
  readonly text: string
}

/** What a test expected and got, both with the fields that it names. */
export interface Compared {
  readonly passed: boolean
  readonly expected: readonly Outcome[]
  readonly got: readonly Outcome[]
  readonly lines: readonly ComparedLine[]
}

const durations: ReadonlySet<string> = new Set([
  'at',
  'group_wait',
  'group_interval',
  'repeat_interval',
])

/** Compares only the fields that an expectation names. The order of alerts, and of notifications at one instant, does not count. */
export function compare(test: RouteTest, outcomes: readonly Outcome[]): Compared {
  const isSequence = test.notifications !== undefined
  const order = (all: readonly object[]): readonly Outcome[] =>
    isSequence ? inOrder(all) : all.map(written)
  const expected = order(test.notifications ?? test.routes ?? [])
  const inTurn = order(outcomes)
  const union = new Set(expected.flatMap((one) => Object.keys(one)))
  const got = inTurn.map((one, index) => {
    const named = expected[index]
    const fields = named === undefined ? union : new Set(Object.keys(named))
    return fields.size === 0 ? one : pick(one, fields)
  })
  const lines = difference(expected.map(lineOf), got.map(lineOf))
  return { passed: lines.every(({ mark }) => mark === ' '), expected, got, lines }
}

/** With durations, labels and lists of alerts in one form. */
function written(outcome: object): Outcome {
  const entries = Object.entries(outcome).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries.map(([key, value]) => [key, writtenField(key, value)]))
}

function writtenField(key: string, value: unknown): unknown {
  if (typeof value === 'number' && durations.has(key)) return formatDuration(value)
  if (key === 'firing' || key === 'resolved') {
    return Array.from(Object(value), sortedLabels).toSorted(byText)
  }
  return key === 'group_labels' ? sortedLabels(value) : value
}

function sortedLabels(labels: unknown): Readonly<Record<string, unknown>> {
  const entries: [string, unknown][] =
    labels instanceof Map ? [...labels] : Object.entries(Object(labels))
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const byText = (a: unknown, b: unknown): number => {
  const [one, other] = [JSON.stringify(a), JSON.stringify(b)]
  return one < other ? -1 : Number(one > other)
}

/** By time, then by receiver. */
function inOrder(outcomes: readonly object[]): readonly Outcome[] {
  return outcomes
    .map((one) => ({ at: Number('at' in one && one.at), outcome: written(one) }))
    .toSorted((a, b) => a.at - b.at || byText(sortKey(a.outcome), sortKey(b.outcome)))
    .map(({ outcome }) => outcome)
}

const sortKey = ({ receiver, group_labels, firing, resolved }: Outcome): unknown => [
  receiver,
  group_labels ?? {},
  firing ?? [],
  resolved ?? [],
]

const pick = (outcome: Outcome, fields: ReadonlySet<string>): Outcome =>
  Object.fromEntries(Object.entries(outcome).filter(([key]) => fields.has(key)))

/** On one line, such as `receiver: storage, group_wait: 30s, group_labels: {"alertname":"DiskFull"}`. */
const lineOf = (outcome: Outcome): string =>
  Object.entries(outcome)
    .toSorted(([a], [b]) => rank(a) - rank(b))
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

const firstKeys = ['at', 'receiver', 'group_labels']
const rank = (key: string): number =>
  firstKeys.includes(key) ? firstKeys.indexOf(key) : firstKeys.length

/** The difference of two lists with the fewest changes. */
function difference(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  const lengths: number[][] = Array.from({ length: before.length + 1 }, () => [])
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    const row = lengths[i] ?? []
    for (let j = after.length - 1; j >= 0; j--) {
      row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: ComparedLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i++] ?? '' })
      j++
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: '-', text: before[i++] ?? '' })
    } else {
      lines.push({ mark: '+', text: after[j++] ?? '' })
    }
  }
  return lines
}
