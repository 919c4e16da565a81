type Schema = Readonly<Record<string, unknown>>

const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }
const list = (items: Schema): Schema => ({ type: 'array', items })
const ref = (name: string): Schema => ({ $ref: `#/definitions/${name}` })
const object = (
  properties: Schema,
  required: readonly string[] = Object.keys(properties),
): Schema =>
  required.length === 0 ? { type: 'object', properties } : { type: 'object', required, properties }
const allOf = (...parts: readonly Schema[]): Schema => ({ type: 'object', allOf: parts })

const definitions: Readonly<Record<string, Schema>> = {
  alertmanagerStatus: object({
    cluster: ref('clusterStatus'),
    versionInfo: ref('versionInfo'),
    config: ref('alertmanagerConfig'),
    uptime: time,
  }),
  clusterStatus: object(
    {
      name: text,
      status: { type: 'string', enum: ['ready', 'settling', 'disabled'] },
      peers: list(ref('peerStatus')),
    },
    ['status'],
  ),
  alertmanagerConfig: object({ original: text }),
  versionInfo: object({
    version: text,
    revision: text,
    branch: text,
    buildUser: text,
    buildDate: text,
    goVersion: text,
  }),
  peerStatus: object({ name: text, address: text }),
  silence: object(
    {
      matchers: ref('matchers'),
      startsAt: time,
      endsAt: time,
      createdBy: text,
      comment: text,
      annotations: ref('labelSet'),
    },
    ['matchers', 'startsAt', 'endsAt', 'createdBy', 'comment'],
  ),
  gettableSilence: allOf(
    object({ id: text, status: ref('silenceStatus'), updatedAt: time }),
    ref('silence'),
  ),
  postableSilence: allOf(object({ id: text }, []), ref('silence')),
  silenceStatus: object({ state: { type: 'string', enum: ['expired', 'active', 'pending'] } }),
  gettableSilences: list(ref('gettableSilence')),
  matchers: { ...list(ref('matcher')), minItems: 1 },
  matcher: object(
    {
      name: text,
      value: text,
      isRegex: { type: 'boolean' },
      isEqual: { type: 'boolean', default: true },
    },
    ['name', 'value', 'isRegex'],
  ),
  alert: object({ labels: ref('labelSet'), generatorURL: { type: 'string', format: 'uri' } }, [
    'labels',
  ]),
  gettableAlert: allOf(
    object({
      annotations: ref('labelSet'),
      receivers: list(ref('receiver')),
      fingerprint: text,
      startsAt: time,
      updatedAt: time,
      endsAt: time,
      status: ref('alertStatus'),
    }),
    ref('alert'),
  ),
  postableAlert: allOf(
    object({ startsAt: time, endsAt: time, annotations: ref('labelSet') }, []),
    ref('alert'),
  ),
  gettableAlerts: list(ref('gettableAlert')),
  postableAlerts: list(ref('postableAlert')),
  alertStatus: object({
    state: { type: 'string', enum: ['unprocessed', 'active', 'suppressed'] },
    silencedBy: list(text),
    inhibitedBy: list(text),
    mutedBy: list(text),
  }),
  alertGroup: object(
    {
      labels: ref('labelSet'),
      receiver: ref('receiver'),
      routeLabels: ref('labelSet'),
      alerts: list(ref('gettableAlert')),
    },
    ['labels', 'receiver', 'alerts'],
  ),
  alertGroups: list(ref('alertGroup')),
  receiver: object({ name: text, labels: ref('labelSet') }, ['name']),
  labelSet: { type: 'object', additionalProperties: text },
}

const flag = (name: string, description: string): Schema => ({
  in: 'query',
  name,
  description,
  type: 'boolean',
  default: true,
})

const matcherList = (name: string, description: string): Schema => ({
  in: 'query',
  name,
  description,
  ...list(text),
  collectionFormat: 'multi',
})

const filter = matcherList('filter', 'A matcher; may be repeated, then all must match.')
const receiverMatchers = matcherList(
  'receiver_matchers',
  'A matcher for the labels of a receiver; may be repeated, then all must match.',
)
const receiver = {
  in: 'query',
  name: 'receiver',
  description: 'A regular expression for the whole name of a receiver.',
  type: 'string',
}
const silenceID = {
  in: 'path',
  name: 'silenceID',
  description: 'The id of a silence.',
  required: true,
  type: 'string',
  format: 'uuid',
}
const body = (name: string, definition: string): Schema => ({
  in: 'body',
  name,
  required: true,
  schema: ref(definition),
})

