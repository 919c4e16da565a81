import type { Secret } from '../../../crypto/secret.ts'
import type { HttpConfig } from '../../../http-client/http-config.ts'
import { detailsWithout, secretsOfUrl } from '../../../http-client/without-secrets.ts'
import type { NotifierPorts, NotifyResult } from '../notifier.ts'
import { attempt, jsonPost } from './attempt.ts'
import { jsonBody } from './json-body.ts'
import { secretOf } from './secret-of.ts'

/** A URL that posts to a channel. It is a secret: knowing it is enough to post. */
interface IncomingWebhook {
  readonly webhook_url?: Secret
  readonly webhook_url_file: string
  readonly http_config: HttpConfig
}

/** Posts a value as JSON. Failures do not contain the URL. */
export async function postToIncomingWebhook(
  ports: NotifierPorts,
  { webhook_url, webhook_url_file, http_config: http }: IncomingWebhook,
  { body, signal }: { readonly body: object; readonly signal: AbortSignal },
): Promise<NotifyResult> {
  const text = jsonBody(body)
  const url = await secretOf(ports, webhook_url, webhook_url_file)
  const detailsOf = detailsWithout(secretsOfUrl(url))
  return attempt(ports, jsonPost(url, text), { http, signal, detailsOf })
}
