import type { ComparableAnswer } from './comparable.ts'
import type { Exchange } from './exchange.ts'

/**
 * One deliberate difference from Alertmanager 0.25. The reference changed after 0.25; if it or the API's own description differs
 * from 0.25, Gatehouse follows that.
 */
export interface Difference {
  readonly id: string
  readonly reason: string
  /** Gatehouse's response to an exchange that Alertmanager answers this way; `undefined` if this row does not apply. */
  translate(answer: ComparableAnswer, exchange: Exchange): ComparableAnswer | undefined
}

const api = '/api/v2/'
const jsonHeaders = { 'content-type': 'application/json' }
const parserPrefix = /^parsing (?:alerts|silence) body from "" failed, because /

/** Operations whose 400 the API description declares as a plain string. */
const stringErrors = /^\/api\/v2\/(?:alerts|alerts\/groups|silences)\/?(?:\?|$)/

function isMap(value: unknown): value is ReadonlyMap<string, unknown> {
  return value instanceof Map
}

/** The message of a framework error body, `{"code":…,"message":…}`. */
function messageOf(answer: ComparableAnswer): string | undefined {
  const message = isMap(answer.body) ? answer.body.get('message') : undefined
  return typeof message === 'string' ? message : undefined
}

/** A copy of a body in which `change` has replaced every object. */
function mapObjects(
  value: unknown,
  change: (object: ReadonlyMap<string, unknown>) => ReadonlyMap<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (!isMap(value)) return value
  return change(new Map([...value].map(([name, item]) => [name, mapObjects(item, change)])))
}

