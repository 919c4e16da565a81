import { parseUrl } from '@gatehouse/core/adapter'
import type { EventWebhookOptions } from '@gatehouse/core/auth'
import {
  built,
  type Checking,
  checked,
  type Fields,
  flag,
  mapping,
  required,
  type Schema,
  secretText,
  withDefault,
} from '@gatehouse/core/document'
import { duration, filledOutsideText } from '../config/kinds.ts'

/** Another program that is told of what happens, or asked before it does. */
interface AuthWebhookSection {
  readonly url: string
  /** What it knows by that a message comes from here. */
  readonly secret: string
  /** Whether it may be reached without TLS, though it is not on this machine. */
  readonly allow_http: boolean
}

const fields: Fields<AuthWebhookSection> = {
  url: required(filledOutsideText, 'An `https` URL, or an `http` URL of this machine.'),
  secret: required(secretText, 'What signatures are made with.'),
  allow_http: withDefault(
    flag,
    false,
    'Whether `url` may be an `http` URL of another machine, as in a network of your own.',
  ),
}

function checkTarget({
  value: { url, allow_http: allowsHttp = true },
  report,
}: Checking<AuthWebhookSection>): void {
  const problem = url === undefined ? undefined : targetProblem(url, allowsHttp)
  if (problem !== undefined) report(['url'], 'out_of_range', problem)
}

/** No limit of its own: how long a hook may take is said by the document, which ends the request then. */
const hookTimeout = 3_600_000

/** How the section `hook` is read. */
export const hookSection: Schema<EventWebhookOptions> = built(
  checked(mapping<AuthWebhookSection>(fields, { title: 'AuthHook' }), checkTarget),
  ({ url, secret }) => ({ url, secret, timeoutMs: hookTimeout, allowHttp: true }),
)

const eventParts = mapping<AuthWebhookSection & { readonly timeout: number }>(
  {
    ...fields,
    timeout: withDefault(duration(100, 30_000), '10s', 'How long the answer may take.'),
  },
  { title: 'AuthEventWebhook' },
)

/** How an item of the section `events` is read. */
export const eventWebhookSection: Schema<EventWebhookOptions> = built(
  checked(eventParts, checkTarget),
  ({ url, secret, timeout: timeoutMs }) => ({ url, secret, timeoutMs, allowHttp: true }),
)

function targetProblem(target: string, allowsHttp: boolean): string | undefined {
  const url = parseUrl(target)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'must be an https URL'
  if (url.username !== '' || url.password !== '') {
    return 'must not have a user name or a password: the secret shows who sends'
  }
  if (url.protocol === 'https:' || allowsHttp || isThisMachine(url)) return undefined
  return 'must be an https URL, because events say who people are; within a network of your own, allow_http: true allows http'
}

const isThisMachine = ({ hostname }: URL): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
