import { parseUrl } from '@gatehouse/core/adapter'
import type { OutgoingMessage } from '@gatehouse/core/auth'
import {
  built,
  duration,
  mapping,
  optional,
  required,
  type Schema,
  secretText,
  textLike,
  withDefault,
} from '@gatehouse/core/document'
import { filledOutsideText } from '../config/kinds.ts'
import type { MessageSender } from './message-sender.ts'

/** Where messages go. */
export interface HttpSenderSettings {
  readonly url: string
  readonly token: string | undefined
  readonly timeoutMs: number
}

const httpUrl: Schema<string> = textLike(
  (url) => /^https?:\/\//i.test(url) && parseUrl(url) !== undefined,
  'an http or https URL',
  filledOutsideText,
)

const parts = mapping<Omit<HttpSenderSettings, 'timeoutMs'> & { readonly timeout: number }>(
  {
    url: required(httpUrl, 'The URL for POST requests.'),
    token: optional(secretText, 'Sent as `Authorization: Bearer TOKEN`. Default: none.'),
    timeout: withDefault(
      duration({ least: 100, most: 60_000 }),
      '10s',
      'How long the answer may take.',
    ),
  },
  { title: 'MessageSender' },
)

/** How the sections `sms` and `whatsapp` are read. */
export const httpSenderSection: Schema<HttpSenderSettings> = built(
  parts,
  ({ timeout, ...rest }) => ({ ...rest, timeoutMs: timeout }),
)

/** Sends messages as JSON to a URL. Any status from 200 to 299 is a success. */
export function createHttpSender({ url, token, timeoutMs }: HttpSenderSettings): MessageSender {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  }
  return {
    async send(message) {
      const { ok, status } = await post(url, {
        headers,
        body: JSON.stringify(bodyOf(message)),
        signal: AbortSignal.timeout(timeoutMs),
      })
      if (!ok) throw new Error(`the response had status ${status}`)
    },
    close() {},
  }
}

async function post(url: string, given: RequestInit): Promise<{ ok: boolean; status: number }> {
  try {
    // The secret is for this URL alone.
    const { ok, status, body } = await fetch(url, { ...given, method: 'POST', redirect: 'error' })
    await body?.cancel()
    return { ok, status }
  } catch (error) {
    throw new Error(`no response: ${reasonOf(error)}`)
  }
}

/** Without the URL, which may hold a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  if (error.name === 'TimeoutError') return 'it timed out'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}

function bodyOf(message: OutgoingMessage): object {
  return { ...message, expires_at: new Date(message.expires_at).toISOString() }
}
