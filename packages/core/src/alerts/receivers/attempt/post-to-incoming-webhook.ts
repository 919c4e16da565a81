import type { Secret } from '../../../crypto/secret.ts'
import type { HttpConfig } from '../../fields/http-config.ts'
import { detailsWithout, secretsOfUrl } from '../../http-client/without-secrets.ts'
import type { NotifierPorts, NotifyResult } from '../notifier.ts'
import { attempt, jsonPost } from './attempt.ts'
import { jsonBody } from './json-body.ts'
import { secretOf } from './secret-of.ts'

/** Where a channel takes messages: whoever knows the URL may post there. */
interface IncomingWebhook {
  readonly webhook_url?: Secret
  readonly webhook_url_file: string
  readonly http_config: HttpConfig
}

/** Posts a value as JSON. Nothing of the URL stands in what is told of a failure. */
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
