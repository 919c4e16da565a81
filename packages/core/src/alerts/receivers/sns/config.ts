import { block, type ConfigKind, flag, text, textMap } from '@gatehouse/go-template/yaml'
import type { Secret } from '../../../crypto/secret.ts'
import { secret } from '../../fields/secrets.ts'
import { urlText } from '../../fields/urls.ts'
import {
  type Configured,
  commonFields,
  defineIntegration,
  type IntegrationDefinition,
} from '../define-integration.ts'
import type { AlertmanagerSnsConfig } from './written.ts'

/** How to sign requests to AWS. Texts are empty if not configured. */
export interface Sigv4Config {
  readonly region: string
  readonly access_key: string
  readonly secret_key?: Secret
  readonly profile: string
  readonly role_arn: string
  readonly external_id: string
}

/** Publishes to Amazon SNS: to exactly one of a topic, a target and a phone number. @see Alertmanager configuration, `<sns_config>` */
export type SnsIntegration = Configured<
  'sns',
  AlertmanagerSnsConfig,
  {
    readonly api_url?: Secret
    readonly sigv4: Sigv4Config
    readonly attributes: ReadonlyMap<string, string>
  }
>

const sigv4: ConfigKind<Sigv4Config> = block<Sigv4Config>({
  typeName: 'sigv4.plain',
  fields: {
    region: { kind: text },
    access_key: { kind: text },
    secret_key: { kind: secret },
    profile: { kind: text },
    role_arn: { kind: text },
    external_id: { kind: text },
  },
  check({ access_key, secret_key }, report) {
    if ((access_key === '') === (secret_key === undefined)) return
    const message =
      'must provide a AWS SigV4 Access key and Secret Key if credentials are specified in the SigV4 config'
    report(message)
  },
})

/** `sns_configs` */
export const snsConfig: IntegrationDefinition<SnsIntegration> = defineIntegration<SnsIntegration>({
  type: 'sns',
  order: { run: 9, check: 10, print: 11 },
  typeName: 'config.plain',
  listTypeName: '[]*config.SNSConfig',
  fields: {
    ...commonFields(true),
    api_url: { kind: urlText },
    sigv4: { kind: sigv4, print: 'always' },
    topic_arn: { kind: text },
    phone_number: { kind: text },
    target_arn: { kind: text },
    subject: { kind: text, default: '{{ template "sns.default.subject" . }}' },
    message: { kind: text, default: '{{ template "sns.default.message" . }}' },
    attributes: { kind: textMap },
    use_aws_http_client: { kind: flag },
  },
  check({ target_arn, topic_arn, phone_number }, report) {
    const destinations = [target_arn, topic_arn, phone_number].filter((name) => name !== '')
    if (destinations.length === 1) return
    report('must provide either a Target ARN, Topic ARN, or Phone Number for SNS config')
  },
  inherit: (written) => written,
})
