import { GatehouseError } from '../../../errors.ts'
import { parseUrl } from '../../../http/parse-url.ts'
import { defaultHttpConfig } from '../../fields/http-config.ts'
import { attempt } from '../attempt/attempt.ts'
import { formText } from '../attempt/form-text.ts'
import type { ReceiverKind } from '../kind.ts'
import type { AwsCredentials, NotifierPorts, NotifyResult } from '../notifier.ts'
import { type Sigv4Config, type SnsIntegration, snsConfig } from './config.ts'
import { publishParameters } from './publish.ts'
import { signSigv4 } from './sigv4.ts'
import type { AlertmanagerSnsConfig } from './written.ts'

/**
 * Publishes to Amazon SNS. Requests are signed with the access key of the configuration; a profile, a role and the credentials of
 * the machine need the port `awsCredentials`.
 *
 * @see Amazon SNS API, `Publish`
 */
export const sns: ReceiverKind<SnsIntegration, AlertmanagerSnsConfig> = {
  ...snsConfig,
  create: (integration, ports) => ({
    name: 'sns',
    async notify(notification, signal) {
      const { api_url, sigv4, use_aws_http_client } = integration
      const body = formText(publishParameters(integration, notification))
      const configured = notification.text(api_url?.reveal() ?? '')
      const found = await credentialsFor(sigv4, ports)
      if ('outcome' in found) return found
      const region = sigv4.region || found.region
      if (region === undefined) throw invalidSns('no region is configured in sigv4')
      const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
      const request = { method: 'POST', url: endpoint(configured, region), headers, body } as const
      const now = ports.clock.now()
      const signed = signSigv4(request, { credentials: found, region, service: 'sns', now })
      const http = use_aws_http_client ? defaultHttpConfig : integration.http_config
      return attempt(ports, signed, { http, signal, detailsOf: ({ body }) => errorText(body) })
    },
  }),
}

const invalidSns = (problem: string): GatehouseError =>
  new GatehouseError('Invalid', 'InvalidSns', `sns: ${problem}`)

/** Credentials, or the result that reports their absence. */
async function credentialsFor(
  config: Sigv4Config,
  { awsCredentials }: NotifierPorts,
): Promise<AwsCredentials | NotifyResult> {
  const { access_key, secret_key, profile, role_arn } = config
  if (access_key !== '' && secret_key !== undefined && role_arn === '') {
    return { accessKeyId: access_key, secretAccessKey: secret_key.reveal() }
  }
  if (awsCredentials === undefined) {
    const wanted = role_arn !== '' ? 'role_arn' : profile !== '' ? 'profile' : 'no access_key'
    throw invalidSns(`sigv4 with ${wanted} needs the option awsCredentials, which is not set`)
  }
  try {
    return await awsCredentials(config)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { outcome: 'retry', reason: 'other', detail: `no AWS credentials: ${why}` }
  }
}

/** The URL of requests: the configured one, or the region's endpoint. */
function endpoint(configured: string, region: string): string {
  if (configured === '') {
    if (!/^[a-z\d-]+$/.test(region)) throw invalidSns(`invalid region ${JSON.stringify(region)}`)
    return `https://sns.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}/`
  }
  const url = parseUrl(configured)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw invalidSns('api_url must be an http or https URL after rendering')
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/'
  return url.href
}

/** The message of an XML response; all of it if there is none. */
function errorText(body: string): string {
  const [, code] = /<Code>([^<]*)<\/Code>/.exec(body) ?? []
  const [, message] = /<Message>([^<]*)<\/Message>/.exec(body) ?? []
  const text = code === undefined || message === undefined ? body : `${code}: ${message}`
  return text.slice(0, 1_024).trim()
}
