import type { LabelSet } from '../alert/label-set.ts'
import type { InhibitRuleConfig } from '../routing/route-config.ts'
import type { AlertEntry, InhibitRule, RuleSide } from './alert-entry.ts'
import { createMatcherIndex } from './matcher-index.ts'

/** The firing sources of one rule that share the values of its `equal` labels. */
interface SourceBucket {
  readonly sources: Set<AlertEntry>
  /** The source with the smallest fingerprint; `undefined` until it is searched again. */
  first: AlertEntry | undefined
  /** The same among sources that are not also targets of the rule; `null` if there is none. */
  firstPure: AlertEntry | null | undefined
}

/** Finds the alerts that inhibit others. All sources are indexed by the values of the `equal` labels. */
export interface InhibitIndex {
  /** Computes which rules the alert is a source or target of, and indexes it as a source. */
  add(entry: AlertEntry): void
  remove(entry: AlertEntry): void
  /** The rule and the alert that inhibit this one: the first matching rule, then the smallest fingerprint. */
  inhibitorOf(entry: AlertEntry): { rule: InhibitRule; source: AlertEntry } | undefined
  /** The same for a label set that need not be stored. */
  inhibitorOfLabels(labels: LabelSet): { rule: InhibitRule; source: AlertEntry } | undefined
}

/** The values of the labels that a rule compares, as one text. A missing label counts as empty. */
function tupleOf(rule: InhibitRule, labels: LabelSet): string {
  if (rule.equal.length === 1) return labels.get(rule.equal[0] ?? '') ?? ''
  let tuple = ''
  for (const name of rule.equal) {
    const value = labels.get(name) ?? ''
    tuple += `${value.length}:${value}`
  }
  return tuple
}

function smallest(entries: Iterable<AlertEntry>): AlertEntry | undefined {
  let first: AlertEntry | undefined
  for (const entry of entries) {
    if (first === undefined || entry.fingerprint < first.fingerprint) first = entry
  }
  return first
}

/** Creates an index over these rules, without alerts. */
export function createInhibitIndex(configs: readonly InhibitRuleConfig[]): InhibitIndex {
  const rules = configs.map((config, index): InhibitRule => ({ ...config, index }))
  const sourceRules = createMatcherIndex<InhibitRule>()
  const targetRules = createMatcherIndex<InhibitRule>()
  for (const rule of rules) {
    sourceRules.add(rule, rule.source_matchers)
    targetRules.add(rule, rule.target_matchers)
  }
  const bucketsOf = rules.map(() => new Map<string, SourceBucket>())

  const sidesOf = (labels: LabelSet): { sources: RuleSide[]; targets: RuleSide[] } => {
    if (rules.length === 0) return { sources: [], targets: [] }
    const sources = sourceRules.matching(labels)
    const targets = targetRules.matching(labels).sort((a, b) => a.index - b.index)
    const side = (rule: InhibitRule, others: readonly InhibitRule[]): RuleSide => ({
      rule,
      tuple: tupleOf(rule, labels),
      bothSides: others.includes(rule),
    })
    return {
      sources: sources.map((rule) => side(rule, targets)),
      targets: targets.map((rule) => side(rule, sources)),
    }
  }

  const inhibitorAmong = (
    sides: readonly RuleSide[],
  ): { rule: InhibitRule; source: AlertEntry } | undefined => {
    for (const { rule, tuple, bothSides } of sides) {
      const bucket = bucketsOf[rule.index]?.get(tuple)
      const source = bucket && firstSource(bucket, rule, bothSides)
      if (source !== undefined) return { rule, source }
    }
    return undefined
  }

  return {
    add(entry) {
      const { sources, targets } = sidesOf(entry.labels)
      entry.targetOf = targets
      entry.sourceOf = sources
      for (const { rule, tuple } of sources) {
        const buckets = bucketsOf[rule.index]
        const bucket = buckets?.get(tuple)
        if (bucket === undefined) {
          buckets?.set(tuple, {
            sources: new Set([entry]),
            first: undefined,
            firstPure: undefined,
          })
        } else {
          bucket.sources.add(entry)
          forgetFirst(bucket)
        }
      }
    },

    remove(entry) {
      for (const { rule, tuple } of entry.sourceOf) {
        const bucket = bucketsOf[rule.index]?.get(tuple)
        if (bucket === undefined) continue
        bucket.sources.delete(entry)
        forgetFirst(bucket)
        if (bucket.sources.size === 0) bucketsOf[rule.index]?.delete(tuple)
      }
      entry.targetOf = []
      entry.sourceOf = []
    },

    inhibitorOf: (entry) => inhibitorAmong(entry.targetOf),

    inhibitorOfLabels: (labels) => inhibitorAmong(sidesOf(labels).targets),
  }
}

function forgetFirst(bucket: SourceBucket): void {
  bucket.first = undefined
  bucket.firstPure = undefined
}

/** The source that inhibits a target of the rule. An alert that is source and target does not inhibit another such alert. */
function firstSource(
  bucket: SourceBucket,
  rule: InhibitRule,
  targetIsOnBothSides: boolean,
): AlertEntry | undefined {
  if (!targetIsOnBothSides) {
    bucket.first ??= smallest(bucket.sources)
    return bucket.first
  }
  if (bucket.firstPure === undefined) {
    const pure = [...bucket.sources].filter((source) =>
      source.sourceOf.some((side) => side.rule === rule && !side.bothSides),
    )
    bucket.firstPure = smallest(pure) ?? null
  }
  return bucket.firstPure ?? undefined
}
