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
import type { AlertmanagerMsteamsV2Config } from './written.ts'

/** Posts a card to Microsoft Teams with a workflow. @see Alertmanager configuration, `<msteamsv2_config>` */
export type Msteamsv2Integration = Configured<
  'msteamsv2',
  AlertmanagerMsteamsV2Config,
  {
    readonly webhook_url?: Secret
  }
>

/** `msteamsv2_configs` */
export const msteamsv2Config: IntegrationDefinition<Msteamsv2Integration> =
  defineIntegration<Msteamsv2Integration>({
    type: 'msteamsv2',
    order: { run: 14, check: 15, print: 15 },
    typeName: 'config.plain',
    listTypeName: '[]*config.MSTeamsV2Config',
    fields: {
      ...commonFields(true),
      webhook_url: { kind: secretUrl },
      webhook_url_file: { kind: text },
      title: { kind: text, default: '{{ template "msteamsv2.default.title" . }}' },
      text: { kind: text, default: '{{ template "msteamsv2.default.text" . }}' },
    },
    check: (written, report) =>
      exactlyOne(report, 'webhook_url', written.webhook_url, written.webhook_url_file),
    inherit(written, global) {
      const { http_config: own } = written
      const proxy_url = global.http_config?.proxy_url
      if (own === undefined || own.proxy_url !== undefined || proxy_url === undefined)
        return written
      return { ...written, http_config: { ...own, proxy_url } }
    },
  })