function withEntry(
  object: ReadonlyMap<string, unknown>,
  name: string,
  value: unknown,
): ReadonlyMap<string, unknown> {
  return new Map([...object, [name, value] as const].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Translates a 400 whose body is a string. */
function refusal(
  answer: ComparableAnswer,
  from: RegExp,
  to: (...groups: string[]) => string,
): ComparableAnswer | undefined {
  if (answer.status !== 400 || typeof answer.body !== 'string' || !from.test(answer.body)) return
  return { ...answer, body: answer.body.replace(from, (_, ...groups: string[]) => to(...groups)) }
}

/** The whole list. The rows apply in this order, each to the result of the ones before it. */
export const differences: readonly Difference[] = [
  {
    id: 'string-body-of-400',
    reason:
      'The API description gives the body of a 400 of these operations as a string; 0.25 sends an object when its framework finds the error.',
    translate(answer, { path }) {
      const message = messageOf(answer)
      if (answer.status !== 400 || message === undefined || !stringErrors.test(path)) return
      return { ...answer, body: message, newline: true }
    },
  },
  {
    id: 'null-item',
    reason: 'An item that is null makes every release drop the connection; Gatehouse answers 422.',
    translate(answer, { path }) {
      if (answer.status !== 0) return
      const item = path === '/api/v2/alerts' ? '0' : 'matchers.0'
      const body = new Map<string, unknown>([
        ['code', 602],
        ['message', `${item} in body is required`],
      ])
      return { status: 422, headers: { ...jsonHeaders, vary: 'Origin' }, body, newline: false }
    },
  },
  {
    id: 'delete-unknown-silence',
    reason:
      '0.25 answers 500 if the silence to expire does not exist; the API description and 0.26 say 404 without a body.',
    translate(answer, { method }) {
      if (method !== 'DELETE' || answer.status !== 500 || answer.body !== 'silence not found')
        return
      return { status: 404, headers: { vary: 'Origin' }, body: '', newline: false }
    },
  },
  {
    id: 'v1-is-gone',
    reason: 'The first version of the API, which 0.25 still serves, was removed in 0.27.',
    translate(answer, { path }) {
      if (!path.startsWith('/api/v1/')) return
      const body = new Map([
        [
          'error',
          'The Alertmanager v1 API was deprecated in version 0.16.0 and is removed as of version 0.27.0 - please use the equivalent route in the v2 API',
        ],
        ['status', 'deprecated'],
      ])
      const { 'x-content-type-options': _, ...headers } = answer.headers
      return { status: 410, headers: { ...headers, ...jsonHeaders }, body, newline: false }
    },
  },
  {
    id: 'swagger-json',
    reason: 'Newer releases serve the description of the API; 0.25 does not have that path.',
    translate(answer, { path }) {
      if (path !== '/api/v2/swagger.json') return
      const headers = { ...answer.headers, ...jsonHeaders }
      return { status: 200, headers, body: '<any>', newline: true }
    },
  },
  {
    id: 'preflight-204',
    reason: 'Newer releases answer a preflight with 204; 0.25 with 200.',
    translate(answer, { method, headers }) {
      if (method !== 'OPTIONS' || headers?.origin === undefined) return
      return { ...answer, status: 204 }
    },
  },
  {
    id: 'no-store',
    reason: 'Newer releases forbid caching of API responses.',
    translate(answer, { path }) {
      if (!path.startsWith(api) || !('vary' in answer.headers)) return
      return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } }
    },
  },
  {
    id: 'head-content-type',
    reason:
      'The response to a HEAD has the content type of the response to a GET (RFC 9110, 9.3.2); Alertmanager leaves it out here.',
    translate(answer, { method, path }) {
      if (method !== 'HEAD' || answer.status !== 200 || !path.startsWith('/-/')) return
      return {
        ...answer,
        headers: { ...answer.headers, 'content-type': 'text/plain; charset=utf-8' },
      }
    },
  },
  {
    id: 'accept-in-any-case',
    reason: 'Media types are compared without regard to case (RFC 9110, 8.3.1), also in Accept.',
    translate(answer, { headers }) {
      if (answer.status !== 406 || headers?.accept !== 'APPLICATION/JSON') return
      return { ...answer, status: 200, body: '<any>', newline: true }
    },
  },
  {
    id: 'headers-of-redirects',
    reason:
      'Every response below /api/v2/ carries the same headers; Alertmanager redirects unclean paths before its API sets them.',
    translate(answer, { path }) {
      if (answer.status !== 301 || !path.startsWith('/api/v2//')) return
      const headers = { ...answer.headers, vary: 'Origin', 'cache-control': 'no-store' }
      return { ...answer, headers }
    },
  },
  {
    id: 'dot-segments',
    reason:
      'A standard Request has a URL without dot segments, so such a path is served; Alertmanager redirects to it.',
    translate(answer, { path }) {
      if (answer.status !== 301 || !/\/\.{1,2}\//.test(path)) return
      const headers = { ...jsonHeaders, vary: 'Origin', 'cache-control': 'no-store' }
      return { status: 200, headers, body: '<any>', newline: true }
    },
  },
  {
    id: 'query-decoding',
    reason:
      'Queries are decoded as the URL standard says: a semicolon and a lone percent sign stand for themselves, bytes that are not UTF-8 become U+FFFD. Alertmanager drops such parameters, or refuses them.',
    translate(answer, { difference, path }) {
      if (difference !== 'query-decoding') return
      if (!path.endsWith('%zz')) return { ...answer, status: 200, body: [] }
      return { ...answer, status: 400, body: 'bad matcher format: %zz' }
    },
  },
  {
    id: 'silence-wording',
    reason: 'Newer releases name the matcher set at fault when they refuse a silence.',
    translate(answer) {
      return (
        refusal(
          answer,
          /^silence invalid: at least one matcher must not match the empty string$/,
          () =>
            'invalid silence: matcher set 0: at least one matcher must not match the empty string',
        ) ??
        refusal(
          answer,
          /^silence invalid: invalid label matcher (\d+): (.*)$/s,
          (index, rest) => `invalid silence: invalid label matcher ${index} in set 0: ${rest}`,
        )
      )
    },
  },
  {
    id: 'messages-on-lines',
    reason:
      'Newer releases put each invalid alert on a line of its own; 0.25 joins them with a semicolon.',
    translate(answer, { method, path }) {
      if (method !== 'POST' || path !== '/api/v2/alerts' || typeof answer.body !== 'string') return
      if (answer.status !== 400 || parserPrefix.test(answer.body)) return
      const body = answer.body.replaceAll('; ', '\n')
      return body === answer.body ? undefined : { ...answer, body }
    },
  },
  {
    id: 'silence-checked-first',
    reason:
      'Newer releases check a silence before they look up the one it replaces; 0.25 does it the other way round.',
    translate(answer, { difference }) {
      if (difference !== 'silence-checked-first') return
      const body =
        'invalid silence: matcher set 0: at least one matcher must not match the empty string'
      return { ...answer, status: 400, body }
    },
  },
  {
    id: 'bare-dates',
    reason: 'Newer releases accept a date without a time of day as its midnight in UTC.',
    translate(answer, { difference }) {
      if (difference !== 'bare-dates') return
      const { 'content-type': _, ...headers } = answer.headers
      return { status: 200, headers, body: '', newline: false }
    },
  },
  {
    id: 'muted-by',
    reason: 'Newer releases add the time intervals that mute an alert to its status.',
    translate(answer, { path }) {
      if (answer.status !== 200 || !path.startsWith('/api/v2/alerts')) return
      const body = mapObjects(answer.body, (object) =>
        object.has('inhibitedBy') ? withEntry(object, 'mutedBy', []) : object,
      )
      return { ...answer, body }
    },
  },
  {
    id: 'route-labels',
    reason: 'Newer releases add the labels of its route to an alert group.',
    translate(answer, { path }) {
      if (answer.status !== 200 || !path.startsWith('/api/v2/alerts/groups')) return
      const body = mapObjects(answer.body, (object) =>
        object.has('receiver') ? withEntry(object, 'routeLabels', new Map()) : object,
      )
      return { ...answer, body }
    },
  },
  {
    id: 'receiver-labels',
    reason: 'Newer releases give receivers labels; the name is always one of them.',
    translate(answer, { path }) {
      if (answer.status !== 200 || !path.startsWith('/api/v2/receivers')) return
      const body = mapObjects(answer.body, (object) =>
        object.has('name') && object.size === 1
          ? withEntry(object, 'labels', new Map([['name', object.get('name')]]))
          : object,
      )
      return { ...answer, body }
    },
  },
  {
    id: 'silences-in-utc',
    reason:
      'Newer releases return the times of a silence in UTC; 0.25 with the offset they were sent with.',
    translate(answer, { path }) {
      if (answer.status !== 200 || !path.startsWith('/api/v2/silence')) return
      let changed = false
      const body = mapObjects(answer.body, (object) => {
        let result = object
        for (const key of ['startsAt', 'endsAt']) {
          const text = object.get(key)
          if (typeof text !== 'string' || !/[+-]\d\d:\d\d$/.test(text)) continue
          changed = true
          result = withEntry(result, key, new Date(text).toISOString())
        }
        return result
      })
      return changed ? { ...answer, body } : undefined
    },
  },
]
