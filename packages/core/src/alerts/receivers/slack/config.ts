import {
  block,
  type ConfigKind,
  flag,
  listOf,
  optional,
  text,
  texts,
} from '@gatehouse/go-template/yaml'
import { type Secret, secretMask } from '../../../crypto/secret.ts'
import { goDuration } from '../../fields/durations.ts'
import { atMostOne, valueOrFile } from '../../fields/requirements.ts'
import { secret } from '../../fields/secrets.ts'
import { secretUrl, url } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerSlackConfig } from './written.ts'

/** A field of an attachment. */
export interface SlackField {
  readonly title: string
  readonly value: string
  /** Absent: the value of `short_fields`. */
  readonly short?: boolean
}

/** The question before an action is run. */
export interface SlackConfirmation {
  readonly text: string
  readonly title: string
  readonly ok_text: string
  readonly dismiss_text: string
}

/** A button. It has either a `url`, or a `name` with a value and a confirmation. */
export interface SlackAction {
  readonly type: string
  readonly text: string
  readonly url: string
  readonly style: string
  readonly name: string
  readonly value: string
  readonly confirm?: SlackConfirmation
}

/** Posts to Slack: with a webhook (`api_url`), or as an app (`app_token`). @see Alertmanager configuration, `<slack_config>` */
export type SlackIntegration = Configured<
  'slack',
  AlertmanagerSlackConfig,
  {
    readonly api_url?: Secret
    readonly app_token?: Secret
    /** The URL that an app posts to; absent without a token. */
    readonly app_url?: Secret
    readonly fields: readonly SlackField[]
    readonly actions: readonly SlackAction[]
    /** The timeout of an attempt, in ms; 0 means none. */
    readonly timeout: number
  }
>

const field: ConfigKind<SlackField> = block<SlackField>({
  typeName: 'config.plain',
  fields: {
    title: { kind: text },
    value: { kind: text },
    short: { kind: optional(flag) },
  },
  check({ title, value }, report) {
    if (title === '') report('missing title in Slack field configuration')
    if (value === '') report('missing value in Slack field configuration')
  },
})

const confirmation: ConfigKind<SlackConfirmation> = block<SlackConfirmation>({
  typeName: 'config.plain',
  fields: {
    text: { kind: text },
    title: { kind: text },
    ok_text: { kind: text },
    dismiss_text: { kind: text },
  },
  check(value, report) {
    if (value.text === '') report('missing text in Slack confirmation configuration')
  },
})

const action: ConfigKind<SlackAction> = block<SlackAction>({
  typeName: 'config.plain',
  fields: {
    type: { kind: text },
    text: { kind: text },
    url: { kind: text },
    style: { kind: text },
    name: { kind: text },
    value: { kind: text },
    confirm: { kind: optional(confirmation) },
  },
  check(value, report) {
    if (value.type === '') report('missing type in Slack action configuration')
    if (value.text === '') report('missing text in Slack action configuration')
    if (value.url === '' && value.name === '') {
      report('missing name or url in Slack action configuration')
    }
  },
  complete(value) {
    if (value.url === '') return value
    const { confirm: _, ...link } = value
    return { ...link, name: '', value: '' }
  },
})

const fromTemplate = (name: string): string => `{{ template "slack.default.${name}" . }}`

/** `slack_configs` */
export const slackConfig: IntegrationDefinition<SlackIntegration> =
  defineIntegration<SlackIntegration>({
    type: 'slack',
    order: { run: 6, check: 3, print: 5 },
    typeName: 'config.plain',
    listTypeName: '[]*config.SlackConfig',
    fields: {
      ...commonFields(false),
      api_url: { kind: secretUrl },
      api_url_file: { kind: text },
      app_token: { kind: secret },
      app_token_file: { kind: text },
      app_url: { kind: url },
      channel: { kind: text },
      username: { kind: text, default: fromTemplate('username') },
      color: { kind: text, default: fromTemplate('color') },
      title: { kind: text, default: fromTemplate('title') },
      title_link: { kind: text, default: fromTemplate('titlelink') },
      pretext: { kind: text, default: fromTemplate('pretext') },
      text: { kind: text, default: fromTemplate('text') },
      message_text: { kind: text },
      fields: { kind: listOf(field, '[]*config.SlackField', 'missing Slack field configuration') },
      short_fields: { kind: flag, print: 'always' },
      footer: { kind: text, default: fromTemplate('footer') },
      fallback: { kind: text, default: fromTemplate('fallback') },
      callback_id: { kind: text, default: fromTemplate('callbackid') },
      icon_emoji: { kind: text, default: fromTemplate('iconemoji') },
      icon_url: { kind: text, default: fromTemplate('iconurl') },
      image_url: { kind: text },
      thumb_url: { kind: text },
      link_names: { kind: flag, print: 'always' },
      mrkdwn_in: { kind: texts },
      actions: {
        kind: listOf(action, '[]*config.SlackAction', 'missing Slack action configuration'),
      },
      update_message: { kind: flag },
      timeout: { kind: goDuration },
    },
    check(written, report) {
      valueOrFile(report, 'api_url', written.api_url, written.api_url_file)
      valueOrFile(report, 'app_token', written.app_token, written.app_token_file)
      const hasUrl = written.api_url !== undefined || written.api_url_file !== ''
      const hasToken = written.app_token !== undefined || written.app_token_file !== ''
      if (hasToken && !isAppUrl(written.api_url, written.app_url)) {
        atMostOne(report, [hasToken, hasUrl], 'app_token/app_token_file & api_url/api_url_file')
      }
      if (written.update_message && !canUpdate(written)) {
        report(`update_message needs app_token or the api_url ${postMessageUrl}`, 'update_message')
      }
    },
    inherit(written, global, report) {
      const appUrl = written.app_url ?? global.slack_app_url
      const app_url = appUrl === undefined ? {} : { app_url: appUrl }
      if (written.app_token !== undefined || written.app_token_file !== '') {
        return { ...written, ...app_url }
      }
      if (written.api_url !== undefined || written.api_url_file !== '') return written
      const { slack_app_token: token, slack_app_token_file: app_token_file } = global
      if (token !== undefined || app_token_file !== '') {
        const app_token = token === undefined ? {} : { app_token: token }
        return { ...written, ...app_url, ...app_token, app_token_file }
      }
      const { slack_api_url: address, slack_api_url_file: api_url_file } = global
      if (address === undefined && api_url_file === '') {
        report('no Slack API URL nor App token set either inline or in a file')
      }
      return { ...written, ...(address === undefined ? {} : { api_url: address }), api_url_file }
    },
  })

const postMessageUrl = 'https://slack.com/api/chat.postMessage'

function isAppUrl(apiUrl: Secret | undefined, appUrl: Secret | undefined): boolean {
  return apiUrl !== undefined && apiUrl.reveal() === (appUrl?.reveal() ?? postMessageUrl)
}

/** True also if the URL comes from elsewhere and is not known here. */
function canUpdate(written: Pick<SlackIntegration, 'api_url'>): boolean {
  const address = written.api_url?.reveal()
  return address === undefined || address === secretMask || address === postMessageUrl
}
