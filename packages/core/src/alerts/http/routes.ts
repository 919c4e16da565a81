import { goQuote } from '@gatehouse/go-template/text'
import { inSlices } from '../../async/slices.ts'
import { type Answer, emptyAnswer, redirect } from '../../http/answer.ts'
import { accepts } from '../../http/media-type.ts'
import type { RequestInfo, Route } from '../../http/route.ts'
import { alertGroupsJson } from '../alerts/list-alert-groups.ts'
import { alertsJson } from '../alerts/list-alerts.ts'
import { postDecodedAlerts } from '../alerts/post-alerts.ts'
import { silenceJson } from '../board/silence-json.ts'
import type { AlertsContext } from '../context.ts'
import { getClusterStatus, statusIn } from '../running-config/get-status.ts'
import { chosenReceivers } from '../running-config/list-receivers.ts'
import { createDecodedSilence } from '../silences/create-silence.ts'
import { expireSilence } from '../silences/expire-silence.ts'
import { getSilence } from '../silences/get-silence.ts'
import { silencesJson } from '../silences/list-silences.ts'
import { acknowledgementRows } from './acknowledgement-routes.ts'
import { apiDescription } from './api-description.ts'
import { changeRows } from './change-routes.ts'
import { decodeSilence } from './decode-silence.ts'
import { explainRows } from './explain-routes.ts'
import { type ErrorOptions, frameworkFailure } from './frame/error-response.ts'
import type { FramedRow } from './frame/framed-row.ts'
import { createRequestFrame } from './frame/request-frame.ts'
import { historyRows } from './history-routes.ts'
import { jsonAnswer, jsonLine, withBody } from './json-body.ts'
import { createAlertsDecoder } from './known-alerts.ts'
import { cleanLocation, fallbackRoutes, managementRows } from './management-routes.ts'
import {
  answering,
  checks,
  type Endpoint,
  type Operation,
  otherMethods,
  requires,
  unknownOwnRows,
} from './operation.ts'
import { pageRows } from './page-routes.ts'
import {
  readAlertGroupsParameters,
  readAlertsParameters,
  readReceiversParameters,
  readSilencesParameters,
} from './query.ts'
import { serverRows } from './server-routes.ts'
import { silenceRows } from './silence-routes.ts'
import { v1Rows } from './v1-routes.ts'

/** A path of the API with its operations, in the order in which a 405 response names them. */
interface Resource extends ErrorOptions {
  readonly path: string
  readonly operations: Readonly<Record<string, Endpoint>>
}

const uuid = /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i

/** Continues with the id in a path, if it has the form of one. */
function withId(info: RequestInfo, proceed: (id: string) => Promise<Answer>): Promise<Answer> {
  const { silenceID = '' } = info.params
  if (uuid.test(silenceID)) return proceed(silenceID)
  const message = `silenceID in path must be of type uuid: ${goQuote(silenceID)}`
  return Promise.resolve(frameworkFailure(422, message, {}, 601))
}

interface ShownStatus {
  readonly config: unknown
  readonly cluster: unknown
  readonly answer: Answer
}

/** The status is about as long as the configuration, so it is rendered again only when that or the cluster changes. */
function statusOperation(alerts: AlertsContext): Operation {
  let shown: ShownStatus | undefined
  const { access } = alerts
  return async (_, info) => {
    const cluster = await getClusterStatus(alerts)
    const { current: config } = alerts.config
    // Clients need the rest, such as the version.
    if (access !== undefined && !(await access.allows(info, 'config:read')))
      return jsonLine({ ...statusIn(alerts, cluster), config: { original: '' } })
    if (shown?.config !== config || shown.cluster !== cluster) {
      shown = { config, cluster, answer: jsonLine(statusIn(alerts, cluster)) }
    }
    return shown.answer
  }
}

