// The route contract, and building blocks for adapters.
export { type Action, actions, type RouteAction } from '../authorization/action.ts'
export type { Authorize, Caller, Resource, Subject } from '../authorization/authorize.ts'
export { type WhoAmI, whoAmI } from '../authorization/who-am-i.ts'
export {
  type CollectGauge,
  type DeclaredMetrics,
  declareMetrics,
  type MetricRow,
  type MetricRows,
} from '../metrics/declare-metrics.ts'
export { type EventLoopDelay, registerEventLoopDelay } from '../metrics/event-loop-delay.ts'
export { createMetricsRegistry, type MetricsRegistry } from '../metrics/metrics.ts'
export { type Answer, emptyAnswer, textAnswer, toResponse } from './answer.ts'
export {
  type ClientCertificate,
  clientCertificateOf,
  subjectAltNames,
} from './client-certificate.ts'
export {
  type ClientInfo,
  type ConnectedClient,
  createClientReader,
  type ReceivedRequest,
} from './client-reader.ts'
export { type FetchHandlerOptions, fetchHandler } from './fetch-handler.ts'
export { fetchRoute } from './fetch-route.ts'
export { guardHosts } from './guard-hosts.ts'
export { type IdentifyRequestsOptions, identifyRequests } from './identify-requests.ts'
export { type AddressRange, parseAddressRange, plainAddress } from './ip-address.ts'
export { drainBody, lingering, type UnreadRequest } from './lingering.ts'
export { type DescribedService, type OpenApiOptions, openApiRoutes } from './openapi.ts'
export { type OwnFailure, refuseEarly } from './own-api/failure.ts'
export { type OwnApiOptions, ownApiRoutes } from './own-api/routes.ts'
export {
  acceptsEncoding,
  createPageFiles,
  fileAnswer,
  type PageFile,
  type PageFiles,
  type PageFolder,
} from './pages/page-files.ts'
export { parseUrl } from './parse-url.ts'
export { mayPromptForPassword } from './password-prompt.ts'
export { readBody } from './read-body.ts'
export type {
  RequestInfo,
  Route,
  RouteHeaders,
  RouteRequest,
  Socket,
  SocketHandler,
} from './route.ts'
export { createRouteTable, type RouteMatch, type RouteTable } from './route-table.ts'
export { splitUrl } from './split-url.ts'
