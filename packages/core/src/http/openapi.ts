import { textAnswer } from './answer.ts'
import type { OpenApiPart } from './api/convert.ts'
import type { ApiInterface } from './api/operation.ts'
import type { Route } from './route.ts'

/** A service that can be described. */
export interface DescribedService {
  readonly openApi: {
    /** The path below which its routes are now, as `/auth`; empty for none. */
    basePath(): string
    /** Returns the description, which is made when it is first asked for. */
    load(): Promise<OpenApiPart>
  }
}

/** Loads an interface and converts it, once: neither its schemas nor the converter are part of what other requests need. */
export function describedBy(
  load: () => Promise<ApiInterface>,
): DescribedService['openApi']['load'] {
  let part: Promise<OpenApiPart> | undefined
  return () => {
    part ??= Promise.all([load(), import('./api/convert.ts')]).then(
      ([api, { convertInterface }]) => convertInterface(api).part,
    )
    return part
  }
}

/** Options of {@link openApiRoutes}. */
export interface OpenApiOptions {
  /** Describe only operations with one of these routes (default: all operations). */
  readonly routes?: readonly Pick<Route, 'method' | 'path'>[]
}

/**
 * The route of `/openapi.json`: one OpenAPI 3.1 document for all services that the app serves. Of operations with the same path the
 * first one counts, as with routes.
 *
 * @example
 * const routes = [...alerts.routes, ...auth.routes]
 * const description = openApiRoutes([alerts, auth], { routes })
 * createServer(nodeAdapter([...routes, ...description]))
 * @see https://spec.openapis.org/oas/v3.1.0
 */
export function openApiRoutes(
  services: readonly DescribedService[],
  { routes }: OpenApiOptions = {},
): readonly Route[] {
  const served = routes && new Set(routes.map(({ method, path }) => `${method} ${path}`))
  const isServed: IsServed = (method, path) =>
    served?.has(`${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`) ?? true
  return [
    {
      method: 'GET',
      path: '/openapi.json',
      isCompressible: true,
      answer: async (_request, { mountPath }) => {
        const document = {
          servers: [{ url: mountPath || '/' }],
          ...(await merge(services, isServed)),
        }
        return textAnswer(200, JSON.stringify(document), { 'content-type': 'application/json' })
      },
    },
  ]
}

type IsServed = (method: string, path: string) => boolean

async function merge(services: readonly DescribedService[], isServed: IsServed): Promise<object> {
  const paths: { [path: string]: object } = {}
  let schemas: object = {}
  for (const { openApi } of services) {
    const part = await openApi.load()
    const basePath = openApi.basePath()
    for (const [path, operations] of Object.entries(part.paths)) {
      const full = `${basePath}${path}`
      const all = Object.entries(operations).filter(([method]) => isServed(method, full))
      if (all.length > 0) paths[full] = { ...Object.fromEntries(all), ...paths[full] }
    }
    schemas = { ...schemas, ...part.schemas }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: '1',
      license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: { schemas },
  }
}