function resourcesOf(alerts: AlertsContext): readonly Resource[] {
  const description = apiDescription()
  const decodeAlerts = createAlertsDecoder(alerts.options)
  return [
    { path: '/status', operations: { GET: requires('alerts:read', statusOperation(alerts)) } },
    {
      path: '/receivers',
      operations: {
        GET: requires('alerts:read', async (_, { query }) =>
          jsonLine(await chosenReceivers(alerts, readReceiversParameters(query))),
        ),
      },
    },
    {
      path: '/silences',
      operations: {
        POST: checks('silences:write', (request, info) =>
          withBody(alerts, request, async (text) =>
            jsonLine({ silenceID: await createDecodedSilence(alerts, decodeSilence(text), info) }),
          ),
        ),
        GET: requires('alerts:read', async (_, { query }) =>
          jsonAnswer(await silencesJson(alerts, readSilencesParameters(query))),
        ),
      },
    },
    {
      path: '/silence/:silenceID',
      emptyNotFound: true,
      operations: {
        DELETE: checks('silences:write', (_, info) =>
          withId(info, async (id) => {
            await expireSilence(alerts, id, info)
            return emptyAnswer(200)
          }),
        ),
        GET: requires('alerts:read', (_, info) =>
          withId(info, async (id) => jsonAnswer(`${silenceJson(await getSilence(alerts, id))}\n`)),
        ),
      },
    },
    {
      path: '/alerts',
      operations: {
        POST: requires('alerts:post', (request) =>
          withBody(alerts, request, async (text) => {
            await postDecodedAlerts(alerts, await inSlices(decodeAlerts(text)))
            return emptyAnswer(200)
          }),
        ),
        GET: requires('alerts:read', async (_, { query }) =>
          jsonAnswer(await alertsJson(alerts, readAlertsParameters(query))),
        ),
      },
    },
    {
      path: '/alerts/groups',
      operations: {
        GET: requires('alerts:read', async (_, { query }) =>
          jsonAnswer(await alertGroupsJson(alerts, readAlertGroupsParameters(query))),
        ),
      },
    },
    {
      path: '/swagger.json',
      operations: { GET: requires('public', async () => jsonLine(description)) },
    },
  ]
}

function resourceRows(base: string, { path, operations, ...failures }: Resource): FramedRow[] {
  const handler = `/api/v2${path}`
  const negotiated = (operation: Operation): Operation => {
    const message = 'unsupported media type requested, only [application/json] are available'
    return async (request, info) =>
      accepts(request.headers.get('accept'), 'application/json')
        ? operation(request, info)
        : frameworkFailure(406, message)
  }
  const endpoints: [method: string, Endpoint][] = [
    ...Object.entries(operations).map(([method, { operation, ...needs }]): [string, Endpoint] => [
      method,
      { ...needs, operation: negotiated(operation) },
    ]),
    ['*', otherMethods(operations)],
  ]
  return endpoints.flatMap(([method, { operation, ...needs }]) => {
    const row = { ...needs, ...failures, method, handler, answer: answering(operation) }
    return [`${base}${path}`, `${base}${path}/`].map(
      (full): FramedRow => ({ ...row, kind: 'api', path: full }),
    )
  })
}

/** Rows for unknown paths below the API. */
function unknownPathRows(alerts: AlertsContext, base: string): FramedRow[] {
  const baseLength = alerts.options.basePath.length
  const unknown: Operation = async (request, info) => {
    const location = cleanLocation(info)
    if (location !== undefined) return redirect(301, request.method, location)
    const message = `path ${info.path.slice(baseLength)} was not found`
    return frameworkFailure(404, message)
  }
  const root: Operation = async ({ method }, { mountPath, query }) =>
    redirect(301, method, `${mountPath}${base}/${query === '' ? '' : `?${query}`}`)
  const handler = '/api/v2/'
  const row = { method: '*', handler, action: 'public' } as const
  return [
    { ...row, path: `${base}/*`, kind: 'api', answer: answering(unknown) },
    { ...row, path: base, kind: 'plain', answer: answering(root) },
  ]
}

/**
 * The routes of the alert service: the API below the base path, responses for the removed v1 API, management paths and
 * metrics.
 *
 * @see Alertmanager API v2
 */
export function alertsRoutes(alerts: AlertsContext): Route[] {
  const base = `${alerts.options.basePath}/api/v2`
  const rows = [
    ...resourcesOf(alerts).flatMap((resource) => resourceRows(base, resource)),
    ...unknownPathRows(alerts, base),
    ...v1Rows(alerts.options.basePath),
    ...managementRows(alerts),
    ...historyRows(alerts),
    ...acknowledgementRows(alerts),
    ...silenceRows(alerts),
    ...changeRows(alerts),
    ...pageRows(alerts),
    ...explainRows(alerts),
    ...serverRows(alerts),
    ...unknownOwnRows(alerts),
  ]
  return rows.map(createRequestFrame(alerts))
}

/** Routes for every other path, for a server that serves only this. Mount them last. */
export function alertsFallbackRoutes(alerts: AlertsContext): Route[] {
  return fallbackRoutes(alerts)
}
