import type { Clock } from '../../time/clock.ts'
import type { RateLimitConfig } from '../fields/rate-limit.ts'
import {
  createNotificationTemplates,
  type TemplateFile,
} from '../notification/notification-templates.ts'
import { type Integration, notifierOf } from './integrations.ts'
import type { Notifier, NotifierPorts } from './notifier.ts'
import type { ReceiverConfig } from './receiver.ts'
import type { ReadyIntegration, ReceiverSet } from './receiver-set.ts'

/**
 * Notifiers made in code. An object adds notifiers to receivers, by the name of the receiver. A function returns the
 * notifiers of a receiver, which replace its integrations, as in a test.
 */
export type NotifiersInCode =
  | Readonly<Record<string, readonly Notifier[]>>
  | ((receiver: string) => readonly Notifier[])

/** The part of a configuration that notifiers are made from. */
interface ReceiversConfig {
  readonly receivers: readonly ReceiverConfig[]
  readonly templateFiles: readonly TemplateFile[]
}

/** Options of {@link createReceivers}. */
export interface ReceiversOptions {
  clock: Clock
  ports: NotifierPorts
  notifiers: NotifiersInCode
}

/**
 * Returns a function that makes the notifiers of a configuration, once for each configuration.
 *
 * @throws {GatehouseError} `TemplateSyntax` if a template file cannot be read.
 */
export function createReceivers(
  options: ReceiversOptions,
): (config: ReceiversConfig) => ReceiverSet {
  const sets = new WeakMap<ReceiversConfig, ReceiverSet>()
  return (config) => {
    const known = sets.get(config)
    if (known !== undefined) return known
    const made = createSet(config, options)
    sets.set(config, made)
    return made
  }
}

function createSet(
  { receivers, templateFiles }: ReceiversConfig,
  { clock, ports, notifiers }: ReceiversOptions,
): ReceiverSet {
  const templates = createNotificationTemplates(templateFiles, clock)
  const byName = new Map<string, readonly ReadyIntegration[]>()
  const limits = new Map<string, RateLimitConfig>()
  for (const { name, integrations, rate_limit } of receivers) {
    if (rate_limit !== undefined) limits.set(name, rate_limit)
    const isReplaced = typeof notifiers === 'function'
    const configured = isReplaced ? [] : integrations.map((one) => readyIntegration(one, ports))
    // Notifiers that replace integrations get resolved alerts if one of the integrations would.
    const sendResolved =
      !isReplaced || integrations.length === 0 || integrations.some((one) => one.send_resolved)
    const inCode = notifiersFor(name, notifiers).map((notifier, index) => ({
      key: `code:${notifier.name}/${index}`,
      notifier,
      sendResolved,
    }))
    byName.set(name, [...configured, ...inCode])
  }
  const { send: _send, ...otherPorts } = ports
  return {
    integrations: (receiver) => byName.get(receiver) ?? [],
    rateLimit: (receiver) => limits.get(receiver),
    templates,
    ports: otherPorts,
  }
}

const readyIntegration = (integration: Integration, ports: NotifierPorts): ReadyIntegration => ({
  key: `${integration.type}/${integration.index}`,
  notifier: notifierOf(integration, ports),
  sendResolved: integration.send_resolved,
  configured: integration,
})

function notifiersFor(receiver: string, notifiers: NotifiersInCode): readonly Notifier[] {
  if (typeof notifiers === 'function') return notifiers(receiver)
  return Object.hasOwn(notifiers, receiver) ? (notifiers[receiver] ?? []) : []
}
