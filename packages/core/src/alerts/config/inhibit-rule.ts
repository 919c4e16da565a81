import { goQuote } from '@gatehouse/go-template/text'
import { block, type ConfigKind, listOf, optional, text } from '@gatehouse/go-template/yaml'
import { isLabelName } from '../alert/label-set.ts'
import type { Matcher } from '../matcher/matcher.ts'
import type { InhibitRuleConfig } from '../routing/route-config.ts'
import {
  allMatchers,
  type MatcherSettings,
  matcherList,
  matchMap,
  matchRegexMap,
} from './matchers.ts'

/** An inhibit rule as written. */
export interface WrittenInhibitRule {
  readonly name?: string
  readonly source_match: ReadonlyMap<string, string>
  readonly source_match_re: ReadonlyMap<string, string | undefined>
  readonly source_matchers: readonly Matcher[]
  readonly target_match: ReadonlyMap<string, string>
  readonly target_match_re: ReadonlyMap<string, string | undefined>
  readonly target_matchers: readonly Matcher[]
  readonly equal: readonly string[]
}

/** An element of `inhibit_rules` */
export function inhibitRuleKind(settings: MatcherSettings): ConfigKind<WrittenInhibitRule> {
  return block<WrittenInhibitRule>({
    typeName: 'config.plain',
    fields: {
      name: { kind: optional(text) },
      source_match: { kind: matchMap },
      source_match_re: { kind: matchRegexMap },
      source_matchers: { kind: matcherList(settings) },
      target_match: { kind: matchMap },
      target_match_re: { kind: matchRegexMap },
      target_matchers: { kind: matcherList(settings) },
      equal: { kind: listOf(text, 'model.LabelNames') },
    },
    check({ equal }, report) {
      for (const name of equal) {
        if (!isLabelName(name, settings.labelNames)) {
          report(`invalid label name ${goQuote(name)} in equal list`, 'equal')
        }
      }
    },
  })
}

/** The rule with its old and new matchers merged. */
export function toInhibitRuleConfig(rule: WrittenInhibitRule): InhibitRuleConfig {
  return {
    ...(rule.name === undefined ? {} : { name: rule.name }),
    source_matchers: allMatchers(rule.source_match, rule.source_match_re, rule.source_matchers),
    target_matchers: allMatchers(rule.target_match, rule.target_match_re, rule.target_matchers),
    equal: rule.equal,
  }
}
