import { anyText, decodeInput } from '../../input/decode.ts'
import type { AlertsContext } from '../context.ts'
import { cutText } from '../history/cut-short.ts'
import type { Notification, NotificationRenderer } from '../notification/notification.ts'
import { createDisguise } from '../preview/disguise.ts'
import { type NotificationSample, sampleInput } from '../preview/notification-sample.ts'
import { previewIntegration, type RenderedMail } from '../preview/preview-integration.ts'
import {
  integrationsOf,
  nothingToSend,
  sampleNotification,
} from '../preview/sample-notification.ts'
import type { RenderedRequest } from '../preview/shown-request.ts'
import type { ReadyIntegration } from '../receivers/receiver-set.ts'

/** The requests or the email that one integration would send. */
export interface RenderedIntegration {
  /** Type and index in the receiver, such as `webhook/0`. */
  readonly integration: string
  /**
   * `rendered`: everything could be rendered. `failed`: all or part of it cannot be sent. `skipped`: there is nothing to send, or
   * nothing to show because the notifier is made in code.
   */
  readonly outcome: 'rendered' | 'failed' | 'skipped'
  /** The reason for a failure or a skip. */
  readonly detail?: string
  /** The requests in their order; requests that depend on a response assume a likely one. */
  readonly requests: readonly RenderedRequest[]
  /** The email that an integration of type `email` would send. */
  readonly mail?: RenderedMail
}

/**
 * Shows what each integration of a receiver would send, without sending anything. Secrets are masked in URLs, headers and bodies.
 * Files with secrets are read, to find out whether they can be.
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
  return Promise.all(
    integrationsOf(alerts, read.receiver).map((one) =>
      renderFor(alerts, one, (createRenderer) =>
        sampleNotification(alerts, read.receiver, {
          sample: read.sample,
          sendResolved: one.sendResolved,
          createRenderer,
        }),
      ),
    ),
  )
}

/**
 * Shows what one integration would send.
 *
 * @param notificationFor creates the notification with this renderer; `undefined` if there is nothing to send.
 */
export async function renderFor(
  alerts: AlertsContext,
  { key: integration, configured }: ReadyIntegration,
  notificationFor: (
    createRenderer: (shown: Notification) => NotificationRenderer,
  ) => Notification | undefined,
): Promise<RenderedIntegration> {
  const { receiversOf, config, options } = alerts
  const { templates, ports } = receiversOf(config.current)
  const disguise = createDisguise()
  const skipped = (detail: string): RenderedIntegration => {
    return { integration, outcome: 'skipped', detail, requests: [] }
  }
  const notification = notificationFor((shown) => disguise.renderer(templates.renderer(shown)))
  if (notification === undefined) return skipped(nothingToSend)
  if (configured === undefined) return skipped('a notifier made in code is not called')
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

/** The most characters of a body that are returned. */
const maxBodyLength = 65_536

/** A message to show: bodies may hold 400 alerts with all their annotations. */
export function shortened({ requests, mail, ...rest }: RenderedIntegration): RenderedIntegration {
  const cut = (text: string): string => cutText(text, maxBodyLength)
  return {
    ...rest,
    requests: requests.map((one) => ({ ...one, body: cut(one.body) })),
    ...(mail && {
      mail: { ...mail, parts: mail.parts.map(({ type, text }) => ({ type, text: cut(text) })) },
    }),
  }
}
