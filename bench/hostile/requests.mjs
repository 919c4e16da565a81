// Requests that any client may send, each as expensive as the limits allow.

/**
 * @typedef {object} HostileRequest
 * @property {string} name
 * @property {'GET' | 'POST'} method
 * @property {string} path
 * @property {string} [body]
 * @property {Omit<HostileRequest, 'before' | 'name'>[]} [before] requests sent first, not measured
 */

const alertsPath = '/api/v2/alerts'
/** @template T @param {number} count @param {(index: number) => T} of */
const listOf = (count, of) => Array.from({ length: count }, (_, index) => of(index))

/** @param {number} count */
const alerts = (count) =>
  JSON.stringify(listOf(count, (i) => ({ labels: { n: `${i}`, x: `yN${i}` } })))

/** @param {number} count */
const filters = (count) =>
  listOf(count, (i) => `filter=${encodeURIComponent(`x=~"(y|N|${i}){1,50}.*"`)}`).join('&')

/** @param {number} count */
const silence = (count) => {
  const now = Date.now()
  return JSON.stringify({
    matchers: listOf(count, (i) => ({
      name: 'x',
      value: `(a${i}|b){1,9}[^z]*`,
      isRegex: true,
      isEqual: true,
    })),
    startsAt: new Date(now).toISOString(),
    endsAt: new Date(now + 3_600_000).toISOString(),
    createdBy: 'bench',
    comment: 'costly',
  })
}

const stored = { method: /** @type {const} */ ('POST'), path: alertsPath, body: alerts(2_000) }
/** @param {number} count */
const post = (count) => ({
  method: /** @type {const} */ ('POST'),
  path: '/api/v2/silences',
  body: silence(count),
})
const list = { method: /** @type {const} */ ('GET'), path: alertsPath }

/** @returns {HostileRequest[]} */
export const hostileRequests = () => [
  { name: 'nothing else', ...list },
  { name: '50,000 expressions in a silence', ...post(50_000) },
  { name: '100 expressions in a silence, then a list', ...list, before: [stored, post(100)] },
  {
    name: '100 filters over 2,000 alerts',
    method: 'GET',
    path: `${alertsPath}?${filters(100)}`,
    before: [stored],
  },
  {
    name: '200 filters over 2,000 alerts',
    method: 'GET',
    path: `${alertsPath}?${filters(200)}`,
    before: [stored],
  },
  { name: '20,000 alerts', method: 'POST', path: alertsPath, body: alerts(20_000) },
  { name: '100,000 alerts', method: 'POST', path: alertsPath, body: alerts(100_000) },
  {
    name: '15 MB of {"a":1}',
    method: 'POST',
    path: alertsPath,
    body: `[${listOf(1_900_000, () => '{"a":1}').join(',')}]`,
  },
  {
    name: '60 MB of {"a":1}',
    method: 'POST',
    path: alertsPath,
    body: `[${listOf(7_500_000, () => '{"a":1}').join(',')}]`,
  },
  {
    name: '200,000 labels of an alert',
    method: 'POST',
    path: alertsPath,
    body: JSON.stringify([{ labels: Object.fromEntries(listOf(200_000, (i) => [`l${i}`, 'x'])) }]),
  },
]
