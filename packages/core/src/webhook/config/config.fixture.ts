import { isGatehouseError } from '../../errors.ts'
import type { LoadedWebhooksConfig, Webhook } from '../webhook.ts'
import {
  readWebhooksConfig,
  type WebhooksConfigInput,
  type WebhooksConfigPorts,
  type WebhooksConfigProblem,
} from './config.ts'
import type { WebhooksConfig } from './written/webhooks-config.generated.ts'

type Ports = Partial<WebhooksConfigPorts>

/** Reads a configuration without variables and files, unless some are given. Accepts invalid configurations too. */
export function readConfig(source: string | object, ports: Ports = {}): LoadedWebhooksConfig {
  return readWebhooksConfig(source as WebhooksConfigInput, {
    environment: {},
    workdir: '/srv',
    ...ports,
  })
}

/** Every problem of a configuration. */
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

/** A configuration of one webhook with these settings. */
export function withWebhook(settings: object = {}): WebhooksConfig {
  const required = { id: 'deploy', token: 'a-token-that-is-long', execute_command: 'true' }
  return { webhooks: [{ ...required, workdir: '', ...settings }] }
}

/** Reads a webhook with these settings. */
export function readWebhook(settings: object = {}, ports: Ports = {}): Webhook {
  const [webhook] = readConfig(withWebhook(settings), ports).webhooks
  if (webhook === undefined) throw new Error('the configuration has no webhook')
  return webhook
}

/** The problems of a webhook with these settings, as `path code` with the path inside of the webhook. */
export function settingProblems(settings: object, ports: Ports = {}): readonly string[] {
  return codesIn(withWebhook(settings), ports).map((line) => line.replace(/^webhooks\[0\]\.?/, ''))
}

/** `${from:name}`, which reads a value from outside. */
export function reference(from: 'env' | 'file' | 'cred', name: string): string {
  return `\${${from}:${name}}`
}
