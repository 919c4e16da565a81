import type { ConfigNode } from '../../document/config-document.ts'
import { configNode } from '../../document/config-node.ts'
import {
  decodeDocument,
  inspectDocument,
  nodeAt,
  problemAt,
} from '../../document/decode-document.ts'
import { objectDocument } from '../../document/object-document.ts'
import type { Outside } from '../../document/outside-text.ts'
import { invalidDocument } from '../../document/problem.ts'
import { mapping, type Schema, type Sound } from '../../document/schema.ts'
import { configSource, isTextSource } from '../../input/config-source.ts'
import {
  type Decode,
  decodeInput,
  environmentInput,
  exactly,
  functionLike,
  having,
  listOf,
  objectOf,
  optional,
  rawText,
  recordOf,
} from '../../input/decode.ts'
import { createTokenCheck } from '../access/token.ts'
import { senderInput } from '../senders/define-sender.ts'
import type { ConfigPlace, LoadedWebhooksConfig, Sender, Webhook } from '../webhook.ts'
import { buildWebhook } from './build-webhook.ts'
import { webhookAt } from './delivery-path.ts'
import { parseWebhooksDocument, type WebhooksConfigSource } from './document.ts'
import { limitsOf } from './limits.ts'
import { joinParts, keepFormerParts } from './parts/join-parts.ts'
import { partsInput, type WebhooksConfigPart } from './parts/part.ts'
import { type ReadPart, readParts } from './parts/read-part.ts'
import type { WebhooksConfigProblem } from './problem.ts'
import type { WithSenders } from './sender.ts'
import type { OwnSettings, WrittenService } from './service-settings.ts'
import { settingFields } from './webhook-settings.ts'
import { type WrittenDocument, webhooksSchema } from './webhooks-schema.ts'
import type { WebhooksConfig } from './written/webhooks-config.generated.ts'

export { formatDocumentProblem as formatWebhooksConfigProblem } from '../../document/problem.ts'
export { parseWebhooksDocument, type WebhooksConfigSource } from './document.ts'
export type { WebhooksConfigPart } from './parts/part.ts'
export type { WebhooksConfigCode, WebhooksConfigProblem } from './problem.ts'

/**
 * The forms of a configuration: a YAML or JSON text, with or without its origin; an object with the same keys; or a function
 * that returns one of {@link readWebhooksConfig}, so that editors complete and check an object by {@link WebhooksConfig} alone.
 */
export type WebhooksConfigInput =
  | string
  | WebhooksConfig
  | WebhooksConfigSource
  | (() => LoadedWebhooksConfig)

/** Configurations that were read already. */
const configs = new WeakSet<object>()

/** Inputs from outside of a configuration. */
export interface WebhooksConfigPorts {
  /** The variables that `${env:NAME}` reads. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Reads a text file at an absolute path, and throws if it cannot (default: no file can be read). */
  readonly readFile?: ((path: string) => string) | undefined
  /** Absolute path of the working directory of the server. */
  readonly workdir: string
  /** Senders that webhooks may name besides the known ones, made by {@link defineSender} (default: none). */
  readonly senders?: readonly Sender[] | undefined
}

/** Options of {@link decodeWebhooksConfig}. */
export interface DecodeWebhooksConfigOptions extends WebhooksConfigPorts {
  /** Absolute path of the folder that relative paths start from (default: `workdir`). */
  readonly directory?: string | undefined
  /** The name of the file, for messages. */
  readonly filename?: string | undefined
  /** Further files with webhooks (default: none). */
  readonly parts?: readonly WebhooksConfigPart[] | undefined
}

/** Decodes the senders of an app. */
export const sendersInput: Decode<readonly Sender[] | undefined> = optional(listOf(senderInput))

const portFields = {
  environment: environmentInput,
  readFile: optional(
    functionLike<NonNullable<WebhooksConfigPorts['readFile']>>('a function that reads a file'),
  ),
  workdir: rawText,
  senders: sendersInput,
}
const decodePorts = exactly<WebhooksConfigPorts>(portFields)
const decodeOptions = exactly<DecodeWebhooksConfigOptions>({
  ...portFields,
  directory: optional(rawText),
  filename: optional(rawText),
  parts: partsInput,
})
const schemaFields = recordOf(having<Schema<unknown>>('a schema', 'safeParse'))
const decodeOwn = objectOf<OwnSettings<object, object, object>>({
  fields: schemaFields,
  limits: schemaFields,
  log: schemaFields,
  check: optional(functionLike('a function that checks settings')),
})

