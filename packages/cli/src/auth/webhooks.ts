import { parseUrl } from '@gatehouse/core/adapter'
import type { EventWebhookOptions } from '@gatehouse/core/auth'
import {
  built,
  type Checking,
  checked,
  duration,
  type Fields,
  flag,
  mapping,
  required,
  type Schema,
  secretText,
  withDefault,
} from '@gatehouse/core/document'
import { filledOutsideText } from '../config/kinds.ts'

/** A webhook for events. */
interface AuthWebhookSection {
  readonly url: string
  /** The key of the signatures. */
  readonly secret: string
  /** Whether a URL on another machine may use plain HTTP. */
  readonly allow_http: boolean
}

const fields: Fields<AuthWebhookSection> = {
  url: required(filledOutsideText, 'An `https` URL, or an `http` URL on this machine.'),
  secret: required(secretText, 'The key of the signatures.'),
  allow_http: withDefault(
    flag,
    false,
    'Whether `url` may be an `http` URL on another machine, such as one in a private network.',
  ),
}

function checkTarget({
  value: { url, allow_http: allowsHttp = true },
  report,
}: Checking<AuthWebhookSection>): void {
  const problem = url === undefined ? undefined : targetProblem(url, allowsHttp)
  if (problem !== undefined) report(['url'], 'out_of_range', problem)
}

/** Practically no limit: the document sets the timeout of hooks, and cancels the request. */
const hookTimeout = 3_600_000

/** The schema of the section `hook`. */
export const hookSection: Schema<EventWebhookOptions> = built(
  checked(mapping<AuthWebhookSection>(fields, { title: 'AuthHook' }), checkTarget),
  ({ url, secret }) => ({ url, secret, timeoutMs: hookTimeout, allowHttp: true }),
)

const eventParts = mapping<AuthWebhookSection & { readonly timeout: number }>(
  {
    ...fields,
    timeout: withDefault(
      duration({ least: 100, most: 30_000 }),
      '10s',
      'The timeout of the response.',
    ),
  },
  { title: 'AuthEventWebhook' },
)

/** The schema of an item of `events`. */
export const eventWebhookSection: Schema<EventWebhookOptions> = built(
  checked(eventParts, checkTarget),
  ({ url, secret, timeout: timeoutMs }) => ({ url, secret, timeoutMs, allowHttp: true }),
)

function targetProblem(target: string, allowsHttp: boolean): string | undefined {
  const url = parseUrl(target)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'must be an https URL'
  if (url.username !== '' || url.password !== '') {
    return 'must not have a user name or a password: the secret identifies the sender'
  }
  if (url.protocol === 'https:' || allowsHttp || isThisMachine(url)) return undefined
  return 'must be an https URL, because events contain personal data; for a private network, allow_http: true allows http'
}

const isThisMachine = ({ hostname }: URL): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
