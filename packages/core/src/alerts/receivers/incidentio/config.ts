import { integer, text, type WholeNumber } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { goDuration } from '../../fields/durations.ts'
import { exactlyOne, valueOrFile } from '../../fields/requirements.ts'
import { secret } from '../../fields/secrets.ts'
import { url } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerIncidentioConfig } from './written.ts'

/** Posts alert groups to incident.io. @see Alertmanager configuration, `<incidentio_config>` */
export type IncidentioIntegration = Configured<
  'incidentio',
  AlertmanagerIncidentioConfig,
  {
    readonly url?: Secret
    /** The bearer token; without it, `http_config.authorization` has one. */
    readonly alert_source_token?: Secret
    /** The most alerts in a payload; 0 means all. */
    readonly max_alerts: WholeNumber
    /** The timeout of an attempt, in ms; 0 means none. */
    readonly timeout: number
  }
>

/** `incidentio_configs` */
export const incidentioConfig: IntegrationDefinition<IncidentioIntegration> =
  defineIntegration<IncidentioIntegration>({
    type: 'incidentio',
    order: { run: 16, check: 6, print: 3 },
    typeName: 'config.plain',
    listTypeName: '[]*config.IncidentioConfig',
    fields: {
      ...commonFields(true),
      url: { kind: url },
      url_file: { kind: text },
      alert_source_token: { kind: secret },
      alert_source_token_file: { kind: text },
      max_alerts: { kind: integer('uint64'), print: 'always' },
      timeout: { kind: goDuration },
    },
    check(written, report) {
      const { alert_source_token: token, alert_source_token_file: file } = written
      exactlyOne(report, 'url', written.url, written.url_file)
      valueOrFile(report, 'alert_source_token', token, file)
      const hasToken = token !== undefined || file !== ''
      const { http_config: http } = written
      if (hasToken && http?.authorization !== undefined) {
        report(
          'cannot specify alert_source_token or alert_source_token_file when using http_config.authorization',
        )
      }
      // As in Alertmanager: without an own http_config, the global one may have the authorization.
      if (!hasToken && http !== undefined && http.authorization === undefined) {
        report(
          'at least one of alert_source_token, alert_source_token_file or http_config.authorization must be configured',
        )
      }
    },
    inherit: (written) => written,
  })