/**
 * Reads and checks a configuration: a YAML or JSON text, with or without its origin, or an object.
 *
 * @throws {GatehouseError} `InvalidConfig`; `info.problems` are all the problems in the order of the document, as {@link
 * WebhooksConfigProblem}.
 */
export function readWebhooksConfig(
  given: WebhooksConfigInput,
  ports: WebhooksConfigPorts,
): LoadedWebhooksConfig {
  const options = decodeInput('ports', decodePorts, ports)
  const source = decodeInput(
    'config',
    configSource<Exclude<WebhooksConfigInput, () => unknown>>,
    given,
  )
  if (typeof source === 'string') return readText({ text: source }, options)
  if (isLoaded(source)) return source
  return isTextSource<WebhooksConfigSource>(source)
    ? readText(source, options)
    : configOf(objectDocument(source), options)
}

/** Whether this configuration was read already. */
export function isLoaded(source: object): source is LoadedWebhooksConfig {
  return configs.has(source)
}

const sourcePlace = objectOf<Pick<WebhooksConfigSource, 'directory' | 'filename' | 'parts'>>({
  directory: optional(rawText),
  filename: optional(rawText),
  parts: partsInput,
})

function readText(source: WebhooksConfigSource, ports: WebhooksConfigPorts): LoadedWebhooksConfig {
  const options = { ...ports, ...decodeInput('config', sourcePlace, source) }
  return configOf(parseWebhooksDocument(source), options)
}

/** A file with the settings of the service and of a program. */
export interface WebhooksDocument<Own, Limits, Log> {
  /** Defined only if there are no problems, like `own`. */
  readonly config: LoadedWebhooksConfig | undefined
  /** The settings of the program. */
  readonly own: (Own & { readonly limits: Limits; readonly log: Log }) | undefined
  /** The valid settings of the program. */
  readonly sound: Sound<Own>
  /** In the order of the document. */
  readonly problems: readonly WebhooksConfigProblem[]
  /** The problems of each further file by itself, as lines. They do not make the document bad. */
  readonly partProblems: readonly string[]
}

/**
 * Checks the nodes that {@link parseWebhooksDocument} returned and fills in every default, like {@link readWebhooksConfig}. For a
 * program that keeps its own settings in the same file: the problems of both are reported together.
 *
 * @throws {GatehouseError} `InvalidInput` if an argument is invalid.
 */
export function decodeWebhooksConfig<
  Own extends object = object,
  Limits extends object = object,
  Log extends object = object,
>(
  node: ConfigNode,
  options: DecodeWebhooksConfigOptions,
  own: OwnSettings<Own, Limits, Log>,
): WebhooksDocument<Own, Limits, Log> {
  decodeInput('own', decodeOwn, own)
  return readDocument(
    decodeInput('node', configNode, node),
    decodeInput('options', decodeOptions, options),
    own,
  )
}

const defaultSettings = mapping(settingFields)
const noSettings: OwnSettings<object, object, object> = { fields: {}, limits: {}, log: {} }

/** Creating a schema is slow. */
const schemas = {
  whole: new WeakMap<object, Schema<unknown>>(),
  main: new WeakMap<object, Schema<unknown>>(),
}

function schemaOf<Own extends object, Limits extends object, Log extends object>(
  own: OwnSettings<Own, Limits, Log>,
  isWhole: boolean,
): Schema<WrittenDocument<Own, Limits, Log>> {
  const known = isWhole ? schemas.whole : schemas.main
  const schema = known.get(own) ?? webhooksSchema(own, isWhole)
  known.set(own, schema)
  // Created from the same settings.
  return schema as Schema<WrittenDocument<Own, Limits, Log>>
}

