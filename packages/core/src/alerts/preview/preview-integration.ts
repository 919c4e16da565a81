import type {
  OutgoingAnswer,
  OutgoingRequest,
  SendRequest,
} from '../../http-client/send-request.ts'
import { attemptOnce } from '../dispatch/deliver/deliver.ts'
import type { Notification } from '../notification/notification.ts'
import type { ComposedMail } from '../receivers/email/compose-mail.ts'
import { cutFor, type Integration, kindOf } from '../receivers/integrations.ts'
import type { Notifier, NotifierPorts, NotifyResult } from '../receivers/notifier.ts'
import { type Disguise, standIn, withMasks } from './disguise.ts'
import { type Pairs, type RenderedRequest, shownRequest } from './shown-request.ts'

/** An email that would be sent. */
export interface RenderedMail {
  /** The addresses of the sender and all recipients, without names. */
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  /** With the subject, without headers about the encoding of the parts. */
  readonly headers: Pairs
  /** From the simplest to the richest format. */
  readonly parts: readonly { readonly type: string; readonly text: string }[]
}

/** The requests or the mail that an integration would send. */
export interface IntegrationPreview {
  readonly requests: readonly RenderedRequest[]
  readonly mail?: RenderedMail
  readonly result: NotifyResult
}

/** Options of {@link previewIntegration}. None of them can send anything. */
export interface PreviewOptions {
  /** The disguise of the notification's renderer. */
  disguise: Disguise
  ports: Omit<NotifierPorts, 'send'>
  /** The `User-Agent` of the HTTP client. */
  userAgent: string
}

/** Runs the notifier of an integration without its secrets, and collects its requests instead of sending them. */
export async function previewIntegration(
  integration: Integration,
  notification: Notification,
  { disguise, ports, userAgent }: PreviewOptions,
): Promise<IntegrationPreview> {
  const hidden = disguise.hideIn(integration)
  const requests: RenderedRequest[] = []
  const readFile = async (path: string): Promise<string> =>
    disguise.hide(await ports.readFile(path))
  const send: SendRequest = async (request, http) => {
    requests.push(await shownRequest(request, http, { readFile, userAgent }))
    return likelyAnswer()
  }
  const capturing: NotifierPorts = {
    ...ports,
    send,
    readFile,
    ...(ports.webhookRuns === undefined ? {} : { webhookRuns: runsNothing }),
    ...(ports.awsCredentials === undefined ? {} : { awsCredentials: async () => someCredentials }),
  }
  let mail: RenderedMail | undefined
  const { create, composeMail } = kindOf(hidden)
  const notifier: Notifier =
    composeMail === undefined
      ? create(hidden, capturing)
      : {
          name: hidden.type,
          // The real one connects to its server itself. This one stops at the email.
          async notify(given) {
            mail = shownMail(composeMail(hidden, given, capturing))
            return { outcome: 'sent' }
          },
        }
  const shown = cutFor(hidden, notification)
  const result = await attemptOnce(notifier, shown, new AbortController().signal)
  return {
    requests,
    ...(mail === undefined ? {} : { mail }),
    result: result.outcome === 'sent' ? result : { ...result, detail: withMasks(result.detail) },
  }
}

/**
 * Whether a preview is what was sent, to the letter: then that holds no secret, because the preview was made without them. Secrets
 * of addresses and headers aside.
 */
export function isAsSent(
  { requests, mail }: Pick<IntegrationPreview, 'requests' | 'mail'>,
  integration: Integration,
  sent: { notification: Notification; requests: readonly OutgoingRequest[]; ports: NotifierPorts },
): boolean {
  if (requests.length !== sent.requests.length) return false
  const isSame = requests.every(({ method, body }, index) => {
    const request = sent.requests[index]
    return method === request?.method && body === (request.body ?? '')
  })
  if (mail === undefined) return isSame
  // Its notifier sends it over a connection of its own, but composes it from nothing else than this.
  const { composeMail } = kindOf(integration)
  const composed = composeMail?.(integration, cutFor(integration, sent.notification), sent.ports)
  return isSame && composed !== undefined && textOf(shownMail(composed)) === textOf(mail)
}

const textOf = ({ subject, parts }: RenderedMail): string => JSON.stringify([subject, parts])

/** An answer that every API's notifier takes for a success. */
const likelyAnswer = (): OutgoingAnswer => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: JSON.stringify({ ok: true, success: true, errcode: 0, access_token: standIn, issues: [] }),
})

/** A preview starts no command. */
const runsNothing: NonNullable<NotifierPorts['webhookRuns']> = {
  problemOf: () => undefined,
  run: async () => undefined,
}

/** The real credentials are not fetched: that might ask another machine. */
const someCredentials = {
  accessKeyId: standIn,
  secretAccessKey: standIn,
  region: 'unknown-region',
}

function shownMail({ from, to, content }: ComposedMail): RenderedMail {
  const { headers, parts } = content
  const subject = headers.find(([name]) => name === 'Subject')?.[1] ?? ''
  return { from, to, subject, headers, parts }
}
