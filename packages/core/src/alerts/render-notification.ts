import { anyText, decodeInput } from '../input/decode.ts'
import type { AlertsContext } from './context.ts'
import { createDisguise } from './preview/disguise.ts'
import {
  type DecodedSample,
  type NotificationSample,
  sampleInput,
} from './preview/notification-sample.ts'
import { previewIntegration, type RenderedMail } from './preview/preview-integration.ts'
import { integrationsOf, nothingToTell, sampleNotification } from './preview/sample-notification.ts'
import type { RenderedRequest } from './preview/shown-request.ts'
import type { ReadyIntegration } from './receivers/receiver-set.ts'

/** What one integration would send. */
export interface RenderedIntegration {
  /** Type and place in the receiver, as `webhook/0`. */
  readonly integration: string
  /**
   * `rendered`: this would be sent. `failed`: it, or some of it, cannot be. `skipped`: there is nothing to tell it, or
   * nothing to show, as of a notifier made in code.
   */
  readonly outcome: 'rendered' | 'failed' | 'skipped'
  /** Why it failed or is skipped. */
  readonly detail?: string
  /** In their order; those that depend on an answer as after a likely one. */
  readonly requests: readonly RenderedRequest[]
  /** What an integration of type `email` would send. */
  readonly mail?: RenderedMail
}

/**
 * Shows what each integration of a receiver would send, and sends nothing. Secrets are masked, in URLs, headers and
 * bodies. Files with secrets are read, to find out whether they can be.
 *
 * @throws {GatehouseError} `InvalidInput`; `ReceiverNotFound`
 */
export async function renderNotification(
  alerts: AlertsContext,
  receiver: string,
  sample: NotificationSample = {},
): Promise<RenderedIntegration[]> {
  const read = {
    receiver: decodeInput('receiver', anyText, receiver),
    sample: decodeInput('sample', sampleInput, sample),
  }
  const integrations = integrationsOf(alerts, read.receiver)
  return Promise.all(integrations.map((one) => renderFor(alerts, one, read)))
}

async function renderFor(
  alerts: AlertsContext,
  { key: integration, sendResolved, configured }: ReadyIntegration,
  { receiver, sample }: { receiver: string; sample: DecodedSample },
): Promise<RenderedIntegration> {
  const { receiversOf, config, options } = alerts
  const { templates, ports } = receiversOf(config.current)
  const disguise = createDisguise()
  const skipped = (detail: string): RenderedIntegration => {
    return { integration, outcome: 'skipped', detail, requests: [] }
  }
  const notification = sampleNotification(alerts, receiver, {
    sample,
    sendResolved,
    createRenderer: (told) => disguise.renderer(templates.renderer(told)),
  })
  if (notification === undefined) return skipped(nothingToTell)
  if (configured === undefined) return skipped('it is made in code, which is not called')
  const { result, requests, mail } = await previewIntegration(configured, notification, {
    disguise,
    ports,
    userAgent: `Alertmanager/${options.versionInfo.version}`,
  })
  return {
    integration,
    ...(result.outcome === 'sent'
      ? { outcome: 'rendered' }
      : { outcome: 'failed', detail: result.detail }),
    requests,
    ...(mail === undefined ? {} : { mail }),
  }
}
