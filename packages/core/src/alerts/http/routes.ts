import { goQuote } from '@gatehouse/go-template/text'
import { inSlices } from '../../async/slices.ts'
import { type Answer, emptyAnswer, redirect } from '../../http/answer.ts'
import { endpointsByPath } from '../../http/api/place.ts'
import { unknownPathRefusal } from '../../http/own-api/failure.ts'
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
import { type AlertsOperation, alertsOperations } from '../wire/operations.ts'
import { acknowledgementEndpoints } from './acknowledgement-routes.ts'
import { apiDescription } from './api-description.ts'
import { changeEndpoints } from './change-routes.ts'
import { decodeSilence } from './decode-silence.ts'
import { answering, checks, type Endpoints, type Operation, requires } from './endpoint.ts'
import { explainEndpoints } from './explain-routes.ts'
import { frameworkFailure } from './frame/error-response.ts'
import type { FramedRow } from './frame/framed-row.ts'
import { createRequestFrame } from './frame/request-frame.ts'
import { historyEndpoints } from './history-routes.ts'
import { jsonAnswer, jsonLine, withBody } from './json-body.ts'
import { createAlertsDecoder } from './known-alerts.ts'
import { cleanLocation, fallbackRoutes, managementEndpoints } from './management-routes.ts'
import { pageEndpoints } from './page-routes.ts'
import { pathRows } from './path-rows.ts'
import {
  readAlertGroupsParameters,
  readAlertsParameters,
  readReceiversParameters,
  readSilencesParameters,
} from './query.ts'
import { serverEndpoints } from './server-routes.ts'
import { silenceEndpoints } from './silence-routes.ts'
import { v1Rows } from './v1-routes.ts'

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

type ApiOperation =
  | 'getStatus'
  | 'getReceivers'
  | 'postAlerts'
  | 'getAlerts'
  | 'getAlertGroups'
  | 'postSilences'
  | 'getSilences'
  | 'deleteSilence'
  | 'getSilence'
  | 'getSwagger'

/** The operations of Alertmanager's API. */
function apiEndpoints(alerts: AlertsContext): Endpoints<ApiOperation> {
  const description = apiDescription()
  const decodeAlerts = createAlertsDecoder(alerts.options)
  const oneSilence = { emptyNotFound: true }
  return {
    getStatus: requires('alerts:read', statusOperation(alerts)),
    getReceivers: requires('alerts:read', async (_, { query }) =>
      jsonLine(await chosenReceivers(alerts, readReceiversParameters(query))),
    ),
    postAlerts: requires('alerts:post', (request) =>
      withBody(alerts, request, async (text) => {
        await postDecodedAlerts(alerts, await inSlices(decodeAlerts(text)))
        return emptyAnswer(200)
      }),
    ),
    getAlerts: requires('alerts:read', async (_, { query }) =>
      jsonAnswer(await alertsJson(alerts, readAlertsParameters(query))),
    ),
    getAlertGroups: requires('alerts:read', async (_, { query }) =>
      jsonAnswer(await alertGroupsJson(alerts, readAlertGroupsParameters(query))),
    ),
    postSilences: checks('silences:write', (request, info) =>
      withBody(alerts, request, async (text) =>
        jsonLine({ silenceID: await createDecodedSilence(alerts, decodeSilence(text), info) }),
      ),
    ),
    getSilences: requires('alerts:read', async (_, { query }) =>
      jsonAnswer(await silencesJson(alerts, readSilencesParameters(query))),
    ),
    deleteSilence: {
      ...checks('silences:write', (_, info) =>
        withId(info, async (id) => {
          await expireSilence(alerts, id, info)
          return emptyAnswer(200)
        }),
      ),
      ...oneSilence,
    },
    getSilence: {
      ...requires('alerts:read', (_, info) =>
        withId(info, async (id) => jsonAnswer(`${silenceJson(await getSilence(alerts, id))}\n`)),
      ),
      ...oneSilence,
    },
    getSwagger: requires('public', async () => jsonLine(description)),
  }
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

/** The rows of unknown paths below `/gatehouse/v1`. */
function unknownOwnRows(alerts: AlertsContext): FramedRow[] {
  const unknown: Operation = async (_, { path }) => unknownPathRefusal(path)
  return ['/gatehouse/v1', '/gatehouse/v1/*'].map((path) => ({
    method: '*',
    path: `${alerts.options.basePath}${path}`,
    handler: '/gatehouse/v1/',
    action: 'public',
    kind: 'own',
    answer: answering(unknown),
  }))
}

/**
 * The routes of the alert service: its operations below the base path, and responses for the removed v1 API and unknown paths.
 *
 * @see Alertmanager API v2
 */
export function alertsRoutes(alerts: AlertsContext): Route[] {
  const { basePath } = alerts.options
  const endpoints: Endpoints<AlertsOperation> = {
    ...apiEndpoints(alerts),
    ...managementEndpoints(alerts),
    ...historyEndpoints(alerts),
    ...acknowledgementEndpoints(alerts),
    ...silenceEndpoints(alerts),
    ...changeEndpoints(alerts),
    ...pageEndpoints(alerts),
    ...explainEndpoints(alerts),
    ...serverEndpoints(alerts),
  }
  const rows = [
    ...endpointsByPath(alertsOperations, endpoints).flatMap((one) => pathRows(basePath, one)),
    ...unknownPathRows(alerts, `${basePath}/api/v2`),
    ...v1Rows(basePath),
    ...unknownOwnRows(alerts),
  ]
  return rows.map(createRequestFrame(alerts))
}

/** Routes for every other path, for a server that serves only this. Mount them last. */
export function alertsFallbackRoutes(alerts: AlertsContext): Route[] {
  return fallbackRoutes(alerts)
}
