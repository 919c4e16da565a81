import { block, type ConfigKind, flag, listOf, optional, text } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { valueOrFile } from '../../fields/requirements.ts'
import { secret } from '../../fields/secrets.ts'
import { url } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerRocketchatConfig } from './written.ts'

/** A field of an attachment. */
export interface RocketchatField {
  readonly title: string
  readonly value: string
  /** Absent: the value of `short_fields`. */
  readonly short?: boolean
}

/** A button. Only `text`, `url` and `msg` are sent; Alertmanager accepts the other keys too. */
export interface RocketchatAction {
  readonly type: string
  readonly text: string
  readonly url: string
  readonly imageurl: string
  readonly iswebview: boolean
  readonly webviewheightratio: string
  readonly msg: string
  readonly msginchatwindow: boolean
  readonly msgprocessingtype: string
}

/** Posts to Rocket.Chat. @see Alertmanager configuration, `<rocketchat_config>` */
export type RocketchatIntegration = Configured<
  'rocketchat',
  AlertmanagerRocketchatConfig,
  {
    readonly api_url?: Secret
    readonly token_id?: Secret
    readonly token?: Secret
    readonly fields: readonly RocketchatField[]
    readonly actions: readonly RocketchatAction[]
  }
>

const field: ConfigKind<RocketchatField> = block<RocketchatField>({
  typeName: 'config.RocketchatAttachmentField',
  fields: {
    title: { kind: text },
    value: { kind: text },
    short: { kind: optional(flag) },
  },
})

const action: ConfigKind<RocketchatAction> = block<RocketchatAction>({
  typeName: 'config.RocketchatAttachmentAction',
  fields: {
    type: { kind: text },
    text: { kind: text },
    url: { kind: text },
    imageurl: { kind: text },
    iswebview: { kind: flag },
    webviewheightratio: { kind: text },
    msg: { kind: text },
    msginchatwindow: { kind: flag },
    msgprocessingtype: { kind: text },
  },
})

const fromTemplate = (name: string): string => `{{ template "rocketchat.default.${name}" . }}`

/** `rocketchat_configs` */
export const rocketchatConfig: IntegrationDefinition<RocketchatIntegration> =
  defineIntegration<RocketchatIntegration>({
    type: 'rocketchat',
    order: { run: 17, check: 17, print: 17 },
    typeName: 'config.plain',
    listTypeName: '[]*config.RocketchatConfig',
    fields: {
      ...commonFields(false),
      api_url: { kind: url },
      token_id: { kind: secret },
      token_id_file: { kind: text },
      token: { kind: secret },
      token_file: { kind: text },
      channel: { kind: text },
      color: {
        kind: text,
        default: '{{ if eq .Status "firing" }}red{{ else }}green{{ end }}',
      },
      title: { kind: text, default: fromTemplate('title') },
      title_link: { kind: text, default: fromTemplate('titlelink') },
      text: { kind: text, default: fromTemplate('text') },
      fields: {
        kind: listOf(
          field,
          '[]*config.RocketchatAttachmentField',
          'missing Rocketchat field configuration',
        ),
      },
      short_fields: { kind: flag, print: 'always' },
      emoji: { kind: text, default: fromTemplate('emoji') },
      icon_url: { kind: text, default: fromTemplate('iconurl') },
      image_url: { kind: text },
      thumb_url: { kind: text },
      link_names: { kind: flag },
      actions: {
        kind: listOf(
          action,
          '[]*config.RocketchatAttachmentAction',
          'missing Rocketchat action configuration',
        ),
      },
    },
    check(written, report) {
      valueOrFile(report, 'token_id', written.token_id, written.token_id_file)
      valueOrFile(report, 'token', written.token, written.token_file)
    },
    inherit(written, global, report) {
      const api_url = written.api_url ?? global.rocketchat_api_url
      const hasId = written.token_id !== undefined || written.token_id_file !== ''
      const hasToken = written.token !== undefined || written.token_file !== ''
      const token_id = hasId ? written.token_id : global.rocketchat_token_id
      const token = hasToken ? written.token : global.rocketchat_token
      const token_id_file = hasId ? written.token_id_file : global.rocketchat_token_id_file
      const token_file = hasToken ? written.token_file : global.rocketchat_token_file
      if (token_id === undefined && token_id_file === '') {
        report('no global Rocketchat TokenID set either inline or in a file')
      }
      if (token === undefined && token_file === '') {
        report('no global Rocketchat Token set either inline or in a file')
      }
      return {
        ...written,
        ...(api_url === undefined ? {} : { api_url }),
        ...(token_id === undefined ? {} : { token_id }),
        token_id_file,
        ...(token === undefined ? {} : { token }),
        token_file,
      }
    },
  })
