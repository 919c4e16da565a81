import { alertsConfigWarnings } from '@gatehouse/core/alerts'
import { checkCommands, type WebhooksConfigProblem } from '@gatehouse/core/webhook'
import { anyOrigin } from '../auth/development.ts'
import type { LoadedAuth } from '../auth/load-auth.ts'
import { providerWarnings } from '../auth/providers.ts'
import { problemLine } from '../config/refusals.ts'
import { servesWebhooks } from './api-config.ts'
import type { LoadedApi } from './load-api.ts'

/** A probable mistake in a file that is otherwise valid. */
export interface ConfigWarning {
  /** With the place, as `config.yaml:3:5 webhooks[0].workdir: …`. */
  readonly text: string
  /** Whether it names a missing program or folder. */
  readonly isMissing: boolean
}

const missing: readonly WebhooksConfigProblem['code'][] = ['program_not_found', 'workdir_not_found']

/** Probable mistakes in the settings of the services. */
export function configWarnings({
  file,
  config,
  alerts,
  auth,
}: LoadedApi): readonly ConfigWarning[] {
  const { warnings, parts } = config.webhooks
  const ofWebhooks = [{ filename: file.filename, warnings }, ...parts].flatMap((one) =>
    one.warnings.map((text) => `${one.filename} ${text}`),
  )
  return [
    ...(servesWebhooks(config) ? ofWebhooks : []),
    ...(alerts === undefined ? [] : alertsConfigWarnings(alerts, config.alerts?.matcher_mode)),
    ...(auth === undefined ? [] : signInWarnings(auth, file.filename)),
  ].map((text) => ({ text, isMissing: false }))
}

function signInWarnings(
  { filename, portSettings, configAt, oidcWarnings }: LoadedAuth,
  sectionFile: string,
): readonly string[] {
  const config = configAt(anyOrigin)
  return [
    ...config.warnings.map((text) => `${filename} ${text}`),
    ...providerWarnings(config, portSettings).map((text) => `${sectionFile} auth: ${text}`),
    ...oidcWarnings.map((warning) => problemLine(warning, sectionFile)),
  ]
}

/** Warns of missing programs and folders of the webhooks. */
export async function commandWarnings(loaded: LoadedApi): Promise<readonly ConfigWarning[]> {
  const { file, config } = loaded
  if (!servesWebhooks(config)) return []
  const problems = await checkCommands(config.webhooks, {
    environment: process.env,
    workdir: process.cwd(),
  })
  return problems.map((problem) => ({
    text: lineOf(problem, file.filename),
    isMissing: missing.includes(problem.code),
  }))
}

function lineOf(
  { path, line, column, message, file }: WebhooksConfigProblem,
  main: string,
): string {
  const filename = file ?? main
  const place = line === undefined ? filename : `${filename}:${line}:${column}`
  return `${place} ${path}: ${message}`
}

/** The problems of further files with webhooks, one line each. They do not keep the others from being served. */
export const partProblems = ({ config }: LoadedApi): readonly string[] =>
  config.webhooks.parts.flatMap(({ problems }) => problems)
