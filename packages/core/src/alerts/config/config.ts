import {
  createDecoding,
  type Decoding,
  type DecodingOptions,
  isNull,
  writeYaml,
  type YamlMap,
  type YamlValue,
} from '@gatehouse/go-template/yaml'
import { parseConfigDocument } from '../../document/config-document.ts'
import { type ConfigProblem, invalidConfig } from '../../document/config-problem.ts'
import {
  decodeInput,
  exactly,
  flag,
  functionLike,
  listOf,
  objectOf,
  oneOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import {
  type Expectation,
  type ExpectedAlerts,
  expectedAlertsInput,
  toExpectation,
} from '../expect/expectation.ts'
import type { GlobalConfig } from '../fields/global.ts'
import type { MatcherMode } from '../matcher/matcher-syntax.ts'
import type { TemplateFile } from '../notification/notification-templates.ts'
import { inheritGlobal, type ReportAt, reportInto } from '../receivers/inherit.ts'
import { encodeReceiver, type ReceiverConfig } from '../receivers/receiver.ts'
import type { InhibitRuleConfig, RouteConfig } from '../routing/route-config.ts'
import type { NamedTimeInterval } from '../routing/time-interval.ts'
import { configText } from './config-text.ts'
import {
  brokenParts,
  checkGlobal,
  checkIntervalNames,
  checkIntervalsUsed,
  checkReceiverName,
  checkReceiversUsed,
  checkRoot,
  checkWebhookRuns,
} from './cross-checks.ts'
import { documentKind, type WrittenConfig } from './document.ts'
import type { EventRecorderConfig } from './event-recorder.ts'
import { toInhibitRuleConfig } from './inhibit-rule.ts'
import type { MatcherSettings } from './matchers.ts'
import { type AlertsConfigPart, configParts, type MergedConfig, mergeParts } from './parts.ts'
import { redact } from './redact.ts'
import { type ConfigReferences, configReferences, expanderOf } from './references.ts'
import { toRouteConfig } from './route.ts'
import type { TracingConfig } from './tracing.ts'
import type { AlertmanagerConfig } from './written/alertmanager-config.ts'

export type { GlobalConfig } from '../fields/global.ts'
export type { InhibitRuleConfig, RouteConfig } from '../routing/route-config.ts'

/** A validated configuration of the alert service. @see Alertmanager configuration */
export interface AlertsConfig {
  readonly global: GlobalConfig
  /** The root of the routing tree. */
  readonly route: RouteConfig
  readonly inhibit_rules: readonly InhibitRuleConfig[]
  readonly receivers: readonly ReceiverConfig[]
  /** `mute_time_intervals` and `time_intervals` together, with unique names. */
  readonly time_intervals: readonly NamedTimeInterval[]
  /** Globs of template files of the main file. */
  readonly templates: readonly string[]
  /** Globs of template files of each part. */
  readonly templatesOfParts: readonly (readonly string[])[]
  /** The template files with their content, in their order of evaluation. */
  readonly templateFiles: readonly TemplateFile[]
  /** Alerts that must keep coming. Not part of `alertmanager.yml`. */
  readonly expect: readonly Expectation[]
  readonly tracing?: TracingConfig
  readonly event_recorder?: EventRecorderConfig
  /** The original text with its secrets masked. */
  readonly source: string
  /** The configuration written as YAML: with defaults and inherited values, secrets masked. */
  readonly original: string
}

/** Options of {@link loadAlertsConfig}. */
export interface AlertsConfigOptions {
  /** The name of the file in messages. */
  filename?: string
  /** The directory for relative paths (default: they stay relative). */
  directory?: string
  /** The files that match the globs of `templates` (default none). */
  templateFiles?: readonly TemplateFile[]
  /** Alerts that must keep coming (default none). */
  expect?: readonly ExpectedAlerts[]
  /** The grammar of matchers (default `fallback`). */
  matcherMode?: MatcherMode
  /** Whether label names in `group_by` and `equal` must be classic ones (default: in mode `classic`). */
  classicLabelNames?: boolean
  /** How references such as `${env:NAME}` in secrets and URLs are resolved (default: they are ordinary text). */
  references?: ConfigReferences
  /** Further files, merged in their order: their routes come after those of the main file (default none). */
  parts?: readonly AlertsConfigPart[]
  /** Why no receiver may run a webhook, or `undefined` (default: webhooks of `webhook_run_configs` are not checked). */
  webhookProblem?: (webhook: string) => string | undefined
}

const decodeOptions = exactly<AlertsConfigOptions>({
  filename: optional(rawText),
  directory: optional(rawText),
  templateFiles: optional(listOf(objectOf<TemplateFile>({ name: rawText, text: rawText }))),
  expect: optional(expectedAlertsInput),
  matcherMode: optional(oneOf(['fallback', 'utf8', 'classic'])),
  classicLabelNames: optional(flag),
  references: optional(configReferences),
  parts: optional(configParts),
  webhookProblem: optional(functionLike('a function that finds problems of webhooks')),
})

/**
 * Decodes and validates an `alertmanager.yml`, given as text or as an object with its keys. Problems of an object have the line
 * numbers of its YAML text, which is the `source` of the result.
 *
 * @throws {GatehouseError} `InvalidConfig`. Its message is Alertmanager's for the first problem; `info.problems` has all of them,
 * as {@link ConfigProblem}.
 * @see Alertmanager documentation, "Configuration"
 */
export function loadAlertsConfig(
  source: string | AlertmanagerConfig,
  given: AlertsConfigOptions = {},
): AlertsConfig {
  const text = decodeInput('config', configText, source)
  const options = decodeInput('options', decodeOptions, given)
  const { filename, directory, matcherMode = 'fallback', templateFiles = [], expect = [] } = options
  const classicLabelNames = options.classicLabelNames ?? matcherMode === 'classic'
  const labelNames = classicLabelNames ? 'classic' : 'utf8'
  const root = parseConfigDocument(text, filename)
  const { references: outside, parts: givenParts = [], webhookProblem } = options
  const optionsFor = (directory: string | undefined): DecodingOptions => ({
    ...(directory === undefined ? {} : { directory }),
    ...(outside === undefined ? {} : { expand: expanderOf(outside, directory) }),
  })
  const decoding = createDecoding(optionsFor(directory))
  const settings: MatcherSettings = { matcherMode, labelNames }
  const kind = documentKind(settings)
  const written = kind.decode({ decoding, node: root, path: '' })
  const references: ConfigProblem[] = []
  const report = reportInto(decoding, references)
  if (isNull(root)) report(written, 'no route provided in config')
  const own = isNull(root) ? [] : checkReferences(written, decoding, report, webhookProblem)
  const merged: MergedConfig | undefined =
    givenParts.length === 0
      ? undefined
      : mergeParts(
          { written, decoding, filename, templateFiles, settings, optionsFor, webhookProblem },
          givenParts,
        )
  const problems = [
    ...decoding.checks,
    ...decoding.structure,
    ...references,
    ...(merged?.problems ?? []),
  ]
  const [first] = problems
  const whole = merged?.written ?? written
  const { route } = whole
  if (first !== undefined || route === undefined) {
    throw invalidConfig(firstMessage(decoding, first), problems, filename)
  }
  const receivers = [...own, ...(merged?.receivers ?? [])]
  const encoded = kind.encode(whole)
  return {
    global: written.global,
    route: toRouteConfig(route),
    inhibit_rules: whole.inhibit_rules.map(toInhibitRuleConfig),
    receivers,
    time_intervals: [...whole.mute_time_intervals, ...whole.time_intervals],
    templates: written.templates,
    templatesOfParts: merged?.templates ?? [],
    templateFiles: [...templateFiles, ...(merged?.templateFiles ?? [])],
    expect: expect.map((one) => toExpectation(one, { matcherMode, labelNames })),
    ...(written.tracing === undefined ? {} : { tracing: written.tracing }),
    ...(written.event_recorder === undefined ? {} : { event_recorder: written.event_recorder }),
    source: [redact(text, decoding.secrets), ...(merged?.sources ?? [])].join('\n---\n'),
    original: writeYaml(withReceivers(encoded, receivers)),
  }
}

/** Alertmanager stops at the first wrong value, but collects the errors of the structure. */
function firstMessage(decoding: Decoding, first: ConfigProblem | undefined): string {
  if (first?.file !== undefined) return `${first.file}:${first.line}: ${first.message}`
  if (decoding.checks.length > 0 || decoding.structure.length === 0) return first?.message ?? ''
  const lines = decoding.structure.map(({ line, message }) => `\n  line ${line}: ${message}`)
  return `yaml: unmarshal errors:${lines.join('')}`
}

/** Checks references between blocks. A block with its own problems causes no further ones here. */
function checkReferences(
  written: WrittenConfig,
  decoding: Decoding,
  report: ReportAt,
  webhookProblem: AlertsConfigOptions['webhookProblem'],
): readonly ReceiverConfig[] {
  const broken = brokenParts(decoding)
  if (!broken.has('global')) checkGlobal(written.global, report)
  const names = new Set<string>()
  const receivers = written.receivers.map((receiver) => {
    checkReceiverName(receiver, names, report)
    if (webhookProblem !== undefined) checkWebhookRuns(receiver, webhookProblem, report)
    const path = decoding.origins.get(receiver)?.path ?? 'receivers'
    const isSound = !broken.has('global') && !broken.has(path)
    return inheritGlobal(receiver, written.global, isSound ? report : () => undefined)
  })
  const { route } = written
  if (route === undefined) {
    if (!broken.has('route')) report(written, 'no routes provided')
    checkIntervalNames(written, report)
    return receivers
  }
  if (!broken.has('root receiver')) checkRoot(route, report)
  if (!broken.has('receiver names')) checkReceiversUsed(route, names, report)
  const intervals = checkIntervalNames(written, report)
  if (!broken.has('interval names')) checkIntervalsUsed(route, intervals, report)
  if (route.continue) report(route, 'cannot have continue in root route', 'continue')
  return receivers
}

/** Writes receivers with their inherited settings. */
function withReceivers(
  encoded: YamlValue | undefined,
  receivers: readonly ReceiverConfig[],
): YamlMap {
  const entries = encoded instanceof Map ? new Map<string, YamlValue>(encoded) : new Map()
  if (receivers.length > 0) entries.set('receivers', receivers.map(encodeReceiver))
  return entries
}

/** The original text of a configuration with its secrets masked, comments and layout kept. */
export function redactedSource(config: AlertsConfig): string {
  return config.source
}

/** The contents of a valid configuration, counted like in `amtool check-config`. */
export interface AlertsConfigSummary {
  readonly inhibitRules: number
  readonly receivers: number
  readonly templates: number
}

/**
 * Validates a configuration and counts its contents.
 *
 * @throws {GatehouseError} `InvalidConfig`, as {@link loadAlertsConfig}.
 * @see amtool, `check-config`
 */
export function checkAlertsConfig(
  text: string,
  options: AlertsConfigOptions = {},
): AlertsConfigSummary {
  const { inhibit_rules, receivers, templates } = loadAlertsConfig(text, options)
  return {
    inhibitRules: inhibit_rules.length,
    receivers: receivers.length,
    templates: templates.length,
  }
}
