import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { goJson } from '@gatehouse/go-template/json'
import type { CapturedRequest } from '../../http/capture-server.fixture.ts'
import { loadAlertsConfig } from '../config/config.ts'
import type { Integration, IntegrationType } from './integrations.ts'

/** The integrations of one type. */
export type IntegrationOf<T extends IntegrationType> = Extract<Integration, { readonly type: T }>

/** The integration that the service decodes from these settings. */
export function configured<T extends IntegrationType>(type: T, settings: object): IntegrationOf<T> {
  const receiver = { name: 'r', [`${type}_configs`]: [settings] }
  return firstOf(type, JSON.stringify({ route: { receiver: 'r' }, receivers: [receiver] }))
}

function firstOf<T extends IntegrationType>(type: T, config: string): IntegrationOf<T> {
  const isOfType = (integration: Integration): integration is IntegrationOf<T> =>
    integration.type === type
  const found = loadAlertsConfig(config).receivers[0]?.integrations.find(isOfType)
  if (found === undefined) throw new RangeError(`no integration of type ${type} is configured`)
  return found
}

interface RecordedRequest {
  readonly name: string
  readonly phase: 'firing' | 'resolved'
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: object
  readonly bodyText?: string
  readonly trailingNewline?: boolean
}

const recording: { readonly config: string; readonly requests: readonly RecordedRequest[] } =
  JSON.parse(
    readFileSync(new URL('../../../vectors/alerts/receivers.json', import.meta.url), 'utf8'),
  )

/** The integration that sent the recorded requests, with the URL of a test server. */
export function recordedIntegration<T extends IntegrationType>(
  type: T,
  serverUrl: string,
): IntegrationOf<T> {
  return firstOf(
    type,
    recording.config.replaceAll('{hook}', serverUrl).replaceAll('{smtp}', 'h:25'),
  )
}

/** The parts of a request that are compared. */
interface ComparedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The recorded requests of a phase, in the order of the given names. */
export function recordedRequests(
  phase: 'firing' | 'resolved',
  names: readonly string[],
): readonly ComparedRequest[] {
  return names.flatMap((name) =>
    recording.requests
      .filter((request) => request.phase === phase && request.name === name)
      .map(({ method, path, headers, body, bodyText, trailingNewline }) => {
        const text = bodyText ?? `${goJson(body)}${trailingNewline ? '\n' : ''}`
        return { method, path, headers: comparedHeaders(headers), body: text }
      }),
  )
}

/** Requests in a form that can be compared with recorded ones. */
export function comparable(requests: readonly CapturedRequest[]): readonly ComparedRequest[] {
  return requests.map(({ method, path, headers, body }) => {
    return { method, path, headers: comparedHeaders(headers), body }
  })
}

/** The headers to compare with the recording; one recorded notifier had a client with another user agent. */
function comparedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const agent = headers['user-agent']?.replace('Go-http-client/1.1', 'Alertmanager/0.25.0')
  const { authorization, 'content-type': contentType } = headers
  return {
    'user-agent': agent,
    ...(authorization === undefined ? {} : { authorization }),
    ...(contentType === undefined ? {} : { 'content-type': contentType }),
  }
}