const failures: Readonly<Record<number, string>> = {
  400: 'The request is not valid.',
  404: 'There is no silence with this id.',
  500: 'The server failed.',
}

function operation(
  tag: string,
  operationId: string,
  description: string,
  details: { parameters?: readonly Schema[]; answer?: Schema; fails?: readonly number[] },
): Schema {
  const { parameters = [], answer, fails = [] } = details
  const ok = { description: 'Done.', ...(answer === undefined ? {} : { schema: answer }) }
  const failed = fails.map((status) => {
    const schema = status === 404 ? {} : { schema: text }
    return [status, { description: failures[status], ...schema }]
  })
  return {
    tags: [tag],
    operationId,
    description,
    ...(parameters.length === 0 ? {} : { parameters }),
    responses: { 200: ok, ...Object.fromEntries(failed) },
  }
}

const paths: Readonly<Record<string, Schema>> = {
  '/status': {
    get: operation('general', 'getStatus', 'The state of this instance and of its cluster.', {
      answer: ref('alertmanagerStatus'),
    }),
  },
  '/receivers': {
    get: operation('receiver', 'getReceivers', 'All receivers.', {
      parameters: [receiverMatchers],
      answer: list(ref('receiver')),
      fails: [400],
    }),
  },
  '/silences': {
    get: operation('silence', 'getSilences', 'Silences, including expired ones.', {
      parameters: [
        filter,
        flag('active', 'Whether active silences are listed.'),
        flag('pending', 'Whether pending silences are listed.'),
        flag('expired', 'Whether expired silences are listed.'),
      ],
      answer: ref('gettableSilences'),
      fails: [400, 500],
    }),
    post: operation('silence', 'postSilences', 'Creates or updates a silence.', {
      parameters: [body('silence', 'postableSilence')],
      answer: object({ silenceID: text }, []),
      fails: [400, 404],
    }),
  },
  '/silence/{silenceID}': {
    get: operation('silence', 'getSilence', 'One silence.', {
      parameters: [silenceID],
      answer: ref('gettableSilence'),
      fails: [404, 500],
    }),
    delete: operation('silence', 'deleteSilence', 'Expires a silence now.', {
      parameters: [silenceID],
      fails: [404, 500],
    }),
  },
  '/alerts': {
    get: operation('alert', 'getAlerts', 'Firing alerts.', {
      parameters: [
        flag('active', 'Whether alerts that nothing suppresses are listed.'),
        flag('silenced', 'Whether silenced alerts are listed.'),
        flag('inhibited', 'Whether inhibited alerts are listed.'),
        flag('unprocessed', 'Has no effect.'),
        filter,
        receiver,
        receiverMatchers,
      ],
      answer: ref('gettableAlerts'),
      fails: [400, 500],
    }),
    post: operation('alert', 'postAlerts', 'Posts new alerts or updates of known ones.', {
      parameters: [body('alerts', 'postableAlerts')],
      fails: [400, 500],
    }),
  },
  '/alerts/groups': {
    get: operation('alertgroup', 'getAlertGroups', 'Firing alerts by group.', {
      parameters: [
        flag('active', 'Whether alerts that nothing suppresses are listed.'),
        flag('silenced', 'Whether silenced alerts are listed.'),
        flag('inhibited', 'Whether inhibited alerts are listed.'),
        flag('muted', 'Whether groups that a time interval mutes are listed.'),
        filter,
        receiver,
        receiverMatchers,
      ],
      answer: ref('alertGroups'),
      fails: [400, 500],
    }),
  },
}

/**
 * The Swagger document of this API.
 *
 * @see OpenAPI (Swagger) 2.0
 */
export function apiDescription(): Schema {
  return {
    swagger: '2.0',
    info: {
      version: '0.0.1',
      title: 'Alertmanager API',
      description: 'Alerts, alert groups, silences, receivers and the state of the service.',
      license: { name: 'Apache 2.0', url: 'http://www.apache.org/licenses/LICENSE-2.0.html' },
    },
    consumes: ['application/json'],
    produces: ['application/json'],
    basePath: '/api/v2/',
    paths,
    definitions,
  }
}
