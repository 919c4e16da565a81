import { oneOf, text } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { valueOrFile } from '../../fields/requirements.ts'
import { secret } from '../../fields/secrets.ts'
import { folderUrl } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerWechatConfig } from './written.ts'

/** Sends messages with WeChat. @see Alertmanager configuration, `<wechat_config>` */
export type WechatIntegration = Configured<
  'wechat',
  AlertmanagerWechatConfig,
  {
    readonly api_secret?: Secret
    /** Ends with a slash. */
    readonly api_url?: Secret
  }
>

const fromTemplate = (name: string): string => `{{ template "wechat.default.${name}" . }}`

const messageType = oneOf<'text' | 'markdown' | ''>(['text', 'markdown', ''], '', (given) => {
  return `weChat message type "${given}" does not match valid options ^(text|markdown)$`
})

/** `wechat_configs` */
export const wechatConfig: IntegrationDefinition<WechatIntegration> =
  defineIntegration<WechatIntegration>({
    type: 'wechat',
    order: { run: 5, check: 8, print: 8 },
    typeName: 'config.plain',
    listTypeName: '[]*config.WechatConfig',
    fields: {
      ...commonFields(false),
      api_secret: { kind: secret },
      api_secret_file: { kind: text },
      corp_id: { kind: text },
      message: { kind: text, default: fromTemplate('message') },
      api_url: { kind: folderUrl },
      to_user: { kind: text, default: fromTemplate('to_user') },
      to_party: { kind: text, default: fromTemplate('to_party') },
      to_tag: { kind: text, default: fromTemplate('to_tag') },
      agent_id: { kind: text, default: fromTemplate('agent_id') },
      message_type: {
        kind: {
          ...messageType,
          zero: 'text',
          decode: (place) => messageType.decode(place) || 'text',
          encode: (value) => value,
        },
        default: 'text',
      },
    },
    check: (written, report) =>
      valueOrFile(report, 'api_secret', written.api_secret, written.api_secret_file),
    inherit(written, global, report) {
      const address = written.api_url ?? global.wechat_api_url
      if (address === undefined) report('no global Wechat URL set')
      const own = address === undefined ? written : { ...written, api_url: address }
      const hasOwn = own.api_secret !== undefined || own.api_secret_file !== ''
      const value = hasOwn ? own.api_secret : global.wechat_api_secret
      const api_secret_file = hasOwn ? own.api_secret_file : global.wechat_api_secret_file
      if (value === undefined && api_secret_file === '') {
        report('no global Wechat Api Secret set either inline or in a file')
      }
      const corp_id = own.corp_id || global.wechat_api_corp_id
      if (corp_id === '') report('no global Wechat CorpID set')
      const secretValue = value === undefined ? {} : { api_secret: value }
      return { ...own, ...secretValue, api_secret_file, corp_id }
    },
  })
