import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isGatehouseError } from '@gatehouse/core'
import type { AlertsConfigSource } from '@gatehouse/core/alerts'
import { type ConfigProblem, invalidConfig, type MappingNode } from '@gatehouse/core/config'
import {
  decodeWebhooksConfig,
  type WebhooksConfigProblem,
  type WebhooksDocument,
} from '@gatehouse/core/webhook'
import { type LoadAuthOptions, type LoadedAuth, loadAuth } from '../auth/load-auth.ts'
import type { TextFile } from '../config/config-file.ts'
import { cannotServe, failureLines, Refused } from '../config/failure.ts'
import { nearestKey } from '../config/nearest-key.ts'
import type { ReadFiles } from '../config/read-files.ts'
import { createRefusals } from '../config/refusals.ts'
import { storageChoiceOf } from '../config/storage-config.ts'
import { withTemplateFiles } from '../config/template-files.ts'
import { readTlsFiles } from '../server/tls.ts'
import { type GuardRules, openRules, readGuardRules } from '../server/web-guard.ts'
import { type AlertsSection, readAlertsSource } from '../services/alerts.ts'
import type { StorageChoice } from '../storage.ts'
import {
  type ApiConfig,
  decodeOwnConfig,
  keysOf,
  type OwnConfig,
  ownKeys,
  withoutOwnKeys,
} from './api-config.ts'
import { readApiDocument } from './api-document.ts'
import {
  type ConnectionLimits,
  type LogFileSettings,
  type ServerSettings,
  serverSettings,
  type TlsSettings,
} from './server-settings.ts'

/** Everything that the file of `gatehouse api` and the files it names say, read and checked. Nothing is open yet. */
export interface LoadedApi {
  readonly file: TextFile
  /** The permissions of the file. */
  readonly fileMode: number
  readonly config: ApiConfig
  readonly storage: StorageChoice
  readonly rules: GuardRules
  /** With its template files; `undefined` where no alerts are served. */
  readonly alerts: AlertsConfigSource | undefined
  /** `undefined` where no sign-in is served. */
  readonly auth: LoadedAuth | undefined
}

/**
 * Reads the file of `gatehouse api` and every file it names.
 *
 * @throws {Refused} with a line for each problem, those of the file itself first, in their order.
 */
export async function loadApi(filename: string, files: ReadFiles): Promise<LoadedApi> {
  const { file, root } = await readApiDocument(filename, files)
  const refusals = createRefusals(filename)
  const { own, problems } = decodeOwnConfig(root, file.directory)
  refusals.add(problems)
  const document = await refusals.of(() => decodeWebhooks(file, root, files))
  const alerts = await refusals.of(() => loadAlerts(own, file, files), 'alerts.config')
  const auth = await loadSignIn(own, file, { files, refusals })
  const storage = await refusals.of(() => storageChoiceOf(own.storage, file.directory))
  const rules = await refusals.of(() => loadRules(own, document?.own.tls, file, files))
  const config = document && {
    ...own,
    webhooks: document.config,
    server: document.own,
    keys: keysOf(root),
    limitKeys: keysIn(root, 'limits'),
  }
  refusals.throwIfAny()
  if (config === undefined || storage === undefined || rules === undefined) {
    throw new TypeError(`${filename} was refused without a reason`)
  }
  const { mode: fileMode } = await stat(filename)
  return { file, fileMode, config, storage, rules, alerts, auth }
}

function keysIn(root: MappingNode, key: string): ReadonlySet<string> {
  const entry = root.entries.find((one) => one.key.kind === 'scalar' && one.key.text === key)
  return entry?.value.kind === 'mapping' ? keysOf(entry.value) : new Set()
}

/** A mistyped key of the webhook service may have been meant as one of the program. */
function decodeWebhooks(
  { filename, directory }: TextFile,
  root: MappingNode,
  files: ReadFiles,
): WebhooksDocument<ServerSettings, ConnectionLimits, LogFileSettings> {
  try {
    const options = {
      environment: process.env,
      readFile: files.readTextNow,
      workdir: process.cwd(),
      directory,
      filename,
    }
    return decodeWebhooksConfig(withMetrics(withoutOwnKeys(root)), options, serverSettings)
  } catch (error) {
    if (!isGatehouseError(error) || !Array.isArray(error.info.problems)) throw error
    throw invalidConfig(error.message, error.info.problems.map(withSuggestion), filename)
  }
}

/** In an app the path of the metrics may be another's; here it is ours, so they are served unless the file says otherwise. */
function withMetrics(node: MappingNode): MappingNode {
  if (keysOf(node).has('metrics')) return node
  const { kind: _, entries, ...place } = node
  const scalar = (text: string) => ({ ...place, kind: 'scalar', text, isPlain: true }) as const
  return { ...node, entries: [...entries, { key: scalar('metrics'), value: scalar('true') }] }
}

function withSuggestion(problem: WebhooksConfigProblem): ConfigProblem {
  const { code, path, message, line = 1, column = 1 } = problem
  const nearest = code === 'unknown_key' ? nearestKey(path, ownKeys) : undefined
  const isSuggested = nearest === undefined || message.includes('did you mean')
  const suggestion = isSuggested ? '' : `; did you mean "${nearest}"?`
  return { path, line, column, message: message + suggestion }
}

async function loadAlerts(
  { alerts }: OwnConfig,
  file: TextFile,
  files: ReadFiles,
): Promise<AlertsConfigSource | undefined> {
  if (alerts === undefined || !isNamed(alerts)) return undefined
  return withTemplateFiles(await readAlertsSource(alerts, file, files), alerts.matcher_mode, files)
}

async function loadSignIn(
  { auth }: OwnConfig,
  file: TextFile,
  given: Pick<LoadAuthOptions, 'files' | 'refusals'>,
): Promise<LoadedAuth | undefined> {
  if (auth === undefined || !isNamed(auth)) return undefined
  return loadAuth(auth, { ...given, file, environment: process.env })
}

/** Whether a configuration is there to look at; without one the section is refused already. */
function isNamed({ config }: Pick<AlertsSection, 'config'>): boolean {
  return config?.kind === 'mapping' || (config?.kind === 'scalar' && config.text !== '')
}

async function loadRules(
  { web_config: webConfig }: OwnConfig,
  tls: TlsSettings | undefined,
  { directory }: TextFile,
  files: ReadFiles,
): Promise<GuardRules> {
  const rules =
    webConfig === undefined ? openRules : await readGuardRules(resolve(directory, webConfig), files)
  if (tls === undefined) return rules
  if (rules.tls !== undefined) throw new Error(`${webConfig}: either tls or tls_server_config`)
  try {
    return { ...rules, tls: await readTlsFiles(tls, directory, files) }
  } catch (error) {
    throw new Refused(failureLines(error), cannotServe)
  }
}
