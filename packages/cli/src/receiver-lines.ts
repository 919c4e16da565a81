import type {
  RenderedIntegration,
  RenderedMail,
  RenderedRequest,
  TestedIntegration,
} from '@gatehouse/core/alerts'

/** The name of an integration as `gatehouse explain` and the history have it: `team (webhook/0)`. */
const nameOf = (receiver: string, integration: string): string => `${receiver} (${integration})`

/** One line without control characters: the text may come from the other side and must not control the terminal. */
const inOneLine = (text: string): string => text.replace(/[\p{Cc}\s]+/gu, ' ').trim()

/** The result of an integration test, in one line. */
export function testedLine(
  receiver: string,
  { integration, result, tookMs }: TestedIntegration,
): string {
  const name = nameOf(receiver, integration)
  if (result.outcome === 'sent') return `${name}: sent in ${tookMs} ms`
  if (result.outcome === 'skipped') return `${name}: not sent: ${result.detail}`
  const { reason, detail } = result
  const how = result.outcome === 'retry' ? 'failed, would be retried' : 'failed'
  return `${name}: ${how}: ${reason}: ${inOneLine(detail)}`
}

/** The notification an integration would send. */
export function previewLines(
  receiver: string,
  { integration, outcome, detail = '', requests, mail }: RenderedIntegration,
): readonly string[] {
  const name = nameOf(receiver, integration)
  const problem = outcome === 'rendered' ? [] : [`${name}: ${outcome}: ${inOneLine(detail)}`, '']
  return [
    ...requests.flatMap((request) => [`${name}:`, ...requestLines(request), '']),
    ...(mail === undefined ? [] : [`${name}:`, ...mailLines(mail), '']),
    ...problem,
  ]
}

function requestLines({ method, url, headers, body }: RenderedRequest): readonly string[] {
  return [`${method} ${url}`, ...headers.map(pairLine), ...(body === '' ? [] : ['', trimEnd(body)])]
}

function mailLines({ from, to, headers, parts }: RenderedMail): readonly string[] {
  return [
    `MAIL FROM:<${from}>`,
    ...to.map((address) => `RCPT TO:<${address}>`),
    ...headers.map(pairLine),
    ...parts.flatMap(({ type, text }) => ['', `--- ${type}`, trimEnd(text)]),
  ]
}

const pairLine = ([name, value]: readonly [string, string]): string => `${name}: ${value}`

/** Some bodies end with a line end, some without. */
const trimEnd = (text: string): string => text.replace(/\n+$/, '')
