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
import type { AlertmanagerDiscordConfig } from './written.ts'

/** Posts to a Discord channel. @see Alertmanager configuration, `<discord_config>` */
export type DiscordIntegration = Configured<
  'discord',
  AlertmanagerDiscordConfig,
  {
    readonly webhook_url?: Secret
  }
>

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
