import {
  type BlockTable,
  block,
  type ConfigKind,
  listOf,
  optional,
} from '@gatehouse/go-template/yaml'
import { type GlobalConfig, globalConfig } from '../fields/global.ts'
import { path } from '../fields/path.ts'
import { receiver, type WrittenReceiver } from '../receivers/receiver.ts'
import type { NamedTimeInterval } from '../routing/time-interval.ts'
import { type EventRecorderConfig, eventRecorder } from './event-recorder.ts'
import { inhibitRuleKind, type WrittenInhibitRule } from './inhibit-rule.ts'
import type { MatcherSettings } from './matchers.ts'
import { routeKind, type WrittenRoute } from './route.ts'
import { timeIntervalLists } from './time-intervals.ts'
import { type TracingConfig, tracing } from './tracing.ts'

/** The configuration file as written, each block by itself. */
export interface WrittenConfig {
  readonly global: GlobalConfig
  readonly route?: WrittenRoute
  readonly inhibit_rules: readonly WrittenInhibitRule[]
  readonly receivers: readonly WrittenReceiver[]
  /** Globs of files; relative ones are resolved against the directory of the configuration. */
  readonly templates: readonly string[]
  readonly mute_time_intervals: readonly NamedTimeInterval[]
  readonly time_intervals: readonly NamedTimeInterval[]
  readonly tracing?: TracingConfig
  readonly event_recorder?: EventRecorderConfig
}

/** The whole document */
export function documentKind(settings: MatcherSettings): ConfigKind<WrittenConfig> {
  return block<WrittenConfig>({ typeName: 'config.plain', fields: documentFields(settings) })
}

/** The fields of the whole document */
export function documentFields(settings: MatcherSettings): BlockTable<WrittenConfig>['fields'] {
  const inhibitRule = inhibitRuleKind(settings)
  return {
    global: { kind: globalConfig },
    route: { kind: optional(routeKind(settings)) },
    inhibit_rules: {
      // Alertmanager accepts empty ones, which do nothing.
      kind: listOf(inhibitRule, '[]*config.InhibitRule', null),
    },
    receivers: { kind: listOf(receiver, '[]*config.Receiver', 'missing receiver') },
    templates: { kind: listOf(path, '[]string'), print: 'always' },
    mute_time_intervals: { kind: timeIntervalLists.mute_time_intervals },
    time_intervals: { kind: timeIntervalLists.time_intervals },
    tracing: { kind: optional(tracing) },
    event_recorder: { kind: optional(eventRecorder) },
  }
}
