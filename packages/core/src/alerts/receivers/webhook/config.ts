import { integer, optional, text, type WholeNumber } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { type AnyValue, anyValue } from '../../fields/any-value.ts'
import { goDuration } from '../../fields/durations.ts'
import { exactlyOne } from '../../fields/requirements.ts'
import { templateUrl } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerWebhookConfig } from './written.ts'

/** Posts alert groups to a URL. @see Alertmanager configuration, `<webhook_config>` */
export type WebhookIntegration = Configured<
  'webhook',
  AlertmanagerWebhookConfig,
  {
    /** May be a template. Either this or `url_file`. */
    readonly url?: Secret
    /** The most alerts in a payload; 0 means all. */
    readonly max_alerts: WholeNumber
    /** The timeout of an attempt, in ms; 0 means none. */
    readonly timeout: number
    /** Replaces the body; every string in it is a template. */
    readonly payload?: AnyValue
  }
>

/** `webhook_configs` */
export const webhookConfig: IntegrationDefinition<WebhookIntegration> =
  defineIntegration<WebhookIntegration>({
    type: 'webhook',
    order: { run: 1, check: 1, print: 6 },
    typeName: 'config.plain',
    listTypeName: '[]*config.WebhookConfig',
    fields: {
      ...commonFields(true),
      url: { kind: templateUrl },
      url_file: { kind: text },
      max_alerts: { kind: integer('uint64'), print: 'always' },
      timeout: { kind: goDuration },
      payload: { kind: optional(anyValue) },
    },
    check: ({ url, url_file }, report) => exactlyOne(report, 'url', url, url_file),
    inherit: (written) => written,
  })
