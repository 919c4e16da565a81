import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * The alerting of Grafana, with an HMAC, and with its timestamp if it sends one.
 *
 * @see https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
 */
export const grafana: Sender = defineSender({
  name: 'grafana',
  signatures: [
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Grafana-Alerting-Signature' },
      encoding: 'hex',
      signed: '{timestamp}:{body}',
      timestamp: { header: 'X-Grafana-Alerting-Timestamp', unit: 's' },
    },
    {
      algorithm: 'hmac-sha256',
      signature: { header: 'X-Grafana-Alerting-Signature' },
      encoding: 'hex',
      signed: '{body}',
    },
  ],
  settings: {},
})
