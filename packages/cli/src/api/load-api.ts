import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { AlertsConfigSource } from '@gatehouse/core/alerts'
import {
  type ConfigNode,
  type DocumentProblem,
  type MappingNode,
  nodeAt,
  problemAt,
  type Sound,
} from '@gatehouse/core/document'
import {
  alertRunProblem,
  decodeWebhooksConfig,
  type LoadedWebhooksConfig,
} from '@gatehouse/core/webhook'
import type { LoadedAuth, loadAuthFiles } from '../auth/load-auth.ts'
import type { TextFile } from '../config/config-file.ts'
import { cannotServe } from '../config/exit-codes.ts'
import { failureLines, Refused } from '../config/failure.ts'
import type { ReadFiles } from '../config/read-files.ts'
import { createRefusals } from '../config/refusals.ts'
import { storageChoiceOf } from '../config/storage-config.ts'
import { readTlsFiles } from '../server/tls.ts'
import { type GuardRules, openRules, readGuardRules } from '../server/web-guard.ts'
import { type AlertsSection, readAlertsSource } from '../services/alerts-section.ts'
import { expectedAlerts } from '../services/expect-section.ts'
import type { StorageChoice } from '../storage.ts'
import {
  type ApiConfig,
  gatehouseSettings,
  keysOf,
  type OwnConfig,
  withoutEmptySections,
} from './api-config.ts'
import { readApiDocument, readWebhookFiles } from './api-document.ts'
import type { ServerSettings } from './server-settings.ts'

/** The file of `gatehouse api` and all files it names, read and checked. Nothing is opened yet. */
export interface LoadedApi {
  readonly file: TextFile
  /** The permissions of the file. */
  readonly fileMode: number
  /** Those of the further files with webhooks, in their order. */
  readonly partModes: readonly number[]
  readonly config: ApiConfig
  readonly storage: StorageChoice
  readonly rules: GuardRules
  /** With its template files; `undefined` if alerts are not served. */
  readonly alerts: AlertsConfigSource | undefined
  /** `undefined` if auth is not served. */
  readonly auth: LoadedAuth | undefined
}

/**
 * Reads the file of `gatehouse api` and every file it names.
 *
 * @throws {Refused} with one line for each problem; those of the file itself come first.
 */
export async function loadApi(filename: string, files: ReadFiles): Promise<LoadedApi> {
  const read = await readApiDocument(filename, files)
  const { file, root } = read
  const refusals = createRefusals(filename)
  const parts = await refusals.of(() => readWebhookFiles(read, files), 'webhook_files')
  const filled = withoutEmptySections(root)
  const document = decodeWebhooksConfig(
    withMetrics(filled),
    {
      environment: process.env,
      readFile: files.readTextNow,
      workdir: process.cwd(),
      directory: file.directory,
      filename,
      parts,
    },
    gatehouseSettings,
  )
  const { sound } = document
  refusals.add(document.problems)
  const alerts = await refusals.of(
    () =>
      loadAlerts(nodeAt(root, 'alerts', 'config'), sound.alerts, {
        file,
        files,
        webhooks: document.config,
      }),
    'alerts.config',
  )
  const authFiles =
    sound.auth && (await loadAuth(sound.auth, { root: filled, file, files, refusals }))
  const storage = await refusals.of(() => storageChoiceOf(sound.storage, file.directory))
  const rules = await refusals.of(() => loadRules(sound, file, files))
  if (sound.access !== undefined && rules !== undefined) {
    const { accessProblems } = await import('../access/load-access.ts')
    const { alerts: { matcher_mode: mode = 'fallback' } = {} } = sound
    refusals.add(
      accessProblems(sound.access, filled, ['access'], {
        mode,
        users: rules.users,
        asksForCertificates: rules.tls?.requestCert === true,
        hasSessions: nodeAt(root, 'auth') !== undefined,
      }),
    )
  }
  refusals.add(authConflicts(sound, filled, rules))
  const { config: webhooks, own } = document
  const config = webhooks &&
    own && {
      ...own,
      webhooks,
      server: own,
      keys: keysOf(root),
      limitKeys: keysIn(root, 'limits'),
    }
  refusals.throwIfAny(document.partProblems)
  if (config === undefined || storage === undefined || rules === undefined) {
    throw new TypeError(`${filename} was refused without a reason`)
  }
  const { mode: fileMode } = await stat(filename)
  const partModes = await Promise.all(config.webhooks.parts.map((part) => modeOf(part.filename)))
  const auth =
    config.auth &&
    authFiles &&
    (await import('../auth/load-auth.ts')).loadedAuth(config.auth, authFiles)
  const access = await withAccess(rules, config)
  return { file, fileMode, partModes, config, storage, rules: access, alerts, auth }
}

