import { parseUrl } from '@gatehouse/core/adapter'
import type { EventWebhookOptions } from '@gatehouse/core/auth'
import { type ConfigKind, flag } from '@gatehouse/core/config'
import { duration } from '../config/config-file.ts'
import { secretMapping, section } from '../config/config-section.ts'
import {
  type Outside,
  outsideText,
  type PlacedText,
  placedText,
  reportText,
} from '../config/outside-text.ts'

/** Another program that is told of what happens, or asked before it does. */
export interface AuthWebhookSection {
  readonly url: PlacedText | undefined
  /** What it knows by that a message comes from here. */
  readonly secret: PlacedText | undefined
  /** Whether it may be reached without TLS, though it is not on this machine. */
  readonly allow_http: boolean
}

/** One that is told. */
export interface EventWebhookSection extends AuthWebhookSection {
  /** How long the answer may take, in ms. */
  readonly timeout: number
}

const fields = {
  url: { kind: placedText },
  secret: { kind: placedText },
  allow_http: { kind: flag },
}

type Report = (message: string, key?: string) => void

function checkTarget({ url, secret }: AuthWebhookSection, report: Report): void {
  if (url === undefined) report('url is missing: where it is sent to by POST')
  if (secret === undefined) report('secret is missing: what a signature is made with')
}

const shape = `{ url, secret: "\${env:NAME}" }`

/** How the section `hook` is read. How long an answer may take is said by the document. */
export const hookSection: ConfigKind<AuthWebhookSection> = secretMapping(
  section<AuthWebhookSection>({ typeName: 'hook', fields, check: checkTarget }),
  shape,
)

/** How an item of the section `events` is read. */
export const eventWebhookSection: ConfigKind<EventWebhookSection> = secretMapping(
  section<EventWebhookSection>({
    typeName: 'event webhook',
    fields: { ...fields, timeout: { kind: duration, default: 10_000 } },
    check(given, report) {
      checkTarget(given, report)
      const { timeout } = given
      if (timeout < 100 || timeout > 30_000) report('timeout is from 100ms to 30s', 'timeout')
    },
  }),
  shape,
)

/** No limit of its own: how long a hook may take is said by the document, which ends the request then. */
const hookTimeout = 3_600_000

/** What a section says; what is wrong with it is noted, and never quoted. */
export function readAuthWebhook(
  { url, secret, allow_http: isAllowed, ...rest }: AuthWebhookSection | EventWebhookSection,
  outside: Outside,
): EventWebhookOptions | undefined {
  const target = url && outsideText(outside, url)
  const key = secret && outsideText(outside, secret)
  if (url === undefined || target === undefined || key === undefined) return undefined
  const problem = targetProblem(target, isAllowed)
  if (problem !== undefined) {
    reportText(outside, url, problem)
    return undefined
  }
  const timeoutMs = 'timeout' in rest ? rest.timeout : hookTimeout
  return { url: target, secret: key, timeoutMs, allowHttp: true }
}

function targetProblem(target: string, allowsHttp: boolean): string | undefined {
  const url = parseUrl(target)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return 'url must be an https URL'
  if (url.username !== '' || url.password !== '') {
    return 'url must have no user name and no password: the secret shows who sends'
  }
  if (url.protocol === 'https:' || allowsHttp || isThisMachine(url)) return undefined
  return 'url must be an https URL: what is sent there says who people are. Within a network of your own allow_http: true lets it be http'
}

const isThisMachine = ({ hostname }: URL): boolean =>
  /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
