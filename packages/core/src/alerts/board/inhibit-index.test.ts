import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprint, type LabelSet, labelSet } from '../alert/label-set.ts'
import { createMatcher, matchesAll } from '../matcher/matcher.ts'
import type { InhibitRuleConfig } from '../routing/route-config.ts'
import { type AlertEntry, createAlertEntry } from './alert-entry.ts'
import { createInhibitIndex } from './inhibit-index.ts'

function entryOf(pairs: readonly (readonly [string, string])[]): AlertEntry {
  const labels = Object.fromEntries(pairs)
  const alert = { labels, annotations: {}, startsAt: 0, endsAt: 1, updatedAt: 0 }
  return createAlertEntry(fingerprint(labelSet(pairs)), alert)
}

const isKind = (pattern: string) => [createMatcher('kind', '=~', pattern)]

/** The rule of the specification, applied to every pair of alerts. */
function expectedInhibitor(
  rules: readonly InhibitRuleConfig[],
  entries: readonly AlertEntry[],
  target: LabelSet,
): string | undefined {
  for (const { source_matchers, target_matchers, equal } of rules) {
    if (!matchesAll(target_matchers, target)) continue
    const targetIsSource = matchesAll(source_matchers, target)
    const sources = entries.filter(
      ({ labels }) =>
        matchesAll(source_matchers, labels) &&
        equal.every((name) => (labels.get(name) ?? '') === (target.get(name) ?? '')) &&
        !(targetIsSource && matchesAll(target_matchers, labels)),
    )
    const [first] = sources.map((source) => source.fingerprint).sort()
    if (first !== undefined) return first
  }
  return undefined
}

describe('inhibition', () => {
  it('matches a search through every pair, while alerts come and go', () => {
    const pattern = fc.constantFrom('src', 'tgt', 'src|both', 'tgt|both', '.*', '.+')
    const rule = fc.record({
      source_matchers: pattern.map(isKind),
      target_matchers: pattern.map(isKind),
      equal: fc.subarray(['eq', 'cluster']),
    })
    const labels = fc.record({
      kind: fc.constantFrom('src', 'tgt', 'both'),
      eq: fc.constantFrom('', 'x', 'y'),
      cluster: fc.constantFrom('', 'x'),
      n: fc.constantFrom('1', '2', '3'),
    })
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 3 }),
        fc.uniqueArray(labels, { maxLength: 10, selector: (one) => JSON.stringify(one) }),
        fc.nat(),
        (rules, all, gone) => {
          const entries = all.map((one) => entryOf(Object.entries(one).filter(([, v]) => v !== '')))
          const index = createInhibitIndex(rules)
          for (const entry of entries) index.add(entry)
          const check = (present: readonly AlertEntry[]): void => {
            for (const entry of present) {
              const expected = expectedInhibitor(rules, present, entry.labels)
              expect(index.inhibitorOf(entry)?.source.fingerprint).toBe(expected)
              expect(index.inhibitorOfLabels(entry.labels)?.source.fingerprint).toBe(expected)
            }
          }
          check(entries)
          const removed = entries[entries.length === 0 ? 0 : gone % entries.length]
          if (removed !== undefined) index.remove(removed)
          check(entries.filter((entry) => entry !== removed))
        },
      ),
    )
  })

  it('distinguishes two labels from one that contains both values', () => {
    const index = createInhibitIndex([
      { source_matchers: isKind('src'), target_matchers: isKind('tgt'), equal: ['a', 'b'] },
    ])
    index.add(
      entryOf([
        ['kind', 'src'],
        ['a', 'x1:y'],
      ]),
    )
    expect(
      index.inhibitorOf(
        entryOf([
          ['kind', 'tgt'],
          ['a', 'x'],
          ['b', 'y'],
        ]),
      ),
    ).toBeUndefined()
  })
})
