import { block, type ConfigKind, flag, listOf, optional, text } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { valueOrFile } from '../../fields/requirements.ts'
import { secretUrl } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
  type Written,
} from '../define-integration.ts'
import type { AlertmanagerMattermostConfig } from './written.ts'

/** A field of an attachment. */
export interface MattermostField {
  readonly title: string
  readonly value: string
  readonly short?: boolean
}

/** A message attachment. Every text is a template. */
export interface MattermostAttachment {
  readonly fallback: string
  readonly color: string
  readonly pretext: string
  readonly text: string
  readonly author_name: string
  readonly author_link: string
  readonly author_icon: string
  readonly title: string
  readonly title_link: string
  readonly fields: readonly MattermostField[]
  readonly thumb_url: string
  readonly footer: string
  readonly footer_icon: string
  readonly image_url: string
}

/** The priority of a message. */
export interface MattermostPriority {
  readonly priority: string
  readonly requested_ack: boolean
  readonly persistent_notifications: boolean
}

/** Additional properties of a message. */
export interface MattermostProps {
  readonly card: string
}

/** Posts to Mattermost: one attachment from the keys here, or `attachments`. @see Alertmanager configuration, `<mattermost_config>` */
export type MattermostIntegration = MattermostAttachment &
  Configured<
    'mattermost',
    AlertmanagerMattermostConfig,
    {
      readonly webhook_url?: Secret
      /** The type of the post: the key `type` in the configuration. `type` here is that of the integration. */
      readonly post_type: string
      readonly props?: MattermostProps
      readonly priority?: MattermostPriority
      readonly attachments: readonly MattermostAttachment[]
    }
  >

const field: ConfigKind<MattermostField> = block<MattermostField>({
  typeName: 'config.MattermostField',
  fields: {
    title: { kind: text },
    value: { kind: text },
    short: { kind: optional(flag) },
  },
  check({ title, value }, report) {
    if (title === '') report('missing title in Mattermost field configuration')
    if (value === '') report('missing value in Mattermost field configuration')
  },
})

const fields = listOf(field, '[]*config.MattermostField', 'missing Mattermost field configuration')

const attachment: ConfigKind<MattermostAttachment> = block<MattermostAttachment>({
  typeName: 'config.MattermostAttachment',
  fields: {
    fallback: { kind: text },
    color: { kind: text },
    pretext: { kind: text },
    text: { kind: text },
    author_name: { kind: text },
    author_link: { kind: text },
    author_icon: { kind: text },
    title: { kind: text },
    title_link: { kind: text },
    fields: { kind: fields },
    thumb_url: { kind: text },
    footer: { kind: text },
    footer_icon: { kind: text },
    image_url: { kind: text },
  },
})

const priority: ConfigKind<MattermostPriority> = block<MattermostPriority>({
  typeName: 'config.MattermostPriority',
  fields: {
    priority: { kind: text },
    requested_ack: { kind: flag },
    persistent_notifications: { kind: flag },
  },
})

const props: ConfigKind<MattermostProps> = block<MattermostProps>({
  typeName: 'config.MattermostProps',
  fields: { card: { kind: text } },
})

const fromTemplate = (name: string): string => `{{ template "mattermost.default.${name}" . }}`

/** The configured element, where `type` is the type of the post. */
type WrittenMattermost = Omit<Written<MattermostIntegration>, 'post_type'> & {
  readonly type: string
}

/** `mattermost_configs` */
export const mattermostConfig: IntegrationDefinition<MattermostIntegration> = defineIntegration<
  MattermostIntegration,
  WrittenMattermost
>({
  type: 'mattermost',
  order: { run: 18, check: 18, print: 18 },
  typeName: 'config.plain',
  listTypeName: '[]*config.MattermostConfig',
  fields: {
    ...commonFields(true),
    webhook_url: { kind: secretUrl },
    webhook_url_file: { kind: text },
    channel: { kind: text },
    username: { kind: text, default: fromTemplate('username') },
    icon_url: { kind: text },
    icon_emoji: { kind: text },
    fallback: { kind: text, default: fromTemplate('fallback') },
    color: { kind: text, default: fromTemplate('color') },
    pretext: { kind: text },
    text: { kind: text, default: fromTemplate('text') },
    author_name: { kind: text },
    author_link: { kind: text },
    author_icon: { kind: text },
    title: { kind: text, default: fromTemplate('title') },
    title_link: { kind: text, default: fromTemplate('titlelink') },
    fields: { kind: fields },
    thumb_url: { kind: text },
    footer: { kind: text },
    footer_icon: { kind: text },
    image_url: { kind: text },
    attachments: {
      kind: listOf(
        attachment,
        '[]*config.MattermostAttachment',
        'missing Mattermost attachment configuration',
      ),
    },
    type: { kind: text },
    props: { kind: optional(props) },
    priority: { kind: optional(priority) },
  },
  check: (written, report) =>
    valueOrFile(report, 'webhook_url', written.webhook_url, written.webhook_url_file),
  inherit({ type: post_type, ...written }, global, report) {
    const own = { ...written, post_type }
    if (own.webhook_url !== undefined || own.webhook_url_file !== '') return own
    const { mattermost_webhook_url: address, mattermost_webhook_url_file: file } = global
    if (address === undefined && file === '') {
      report('missing webhook_url or webhook_url_file on mattermost_config')
    }
    const inherited = address === undefined ? {} : { webhook_url: address }
    return { ...own, ...inherited, webhook_url_file: file }
  },
  toWritten: ({ post_type, ...integration }) => ({ ...integration, type: post_type }),
})
