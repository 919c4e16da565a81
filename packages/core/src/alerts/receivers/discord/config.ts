import { text } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { exactlyOne } from '../../fields/requirements.ts'
import { secretUrl } from '../../fields/urls.ts'
import {
  commonFields,
  defineIntegration,
  type IntegrationBase,
  type IntegrationDefinition,
} from '../define-integration.ts'

/** Posts to a Discord channel. @see Alertmanager configuration, `<discord_config>` */
export interface DiscordIntegration extends IntegrationBase {
  readonly type: 'discord'
  readonly webhook_url?: Secret
  readonly webhook_url_file: string
  readonly content: string
  readonly title: string
  readonly message: string
  /** Not a template. */
  readonly username: string
  /** Not a template. */
  readonly avatar_url: string
}

/** `discord_configs` */
export const discordConfig: IntegrationDefinition<DiscordIntegration> =
  defineIntegration<DiscordIntegration>({
    type: 'discord',
    order: { run: 11, check: 12, print: 1 },
    typeName: 'config.plain',
    listTypeName: '[]*config.DiscordConfig',
    fields: {
      ...commonFields(true),
      webhook_url: { kind: secretUrl },
      webhook_url_file: { kind: text },
      content: { kind: text },
      title: { kind: text, default: '{{ template "discord.default.title" . }}' },
      message: { kind: text, default: '{{ template "discord.default.message" . }}' },
      username: { kind: text },
      avatar_url: { kind: text },
    },
    check: (written, report) =>
      exactlyOne(report, 'webhook_url', written.webhook_url, written.webhook_url_file),
    inherit: (written) => written,
  })
