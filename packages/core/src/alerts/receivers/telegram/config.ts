import { flag, integer, oneOf, text, type WholeNumber } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { isSet, valueOrFile } from '../../fields/requirements.ts'
import { secret } from '../../fields/secrets.ts'
import { url } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerTelegramConfig } from './written.ts'

/** The markup of a message. */
export type TelegramParseMode = '' | 'Markdown' | 'MarkdownV2' | 'HTML'

/** Sends messages with a Telegram bot. @see Alertmanager configuration, `<telegram_config>` */
export type TelegramIntegration = Configured<
  'telegram',
  AlertmanagerTelegramConfig,
  {
    readonly api_url?: Secret
    readonly bot_token?: Secret
    /** 0 if `chat_id_file` is used. */
    readonly chat_id: WholeNumber
    /** 0 means none. */
    readonly message_thread_id: WholeNumber
    readonly parse_mode: TelegramParseMode
  }
>

/** `telegram_configs` */
export const telegramConfig: IntegrationDefinition<TelegramIntegration> =
  defineIntegration<TelegramIntegration>({
    type: 'telegram',
    order: { run: 10, check: 11, print: 12 },
    typeName: 'config.plain',
    listTypeName: '[]*config.TelegramConfig',
    fields: {
      ...commonFields(true),
      api_url: { kind: url },
      bot_token: { kind: secret },
      bot_token_file: { kind: text },
      chat_id: { kind: integer('int64') },
      chat_id_file: { kind: text },
      message_thread_id: { kind: integer('int') },
      message: { kind: text, default: '{{ template "telegram.default.message" . }}' },
      disable_notifications: { kind: flag },
      parse_mode: {
        kind: oneOf<TelegramParseMode>(['', 'Markdown', 'MarkdownV2', 'HTML'], '', () => {
          return 'unknown parse_mode on telegram_config, must be Markdown, MarkdownV2, HTML or empty string'
        }),
        default: 'HTML',
      },
    },
    check(written, report) {
      if (!isSet(written.chat_id) && !isSet(written.chat_id_file)) {
        report('missing chat_id or chat_id_file on telegram_config')
      }
      valueOrFile(report, 'chat_id', written.chat_id, written.chat_id_file)
      valueOrFile(report, 'bot_token', written.bot_token, written.bot_token_file)
    },
    inherit(written, global, report) {
      const address = written.api_url ?? global.telegram_api_url
      if (address === undefined) report('no global Telegram URL set')
      const own = address === undefined ? written : { ...written, api_url: address }
      if (own.bot_token !== undefined || own.bot_token_file !== '') return own
      const { telegram_bot_token: token, telegram_bot_token_file: file } = global
      if (token === undefined && file === '') {
        report('missing bot_token or bot_token_file on telegram_config')
      }
      return { ...own, ...(token === undefined ? {} : { bot_token: token }), bot_token_file: file }
    },
  })
