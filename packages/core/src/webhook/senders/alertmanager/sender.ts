import type { Sender } from '../../webhook.ts'
import { defineSender } from '../define-sender.ts'

/**
 * Alertmanager. It signs nothing; `http_config` gives it a token.
 *
 * @see https://prometheus.io/docs/alerting/latest/configuration/#webhook_config
 */
export const alertmanager: Sender = defineSender({
  name: 'alertmanager',
  settings: {},
})
