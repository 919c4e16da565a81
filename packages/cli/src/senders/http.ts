import { parseUrl } from '@gatehouse/core/adapter'
import type { OutgoingMessage } from '@gatehouse/core/auth'
import type { ConfigKind } from '@gatehouse/core/config'
import { duration } from '../config/config-file.ts'
import { section } from '../config/config-section.ts'
import { type Outside, outsideText, type PlacedText, placedText } from '../config/outside-text.ts'
import type { MessageSender } from './message-sender.ts'

/** The sections `sms` and `whatsapp`: a service that takes messages over HTTP. */
export interface HttpSenderSection {
  readonly url: PlacedText | undefined
  /** Sent as `Authorization: Bearer`. */
  readonly token: PlacedText | undefined
  /** The timeout of the response, in ms. */
  readonly timeout: number
}

/** How the sections are decoded. */
export const httpSenderSection: ConfigKind<HttpSenderSection> = section<HttpSenderSection>({
  typeName: 'sender',
  fields: {
    url: { kind: placedText },
    token: { kind: placedText },
    timeout: { kind: duration, default: 10_000 },
  },
  check({ url, timeout }, report) {
    if (url === undefined) report('url is missing: messages are posted there')
    if (timeout < 100 || timeout > 60_000) report('timeout must be from 100ms to 1m', 'timeout')
  },
})

/** Where messages are sent. */
export interface HttpSenderSettings {
  readonly url: string
  readonly token: string | undefined
  readonly timeoutMs: number
}

/** Resolves a section; reports its problems. */
export function readHttpSender(
  { url, token, timeout: timeoutMs }: HttpSenderSection,
  outside: Outside,
): HttpSenderSettings | undefined {
  const target = url && outsideText(outside, url)
  const shown = token && outsideText(outside, token)
  if (url === undefined || target === undefined) return undefined
  if (/^https?:\/\//i.test(target) && parseUrl(target)) {
    return { url: target, token: shown, timeoutMs }
  }
  const { path, line, column } = url
  outside.report({ path, line, column, message: 'url must be an http or https URL' })
  return undefined
}

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
