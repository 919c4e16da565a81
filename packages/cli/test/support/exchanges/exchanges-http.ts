import { call, type Exchange, get, post } from './exchange.ts'

const alerts = '/api/v2/alerts'
const someId = '11111111-1111-4111-8111-111111111111'

const paths: readonly Exchange[] = [
  '/api/v2/nope',
  '/api/v2/',
  '/api/v2',
  '/api/v2/alerts/',
  '/api/v2/alerts/nope',
  '/api/v2/alerts/groups/',
  '/api/v2/Alerts',
  '/api/v2//alerts',
  '/api/v2/./alerts',
  '/api/v2/x/../alerts',
  '/api/v2/silence',
  '/api/v2/silence/',
  '/api/v2/silence/nope',
  `/api/v2/silence/${someId}`,
  `/api/v2/silence/${someId}/`,
  `/api/v2/silence/${someId}/more`,
  `/api/v2/silence/${someId.replaceAll('-', '')}`,
  '/api/v2/status/',
  '/api/v2/status?x=1&x=2',
  '/api/v2/receivers?nothing=known',
  '/api/v2/swagger.json',
  '/api/v3/alerts',
  '/nope',
  '//nope',
  '/api/v1/status',
  '/api/v1/alerts',
  '/api/v1/silence/1',
  '/-/healthy',
  '/-/ready',
].map((path) => get(path))

const methods: readonly Exchange[] = [
  ...['PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((method) => call(method, alerts)),
  ...['POST', 'PUT', 'HEAD', 'DELETE'].map((method) => call(method, '/api/v2/status')),
  ...['POST', 'DELETE'].map((method) => call(method, '/api/v2/receivers')),
  ...['POST', 'PUT'].map((method) => call(method, '/api/v2/alerts/groups')),
  ...['PUT', 'DELETE', 'HEAD'].map((method) => call(method, '/api/v2/silences')),
  ...['POST', 'PATCH', 'OPTIONS'].map((method) => call(method, `/api/v2/silence/${someId}`)),
  ...['HEAD', 'POST', 'PUT'].map((method) => call(method, '/-/healthy')),
  ...['HEAD', 'DELETE'].map((method) => call(method, '/-/ready')),
  ...['GET', 'PUT', 'HEAD', 'POST'].map((method) => call(method, '/-/reload')),
]

const accepts: readonly Exchange[] = [
  'text/html',
  '*/*',
  'application/*',
  'application/json',
  'application/json; charset=utf-8',
  'text/html;q=0.9, application/json;q=0.5',
  'text/html, image/png',
  'text/*',
  'application/xml, */*;q=0.1',
  'APPLICATION/JSON',
].map((accept) => get('/api/v2/receivers', { name: `accept ${accept}`, headers: { accept } }))

const contentTypes: readonly Exchange[] = [
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=latin1',
  'Application/JSON',
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'application/json;;',
  'application/problem+json',
  '/',
].map((type) => post(`content type ${type}`, alerts, '[]', { headers: { 'content-type': type } }))

const crossOrigin: readonly Exchange[] = [
  get('/api/v2/receivers', { name: 'with an origin', headers: { origin: 'http://ui.test' } }),
  get('/api/v2/nope', { name: 'an error with an origin', headers: { origin: 'http://ui.test' } }),
  ...[
    ['GET', undefined],
    ['HEAD', undefined],
    ['POST', 'content-type'],
    ['POST', 'content-type, x-requested-with'],
    ['POST', 'authorization'],
    ['DELETE', undefined],
    ['PUT', 'content-type'],
  ].map(([method, names]) =>
    call('OPTIONS', alerts, {
      name: `preflight of ${method} with ${names ?? 'no headers'}`,
      headers: {
        origin: 'http://ui.test',
        'access-control-request-method': method ?? '',
        ...(names === undefined ? {} : { 'access-control-request-headers': names }),
      },
    }),
  ),
]

/** Paths, methods, negotiation and cross-origin requests, on an empty server. */
export const httpExchanges: readonly Exchange[] = [
  ...paths,
  ...methods,
  ...accepts,
  ...contentTypes,
  post('no content type', alerts, '[]', { headers: {} }),
  call('POST', alerts, { name: 'no body, no content type' }),
  call('POST', '/api/v2/silences', { name: 'a silence without a body' }),
  ...crossOrigin,
  get('/api/v2/status'),
  get('/api/v2/receivers'),
  get('/api/v2/alerts'),
  get('/api/v2/alerts/groups'),
  get('/api/v2/silences'),
]
