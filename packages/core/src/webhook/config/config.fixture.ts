import { isGatehouseError } from '../../errors.ts'
import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'
import {
  readWebhooksConfig,
  type WebhooksConfigInput,
  type WebhooksConfigPorts,
  type WebhooksConfigProblem,
} from './config.ts'
import type { WebhooksConfig } from './written/webhooks-config.ts'

type Ports = Partial<WebhooksConfigPorts>

/** A configuration that is read where there are no variables and no files, unless some are given. Tests give also what is none. */
export function readConfig(source: string | object, ports: Ports = {}): LoadedWebhooksConfig {
  return readWebhooksConfig(source as WebhooksConfigInput, {
    environment: {},
    workdir: '/srv',
    ...ports,
  })
}

/** Every problem of a configuration; none if it is sound. */
export function problemsIn(
  source: string | object,
  ports: Ports = {},
): readonly WebhooksConfigProblem[] {
  try {
    readConfig(source, ports)
    return []
  } catch (error) {
    if (!isGatehouseError(error) || !Array.isArray(error.info.problems)) throw error
    return error.info.problems
  }
}

/** The same as `path code`. */
export function codesIn(source: string | object, ports: Ports = {}): readonly string[] {
  return problemsIn(source, ports).map(({ path, code }) => `${path} ${code}`)
}

/** A configuration of one webhook, with other settings where they are given. */
export function withWebhook(settings: object = {}): WebhooksConfig {
  const required = { id: 'deploy', token: 'a-token-that-is-long', execute_command: 'true' }
  return { webhooks: [{ ...required, workdir: '', ...settings }] }
}

/** The webhook that comes of some settings. */
export function readWebhook(settings: object = {}, ports: Ports = {}): Webhook {
  const [webhook] = readConfig(withWebhook(settings), ports).webhooks
  if (webhook === undefined) throw new Error('no webhook was read')
  return webhook
}

/** The problems of some settings, as `path code` with the path inside of the webhook. */
export function settingProblems(settings: object, ports: Ports = {}): readonly string[] {
  return codesIn(withWebhook(settings), ports).map((line) => line.replace(/^webhooks\[0\]\.?/, ''))
}

/** `${from:name}`, as a text of a configuration takes a value from outside. */
export function reference(from: 'env' | 'file' | 'cred', name: string): string {
  return `\${${from}:${name}}`
}
