import type { ConfigNode } from '../../document/config-document.ts'
import { configNode } from '../../document/config-node.ts'
import { objectDocument } from '../../document/object-document.ts'
import { findMember, memberOrSelf, report, rootPlace, warn } from '../../document/place.ts'
import { invalidDocument } from '../../document/problem.ts'
import { configSource, isTextSource } from '../../input/config-source.ts'
import {
  decodeInput,
  environmentInput,
  exactly,
  functionLike,
  objectOf,
  optional,
  rawText,
} from '../../input/decode.ts'
import { createTokenCheck } from '../access/token.ts'
import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'
import { buildWebhook, warnOfToken } from './build-webhook.ts'
import { parseWebhooksDocument, type WebhooksConfigSource } from './document.ts'
import { defaultHistory, defaultLimits } from './limits.ts'
import { createReading, type Place, type Reading } from './place.ts'
import { defaultLog, type WrittenService, writtenService } from './service-settings.ts'
import type { WebhooksConfig } from './written/webhooks-config.ts'

export { formatDocumentProblem as formatWebhooksConfigProblem } from '../../document/problem.ts'
export { parseWebhooksDocument, type WebhooksConfigSource } from './document.ts'
export type { WebhooksConfigCode, WebhooksConfigProblem } from './problem.ts'

/**
 * What a configuration may be given as: its text, as YAML or JSON, with or without where it came from; an object with the
 * keys of such a text; or what was read of one before.
 */
export type WebhooksConfigInput =
  | string
  | WebhooksConfig
  | WebhooksConfigSource
  | LoadedWebhooksConfig

/** What was read, as opposed to values that are still to be. */
const configs = new WeakSet<object>()

/** What reading a configuration takes from outside of it. */
export interface WebhooksConfigPorts {
  /** The variables that `${env:NAME}` reads. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Reads a text file at an absolute path, and throws if it cannot (default: no file can be read). */
  readonly readFile?: ((path: string) => string) | undefined
  /** Absolute path of the working directory of the server. */
  readonly workdir: string
}

/** Options of {@link decodeWebhooksConfig}. */
export interface DecodeWebhooksConfigOptions extends WebhooksConfigPorts {
  /** Absolute path of the folder that relative paths start from (default: `workdir`). */
  readonly directory?: string | undefined
  /** The name of the file, for messages. */
  readonly filename?: string | undefined
}

const portFields = {
  environment: environmentInput,
  readFile: optional(
    functionLike<NonNullable<WebhooksConfigPorts['readFile']>>('a function that reads a file'),
  ),
  workdir: rawText,
}
const decodePorts = exactly<WebhooksConfigPorts>(portFields)
const decodeOptions = exactly<DecodeWebhooksConfigOptions>({
  ...portFields,
  directory: optional(rawText),
  filename: optional(rawText),
})

/**
 * Reads a configuration and checks all of it: the text of one, as YAML or JSON, with or without where it came from, or
 * one as an object.
 *
 * @throws {GatehouseError} `InvalidConfig`; `info.problems` are all the problems in the order of the document, as
 * {@link WebhooksConfigProblem}.
 */
export function readWebhooksConfig(
  given: WebhooksConfigInput,
  ports: WebhooksConfigPorts,
): LoadedWebhooksConfig {
  const options = decodeInput('ports', decodePorts, ports)
  const source = decodeInput('config', configSource<WebhooksConfigInput>, given)
  if (typeof source === 'string') return readText({ text: source }, options)
  if (isLoaded(source)) return source
  return isTextSource<WebhooksConfigSource>(source)
    ? readText(source, options)
    : decodeDocument(objectDocument(source), options)
}

/** Whether this is what was read of a configuration. */
export function isLoaded(source: object): source is LoadedWebhooksConfig {
  return configs.has(source)
}

const sourcePlace = objectOf<Pick<WebhooksConfigSource, 'directory' | 'filename'>>({
  directory: optional(rawText),
  filename: optional(rawText),
})

function readText(source: WebhooksConfigSource, ports: WebhooksConfigPorts): LoadedWebhooksConfig {
  const { directory, filename } = decodeInput('config', sourcePlace, source)
  return decodeDocument(parseWebhooksDocument(source), { ...ports, directory, filename })
}

