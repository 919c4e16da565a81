import { flag, text } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { goDuration } from '../../fields/durations.ts'
import { atMostOne, exactlyOne } from '../../fields/requirements.ts'
import { secret } from '../../fields/secrets.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerPushoverConfig } from './written.ts'

/** Sends push messages with Pushover. @see Alertmanager configuration, `<pushover_config>` */
export type PushoverIntegration = Configured<
  'pushover',
  AlertmanagerPushoverConfig,
  {
    readonly user_key?: Secret
    readonly token?: Secret
    /** In ms. */
    readonly retry: number
    /** In ms. */
    readonly expire: number
    /** In ms; 0 means none. */
    readonly ttl: number
  }
>

/** `pushover_configs` */
export const pushoverConfig: IntegrationDefinition<PushoverIntegration> =
  defineIntegration<PushoverIntegration>({
    type: 'pushover',
    order: { run: 8, check: 4, print: 9 },
    typeName: 'config.plain',
    listTypeName: '[]*config.PushoverConfig',
    fields: {
      ...commonFields(true),
      user_key: { kind: secret },
      user_key_file: { kind: text },
      token: { kind: secret },
      token_file: { kind: text },
      title: { kind: text, default: '{{ template "pushover.default.title" . }}' },
      message: { kind: text, default: '{{ template "pushover.default.message" . }}' },
      url: { kind: text, default: '{{ template "pushover.default.url" . }}' },
      url_title: { kind: text },
      device: { kind: text },
      sound: { kind: text },
      priority: { kind: text, default: '{{ if eq .Status "firing" }}2{{ else }}0{{ end }}' },
      retry: { kind: goDuration, default: 60_000 },
      expire: { kind: goDuration, default: 3_600_000 },
      ttl: { kind: goDuration },
      html: { kind: flag, print: 'always' },
      monospace: { kind: flag },
    },
    check(written, report) {
      exactlyOne(report, 'user_key', written.user_key, written.user_key_file)
      exactlyOne(report, 'token', written.token, written.token_file)
      atMostOne(report, [written.html, written.monospace], 'monospace & html')
    },
    inherit: (written) => written,
  })
