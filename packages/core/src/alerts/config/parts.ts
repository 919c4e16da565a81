import { goQuote } from '@gatehouse/go-template/text'
import {
  type BlockTable,
  block,
  createDecoding,
  type Decoding,
  type DecodingOptions,
} from '@gatehouse/go-template/yaml'
import { parseConfigDocument } from '../../document/config-document.ts'
import type { ConfigProblem } from '../../document/config-problem.ts'
import { type Decode, exactly, listOf, optional, rawText } from '../../input/decode.ts'
import type { GlobalConfig } from '../fields/global.ts'
import { compareMatchers, type Matcher } from '../matcher/matcher.ts'
import { parseMatchers } from '../matcher/matcher-syntax.ts'
import { defaultTemplates } from '../notification/default-templates.ts'
import type { TemplateFile } from '../notification/notification-templates.ts'
import { inheritGlobal, type ReportAt, reportInto } from '../receivers/inherit.ts'
import type { ReceiverConfig } from '../receivers/receiver.ts'
import {
  brokenParts,
  checkIntervalNames,
  checkIntervalsUsed,
  checkReceiverName,
  checkReceiversUsed,
  checkWebhookRuns,
} from './cross-checks.ts'
import { documentFields, type WrittenConfig } from './document.ts'
import type { WrittenInhibitRule } from './inhibit-rule.ts'
import type { MatcherSettings } from './matchers.ts'
import { redact } from './redact.ts'
import { definitionsOf, templateFile } from './template-file.ts'

/** A file of a configuration beside the main one, such as that of a team. */
export interface AlertsConfigPart {
  /** Its text: `route`, `receivers`, `time_intervals`, `mute_time_intervals`, `inhibit_rules` and `templates`. */
  text: string
  /** The name of the file in messages. */
  filename: string
  /** The directory for relative paths (default: they stay relative). */
  directory?: string
  /** Matchers such as `team="storage"`: routes and inhibit rules of this part apply only to alerts that match all of them. */
  matchers?: readonly string[]
  /** The files that match the globs of `templates` of this part, with their content (default none). */
  templateFiles?: readonly TemplateFile[]
}

/** Decodes the parts of a configuration. */
export const configParts: Decode<readonly AlertsConfigPart[]> = listOf(
  exactly<AlertsConfigPart>({
    text: rawText,
    filename: rawText,
    directory: optional(rawText),
    matchers: optional(listOf(rawText)),
    templateFiles: optional(listOf(templateFile)),
  }),
)

type WrittenPart = Omit<WrittenConfig, 'global' | 'tracing' | 'event_recorder'>

/** A part, decoded by itself. */
interface DecodedPart {
  readonly given: AlertsConfigPart
  readonly written: WrittenPart
  readonly decoding: Decoding
}

/** The main file and what is needed to decode parts like it. */
export interface MainConfig {
  readonly written: WrittenConfig
  readonly decoding: Decoding
  readonly filename: string | undefined
  readonly templateFiles: readonly TemplateFile[]
  readonly settings: MatcherSettings
  /** The options for decoding a file of this directory. */
  readonly optionsFor: (directory: string | undefined) => DecodingOptions
  readonly webhookProblem: ((webhook: string) => string | undefined) | undefined
}

/** A configuration with its parts merged into it. */
export interface MergedConfig {
  readonly written: WrittenConfig
  /** The receivers of the parts. */
  readonly receivers: readonly ReceiverConfig[]
  /** Globs of template files of each part. */
  readonly templates: readonly (readonly string[])[]
  readonly templateFiles: readonly TemplateFile[]
  /** The problems of the parts; each names its file. */
  readonly problems: readonly ConfigProblem[]
  /** The texts of the parts with their secrets masked. */
  readonly sources: readonly string[]
}

function partTable(settings: MatcherSettings): BlockTable<WrittenPart> {
  const { route, inhibit_rules, receivers, templates, mute_time_intervals, time_intervals } =
    documentFields(settings)
  const fields = {
    route,
    inhibit_rules,
    receivers,
    templates,
    mute_time_intervals,
    time_intervals,
  }
  return { typeName: 'config.part', fields }
}

/**
 * Merges parts into the main configuration. A part may use the names of the main file and its own. A name that two files define
 * is a problem, and it has the places of both.
 *
 * @throws {GatehouseError} `InvalidConfig` if a part is not YAML; `InvalidMatcher` for the matchers of a part.
 */
export function mergeParts(main: MainConfig, given: readonly AlertsConfigPart[]): MergedConfig {
  const kind = block(partTable(main.settings))
  const parts = given.map((part): DecodedPart => {
    const node = parseConfigDocument(part.text, part.filename)
    const decoding = createDecoding(main.optionsFor(part.directory))
    return { given: part, decoding, written: kind.decode({ decoding, node, path: '' }) }
  })
  const names = createNames(main)
  const receivers: ReceiverConfig[] = []
  const problems: ConfigProblem[] = []
  let { written } = main
  for (const part of parts) {
    const { decoding, given } = part
    const references: ConfigProblem[] = []
    receivers.push(...checkPart(part, main, names, reportInto(decoding, references)))
    const found = [...decoding.checks, ...decoding.structure, ...references, ...names.clashes(part)]
    problems.push(...found.map((problem) => ({ ...problem, file: given.filename })))
    written = merge(written, part.written, teamMatchers(given, main.settings))
  }
  const origin = main.decoding.origins.get(main.written.route ?? {})
  if (written.route !== undefined && origin !== undefined) {
    main.decoding.origins.set(written.route, origin)
  }
  return {
    written,
    receivers,
    problems,
    templates: parts.map((part) => part.written.templates),
    templateFiles: given.flatMap(({ templateFiles = [] }) => templateFiles),
    sources: parts.map(({ given, decoding }) => {
      return `# ${given.filename}\n${redact(given.text, decoding.secrets)}`
    }),
  }
}