/**
 * Checks the nodes of a document and fills in every default, as {@link readWebhooksConfig} does with a text. For a
 * program that has taken its own keys out of what {@link parseWebhooksDocument} answered.
 *
 * @throws {GatehouseError} `InvalidConfig`, as {@link readWebhooksConfig}; `InvalidInput` if there are no nodes or an option does not fit.
 */
export function decodeWebhooksConfig(
  node: ConfigNode,
  options: DecodeWebhooksConfigOptions,
): LoadedWebhooksConfig {
  return decodeDocument(
    decodeInput('node', configNode, node),
    decodeInput('options', decodeOptions, options),
  )
}

function decodeDocument(
  node: ConfigNode,
  options: DecodeWebhooksConfigOptions,
): LoadedWebhooksConfig {
  const { environment, readFile, workdir, directory = workdir, filename } = options
  const reading = createReading({ environment, readFile, directory })
  const place = rootPlace(reading, node)
  const written = writtenService(place) ?? {}
  const webhooks = buildWebhooks(written)
  checkDuplicates(written)
  if (written.port !== undefined && written.socket !== undefined) {
    report(memberOrSelf(place, 'socket'), 'conflict', 'either port or socket')
  }
  const adminPlace = findMember(place, 'admin')
  if (written.admin !== undefined && adminPlace !== undefined) {
    warnOfToken(memberOrSelf(adminPlace, 'token'), written.admin)
  }
  if (webhooks.length === 0) warn({ reading, path: 'webhooks' }, 'there are none')
  const problems = reading.problems().map(({ problem }) => problem)
  if (problems.length > 0) throw invalidDocument(problems, filename)
  const config = buildService(reading, written, webhooks)
  configs.add(config)
  return config
}

function buildWebhooks({
  webhooks = [],
  defaults = {},
  executor = 'auto',
}: Partial<WrittenService>): readonly Webhook[] {
  return webhooks.flatMap(({ place, written }) => {
    const webhook = buildWebhook(place, written, { defaults, executor })
    return webhook === undefined ? [] : [webhook]
  })
}

function checkDuplicates({ webhooks = [] }: Partial<WrittenService>): void {
  const firsts = new Map<string, Place>()
  for (const { place, written } of webhooks) {
    const { id } = written
    const first = id === undefined ? undefined : firsts.get(id)
    if (first !== undefined) {
      report(memberOrSelf(place, 'id'), 'duplicate_id', `${first.path} has this id already`)
    } else if (id !== undefined) {
      firsts.set(id, place)
    }
  }
}

function buildService(
  { warnings, withheld, literalSecrets }: Reading,
  written: Partial<WrittenService>,
  webhooks: readonly Webhook[],
): LoadedWebhooksConfig {
  const { admin } = written
  return {
    port: written.port ?? 8_081,
    host: written.host,
    socket: written.socket,
    url_prefix: written.url_prefix ?? '',
    webhooks,
    hash_endpoint: written.hash_endpoint ?? true,
    hide_ids: written.hide_ids ?? false,
    limits: written.limits ?? defaultLimits(),
    shutdown_grace: written.shutdown_grace ?? 30_000,
    executor: written.executor ?? 'auto',
    watch: written.watch ?? false,
    trusted_proxies: written.trusted_proxies ?? [],
    tls: written.tls,
    admin: admin === undefined ? undefined : { token: createTokenCheck([admin], 'any') },
    history: written.history ?? defaultHistory,
    log: written.log ?? defaultLog,
    metrics: written.metrics ?? false,
    withheld,
    warnings,
    holdsLiteralSecrets: literalSecrets.length > 0,
    places: placesOf(written),
  }
}

/** Where the keys stand that are looked at again when a program is searched. */
function placesOf({ webhooks = [] }: Partial<WrittenService>): LoadedWebhooksConfig['places'] {
  const places = new Map<string, { line: number; column: number }>()
  for (const { place } of webhooks) {
    for (const key of ['execute_command', 'workdir']) {
      const member = findMember(place, key)
      if (member === undefined || member.node.line === 0) continue
      places.set(member.path, { line: member.node.line, column: member.node.column })
    }
  }
  return places
}
