import { text } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { url } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerWebexConfig } from './written.ts'

/** Posts to a Webex room; `http_config.authorization` has the token. @see Alertmanager configuration, `<webex_config>` */
export type WebexIntegration = Configured<
  'webex',
  AlertmanagerWebexConfig,
  {
    readonly api_url?: Secret
  }
>

/** `webex_configs` */
export const webexConfig: IntegrationDefinition<WebexIntegration> =
  defineIntegration<WebexIntegration>({
    type: 'webex',
    order: { run: 12, check: 13, print: 13 },
    typeName: 'config.plain',
    listTypeName: '[]*config.WebexConfig',
    fields: {
      ...commonFields(true),
      api_url: { kind: url },
      message: { kind: text, default: '{{ template "webex.default.message" . }}' },
      room_id: { kind: text },
    },
    check(written, report) {
      if (written.room_id === '') report('missing room_id on webex_config')
      if (written.http_config?.authorization === undefined) {
        report('missing webex_configs.http_config.authorization')
      }
    },
    inherit(written, global, report) {
      const address = written.api_url ?? global.webex_api_url
      if (address === undefined) report('no global Webex URL set')
      return address === undefined ? written : { ...written, api_url: address }
    },
  })