function teamMatchers(
  { matchers = [] }: AlertsConfigPart,
  { matcherMode }: MatcherSettings,
): readonly Matcher[] {
  return matchers.flatMap((one) => parseMatchers(one, matcherMode))
}

function checkPart(
  { written, decoding }: DecodedPart,
  main: MainConfig,
  names: Names,
  report: ReportAt,
): readonly ReceiverConfig[] {
  const { route } = written
  const broken = brokenParts(decoding)
  const own = new Set<string>()
  for (const receiver of written.receivers) {
    checkReceiverName(receiver, own, report)
    if (main.webhookProblem !== undefined) checkWebhookRuns(receiver, main.webhookProblem, report)
  }
  const intervals = checkIntervalNames(written, report)
  if (route !== undefined) {
    if (!broken.has('receiver names')) {
      checkReceiversUsed(route, new Set([...names.main.receivers, ...own]), report)
    }
    if (!broken.has('interval names')) {
      checkIntervalsUsed(route, new Set([...names.main.intervals, ...intervals]), report)
    }
    if (route.continue) report(route, 'cannot have continue in root route', 'continue')
  }
  return written.receivers.map((receiver) => inherited(receiver, main.written.global))

  function inherited(receiver: WrittenPart['receivers'][number], global: GlobalConfig) {
    const path = decoding.origins.get(receiver)?.path ?? 'receivers'
    return inheritGlobal(receiver, global, broken.has(path) ? () => undefined : report)
  }
}

/** The part's route becomes a route of the root, and all of the part concerns only alerts that match. */
function merge(
  main: WrittenConfig,
  part: WrittenPart,
  matchers: readonly Matcher[],
): WrittenConfig {
  const both = (own: readonly Matcher[]): readonly Matcher[] =>
    [...own, ...matchers].sort(compareMatchers)
  const limited = (rule: WrittenInhibitRule): WrittenInhibitRule => ({
    ...rule,
    source_matchers: both(rule.source_matchers),
    target_matchers: both(rule.target_matchers),
  })
  const { route } = main
  const child = part.route && { ...part.route, matchers: both(part.route.matchers) }
  return {
    ...main,
    ...(route && { route: child ? { ...route, routes: [...route.routes, child] } : route }),
    inhibit_rules: [...main.inhibit_rules, ...part.inhibit_rules.map(limited)],
    receivers: [...main.receivers, ...part.receivers],
    templates: [...main.templates, ...part.templates],
    mute_time_intervals: [...main.mute_time_intervals, ...part.mute_time_intervals],
    time_intervals: [...main.time_intervals, ...part.time_intervals],
  }
}

/** The names of the files so far, with their places. */
interface Names {
  readonly main: {
    readonly receivers: ReadonlySet<string>
    readonly intervals: ReadonlySet<string>
  }
  /** Adds the names of a part. Returns a problem for each that an earlier file has. */
  clashes(part: DecodedPart): readonly ConfigProblem[]
}

interface Named {
  readonly what: string
  readonly name: string
  readonly line: number
  readonly column: number
  readonly path: string
  /** The file, if it is a template file. */
  readonly file?: string
}

function createNames(main: MainConfig): Names {
  const { written, decoding, filename = 'the main file', templateFiles } = main
  const places = new Map<string, string>()
  const keyOf = ({ what, name }: Named): string => `${what} ${name}`
  const add = (named: readonly Named[], from: string): void => {
    for (const one of named) {
      places.set(keyOf(one), `${one.file ?? from}:${one.line}:${one.column}`)
    }
  }
  add(
    [...namesOf(written, decoding), ...templatesOf([defaultTemplates, ...templateFiles])],
    filename,
  )
  return {
    main: {
      receivers: new Set(written.receivers.map(({ name }) => name)),
      intervals: new Set(intervalsOf(written).map(({ name }) => name)),
    },
    clashes({ written, decoding, given }) {
      const { filename, templateFiles = [] } = given
      const named = [...namesOf(written, decoding), ...templatesOf(templateFiles)]
      const problems = named.flatMap((one): ConfigProblem[] => {
        const before = one.name === '' ? undefined : places.get(keyOf(one))
        if (before === undefined) return []
        const { what, name, file, path, line, column } = one
        const place = file === undefined ? '' : `${file}:${line}:${column}: `
        const message = `${place}${what} ${goQuote(name)} is already defined at ${before}`
        // A template file is not the file of the problem: its place is in the message.
        return [{ path, message, ...(file === undefined ? { line, column } : templatesKey) }]
      })
      add(named, filename)
      return problems
    },
  }
}

const templatesKey = { line: 1, column: 1 }

const intervalsOf = ({ mute_time_intervals, time_intervals }: WrittenPart) => [
  ...mute_time_intervals,
  ...time_intervals,
]

function namesOf(written: WrittenPart, decoding: Decoding): readonly Named[] {
  const named = (what: string) => (block: { readonly name: string }) => {
    const { node, path } = decoding.origins.get(block) ?? { node: { line: 1, column: 1 }, path: '' }
    return { what, name: block.name, line: node.line, column: node.column, path }
  }
  return [
    ...written.receivers.map(named('the receiver')),
    ...intervalsOf(written).map(named('the time interval')),
  ]
}

/** A later definition would replace an earlier one for all notifications. */
const templatesOf = (files: readonly TemplateFile[]): readonly Named[] =>
  files.flatMap((file) =>
    definitionsOf(file).map((one) => ({
      what: 'the template',
      path: 'templates',
      file: file.name,
      ...one,
    })),
  )
