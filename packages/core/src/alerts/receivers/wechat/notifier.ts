import type { Secret } from '../../../crypto/secret.ts'
import type { OutgoingRequest } from '../../../http-client/send-request.ts'
import { detailsWithout, withoutSecrets } from '../../../http-client/without-secrets.ts'
import type { Instant } from '../../../time/clock.ts'
import type { Notification } from '../../notification/notification.ts'
import { answerMembers } from '../attempt/answer-members.ts'
import { apiUrl } from '../attempt/api-url.ts'
import { jsonPost } from '../attempt/attempt.ts'
import { formText } from '../attempt/form-text.ts'
import { jsonBody, unlessEmpty } from '../attempt/json-body.ts'
import { renderSecret } from '../attempt/render-secret.ts'
import { type Failure, refusal, requestAnswer } from '../attempt/request-answer.ts'
import { secretOf } from '../attempt/secret-of.ts'
import type { ReceiverKind } from '../kind.ts'
import type { NotifierPorts, NotifyResult } from '../notifier.ts'
import { type WechatIntegration, wechatConfig } from './config.ts'
import type { AlertmanagerWechatConfig } from './written.ts'

/** How long an access token is used. */
const tokenLifetimeMs = 2 * 60 * 60 * 1_000

/** The API's error code for an expired access token. */
const tokenExpired = 42_001

/** Sends messages with WeChat Work. An access token is requested every two hours. @see WeChat Work API, `message/send` */
export const wechat: ReceiverKind<WechatIntegration, AlertmanagerWechatConfig> = {
  ...wechatConfig,
  create(integration, ports) {
    let token: { readonly value: string; readonly since: Instant } | undefined
    return {
      name: 'wechat',
      async notify(notification, signal) {
        const body = jsonBody(message(integration, notification))
        const { api_url } = integration
        const call = callsOf(integration, ports, signal)
        const now = ports.clock.now()
        if (token === undefined || now - token.since > tokenLifetimeMs) {
          const keys = await keysOf(integration, notification, ports)
          const issued = await requestToken(call, api_url, keys)
          if (typeof issued !== 'string') return issued
          token = { value: issued, since: now }
        }
        const used = token
        const query = formText({ access_token: used.value })
        const post = jsonPost(apiUrl(api_url, { path: 'message/send', query }), body)
        const result = await sendMessage(call, post, used.value)
        if (result !== 'token expired') return result
        if (token === used) token = undefined
        return { outcome: 'retry', reason: 'other', detail: 'the access token has expired' }
      },
    }
  },
}

type Called =
  | { readonly members: Readonly<Record<string, unknown>> }
  | { readonly failure: Failure }

/** Calls an operation of the API. If the response has no JSON members, for whatever reason, a retry may succeed. */
type Call = (request: OutgoingRequest, secret: string) => Promise<Called>

function callsOf(
  { http_config: http }: WechatIntegration,
  ports: NotifierPorts,
  signal: AbortSignal,
): Call {
  return async (request, secret) => {
    const result = await requestAnswer(ports, request, {
      http,
      signal,
      detailsOf: detailsWithout([secret]),
    })
    if ('failure' in result) return { failure: { ...result.failure, outcome: 'retry' } }
    const members = answerMembers(result.answer)
    if (members !== undefined) return { members }
    const detail = 'cannot read the response of WeChat'
    return { failure: { outcome: 'retry', reason: 'other', detail } }
  }
}

interface Keys {
  readonly corpid: string
  readonly corpsecret: string
}

async function keysOf(
  { corp_id, api_secret, api_secret_file }: WechatIntegration,
  notification: Notification,
  ports: NotifierPorts,
): Promise<Keys> {
  const secret = await secretOf(ports, api_secret, api_secret_file)
  return {
    corpid: notification.text(corp_id),
    corpsecret: renderSecret(notification, 'api_secret', secret),
  }
}

/** Returns the token, or the reason why there is none. */
async function requestToken(
  call: Call,
  api: Secret | undefined,
  keys: Keys,
): Promise<string | Failure> {
  const { corpid, corpsecret } = keys
  const url = apiUrl(api, { path: 'gettoken', query: formText({ corpid, corpsecret }) })
  const called = await call({ method: 'GET', url }, corpsecret)
  if ('failure' in called) return called.failure
  const { access_token: token, errmsg } = called.members
  if (typeof token === 'string' && token !== '') return token
  const why = errmsg === undefined ? '' : `: ${withoutSecrets(String(errmsg), [corpsecret])}`
  return refusal(`invalid APISecret for CorpID: ${corpid}${why}`)
}

/** Sends a message with a token, unless the token has expired. */
async function sendMessage(
  call: Call,
  post: OutgoingRequest,
  token: string,
): Promise<NotifyResult | 'token expired'> {
  const called = await call(post, token)
  if ('failure' in called) return called.failure
  const { errcode = 0, errmsg } = called.members
  if (errcode === 0) return { outcome: 'sent' }
  if (errcode === tokenExpired) return 'token expired'
  return refusal(`${withoutSecrets(String(errmsg), [token])} (${errcode})`)
}

/** Both contents are always present; the unused one is empty. */
function message(integration: WechatIntegration, notification: Notification): object {
  const render = (template: string): string | undefined => unlessEmpty(notification.text(template))
  const content = notification.text(integration.message)
  const isMarkdown = integration.message_type === 'markdown'
  return {
    text: { content: isMarkdown ? '' : content },
    touser: render(integration.to_user),
    toparty: render(integration.to_party),
    totag: render(integration.to_tag),
    agentid: render(integration.agent_id),
    safe: '0',
    msgtype: integration.message_type,
    markdown: { content: isMarkdown ? content : '' },
  }
}