function readDocument<Own extends object, Limits extends object, Log extends object>(
  node: ConfigNode,
  options: DecodeWebhooksConfigOptions,
  own: OwnSettings<Own, Limits, Log>,
): WebhooksDocument<Own, Limits, Log> {
  const { environment, readFile, workdir, directory = workdir, senders, parts = [] } = options
  const outside: WithSenders = {
    environment,
    readFile,
    directory,
    withheld: new Set(),
    holdsLiteralSecrets: false,
    senders,
  }
  const { value, sound, problems, warnings } = inspectDocument(
    node,
    schemaOf(own, parts.length === 0),
    { context: outside },
  )
  // Of our own fields, which are in every document.
  const { defaults } = (sound ?? {}) as Sound<WrittenService>
  const others = readParts(parts, outside, {
    defaults: defaults ?? {},
    ownKeys: Object.keys(own.fields),
  })
  // A document that is not a mapping has no valid parts. The codes are those that our schemas report.
  const found = {
    sound: (sound ?? {}) as Sound<Own>,
    problems: problems as WebhooksConfigProblem[],
    partProblems: others.flatMap((part) => part.problems),
  }
  if (value === undefined) return { config: undefined, own: undefined, ...found }
  const service = buildService(value, outside)
  const joined = joinParts(service, others, (written, { directory: folder }) =>
    buildWebhooks(
      { ...value, ...written, defaults: { ...value.defaults, ...written.defaults } },
      folder,
    ),
  )
  if (joined.problems.length > 0) {
    const conflicts = joined.problems.map(({ path, message }) =>
      problemAt(node, path, { code: 'conflict', message }),
    )
    return { config: undefined, own: undefined, ...found, problems: conflicts }
  }
  const config: LoadedWebhooksConfig = {
    ...service,
    webhooks: joined.webhooks,
    parts: joined.parts,
    warnings: [...warnings, ...joined.warnings],
    places: new Map([
      ...placesOf(node, service.webhooks.length, 0),
      ...placesOfParts(service.webhooks.length, joined.parts, others),
    ]),
  }
  configs.add(config)
  return { config, own: value, ...found }
}

/** @throws {GatehouseError} `InvalidConfig` */
function configOf(node: ConfigNode, options: DecodeWebhooksConfigOptions): LoadedWebhooksConfig {
  const { config, problems } = readDocument(node, options, noSettings)
  if (config === undefined) throw invalidDocument(problems, options.filename)
  return config
}

type Service = WrittenDocument<object, object, object>

function buildService(
  document: Service,
  outside: Outside,
): Omit<LoadedWebhooksConfig, 'warnings' | 'places' | 'parts'> {
  const { webhooks: _, defaults: __, admin, limits, ...written } = document
  const { directory, withheld, holdsLiteralSecrets } = outside
  return {
    ...written,
    webhooks: buildWebhooks(document, directory),
    limits: limitsOf(limits),
    admin: admin && { token: createTokenCheck([admin.token], 'any') },
    withheld,
    holdsLiteralSecrets,
  }
}

function buildWebhooks(
  { webhooks, defaults, executor }: Pick<Service, 'webhooks' | 'defaults' | 'executor'>,
  directory: string,
): readonly Webhook[] {
  const absent = Object.fromEntries(Object.keys(settingFields).map((key) => [key, undefined]))
  const settings = { ...absent, ...decodeDocument(objectDocument({}), defaultSettings).value }
  return webhooks.map((webhook) =>
    buildWebhook(webhook, { settings, defaults, executor, directory }),
  )
}

type Places = readonly (readonly [path: string, place: ConfigPlace])[]

/**
 * The positions of keys that {@link checkCommands} reports on.
 *
 * @param before the number of webhooks before those of this file.
 */
function placesOf(node: ConfigNode, webhooks: number, before: number, file?: string): Places {
  const places: [string, ConfigPlace][] = []
  for (let index = 0; index < webhooks; index++) {
    for (const key of ['execute_command', 'workdir']) {
      const member = nodeAt(node, 'webhooks', index, key)
      if (member === undefined || member.line === 0) continue
      const place = { line: member.line, column: member.column }
      const path = `${webhookAt(index)}.${key}`
      const elsewhere = file === undefined ? {} : { file, path }
      places.push([`${webhookAt(before + index)}.${key}`, { ...place, ...elsewhere }])
    }
  }
  return places
}

function placesOfParts(
  webhooksBefore: number,
  parts: LoadedWebhooksConfig['parts'],
  read: readonly ReadPart[],
): Places {
  let before = webhooksBefore
  return parts.flatMap(({ webhooks }, index) => {
    const { node, filename } = read[index] ?? {}
    const places = node === undefined ? [] : placesOf(node, webhooks.length, before, filename)
    before += webhooks.length
    return places
  })
}

/** As {@link keepFormerParts}: the result is a configuration that was read. */
export function followedConfig(
  next: LoadedWebhooksConfig,
  former: LoadedWebhooksConfig,
): LoadedWebhooksConfig {
  const config = keepFormerParts(next, former)
  configs.add(config)
  return config
}
