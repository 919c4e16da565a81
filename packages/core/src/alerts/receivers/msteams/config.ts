import { text } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { exactlyOne } from '../../fields/requirements.ts'
import { secretUrl } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerMsteamsConfig } from './written.ts'

/** Posts a card to Microsoft Teams with a legacy connector. @see Alertmanager configuration, `<msteams_config>` */
export type MsteamsIntegration = Configured<
  'msteams',
  AlertmanagerMsteamsConfig,
  {
    readonly webhook_url?: Secret
  }
>

/** `msteams_configs` */
export const msteamsConfig: IntegrationDefinition<MsteamsIntegration> =
  defineIntegration<MsteamsIntegration>({
    type: 'msteams',
    order: { run: 13, check: 14, print: 14 },
    typeName: 'config.plain',
    listTypeName: '[]*config.MSTeamsConfig',
    fields: {
      ...commonFields(true),
      webhook_url: { kind: secretUrl },
      webhook_url_file: { kind: text },
      title: { kind: text, default: '{{ template "msteams.default.title" . }}' },
      summary: { kind: text, default: '{{ template "msteams.default.summary" . }}' },
      text: { kind: text, default: '{{ template "msteams.default.text" . }}' },
    },
    check: (written, report) =>
      exactlyOne(report, 'webhook_url', written.webhook_url, written.webhook_url_file),
    inherit: (written) => written,
  })
