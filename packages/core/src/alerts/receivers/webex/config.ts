import { text } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { url } from '../../fields/urls.ts'
import {
  commonFields,
  defineIntegration,
  type IntegrationBase,
  type IntegrationDefinition,
} from '../define-integration.ts'

/** Posts to a Webex room; `http_config.authorization` has the token. @see Alertmanager configuration, `<webex_config>` */
export interface WebexIntegration extends IntegrationBase {
  readonly type: 'webex'
  readonly api_url?: Secret
  readonly message: string
  readonly room_id: string
}

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