/** Settings of `auth` that do not fit the rest of the file. */
function authConflicts(
  { auth }: Sound<OwnConfig>,
  root: ConfigNode,
  rules: GuardRules | undefined,
): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = []
  const report = (key: string, message: string): void =>
    void problems.push(problemAt(root, ['auth', key], { code: 'conflict', message }))
  if (auth?.manage_users === true && nodeAt(root, 'access') === undefined) {
    report('manage_users', 'needs the section access, which says who may')
  }
  if (auth?.oidc === undefined) return problems
  const { signInPath } = auth.oidc
  if (signInPath === undefined && nodeAt(root, 'auth', 'pages') === undefined) {
    report('oidc', 'needs pages: {} beside it, or sign_in_path for a page of your own')
  }
  if (rules?.signIn !== undefined) {
    report('oidc', 'needs a server without basic_auth_users: apps send their secrets the same way')
  }
  return problems
}

/** The permissions of a file; none of one that is gone. */
async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode
  } catch {
    return 0
  }
}

async function withAccess(rules: GuardRules, { access, alerts }: OwnConfig): Promise<GuardRules> {
  if (access === undefined) return rules
  const { createAccessRules } = await import('../access/load-access.ts')
  return { ...rules, access: createAccessRules(access, alerts?.matcher_mode ?? 'fallback') }
}

/** Loads the service only for a file that configures it. */
async function loadAuth(
  ...given: Parameters<typeof loadAuthFiles>
): ReturnType<typeof loadAuthFiles> {
  const { loadAuthFiles } = await import('../auth/load-auth.ts')
  return loadAuthFiles(...given)
}

function keysIn(root: MappingNode, key: string): ReadonlySet<string> {
  const entry = root.entries.find((one) => one.key.kind === 'scalar' && one.key.text === key)
  return entry?.value.kind === 'mapping' ? keysOf(entry.value) : new Set()
}

/** Serves metrics unless the file says otherwise. The library's default is off, because an app may use the path. */
function withMetrics(node: MappingNode): MappingNode {
  if (keysOf(node).has('metrics')) return node
  const { kind: _, entries, ...place } = node
  const scalar = (text: string) => ({ ...place, kind: 'scalar', text, isPlain: true }) as const
  return { ...node, entries: [...entries, { key: scalar('metrics'), value: scalar('true') }] }
}

interface AlertsSurroundings {
  readonly file: TextFile
  readonly files: ReadFiles
  /** The webhooks of the same file; `undefined` if it has problems. */
  readonly webhooks: LoadedWebhooksConfig | undefined
}

async function loadAlerts(
  config: ConfigNode | undefined,
  section: Sound<AlertsSection> | undefined,
  { file, files, webhooks }: AlertsSurroundings,
): Promise<AlertsConfigSource | undefined> {
  if (section === undefined || !isNamed(config)) return undefined
  const { matcher_mode: mode = 'fallback', config_parts = [] } = section
  const parts = config_parts.map((part) => {
    return { files: present(part?.files), matchers: present(part?.matchers) }
  })
  const source = await readAlertsSource(config, file, files, parts)
  const { withTemplateFiles } = await import('../config/template-files.ts')
  const whole: AlertsConfigSource = {
    ...source,
    expect: expectedAlerts(section.expect),
    // Webhooks with problems of their own cannot be looked up.
    webhookProblem: (id) => webhooks && alertRunProblem(webhooks, id),
  }
  return withTemplateFiles(whole, mode, files)
}

const present = (texts: readonly (string | undefined)[] = []): readonly string[] =>
  texts.filter((text) => text !== undefined)

/** Whether a section has a configuration to check. A section without one has been refused already. */
function isNamed(config: ConfigNode | undefined): boolean {
  return config?.kind === 'mapping' || (config?.kind === 'scalar' && config.text !== '')
}

async function loadRules(
  { web_config: webConfig, tls }: Sound<OwnConfig & ServerSettings>,
  { directory }: TextFile,
  files: ReadFiles,
): Promise<GuardRules> {
  const rules =
    webConfig === undefined ? openRules : await readGuardRules(resolve(directory, webConfig), files)
  if (tls?.cert === undefined || tls.key === undefined) return rules
  const { cert, key, ca, min_version = '1.2' } = tls
  if (rules.tls !== undefined)
    throw new Error(`${webConfig}: set tls or tls_server_config, not both`)
  try {
    return { ...rules, tls: await readTlsFiles({ cert, key, ca, min_version }, directory, files) }
  } catch (error) {
    throw new Refused(failureLines(error), cannotServe)
  }
}
