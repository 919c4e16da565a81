import { plainOutsideText } from '../../document/outside-text.ts'
import { type Checking, parsedText, type Schema } from '../../document/schema.ts'
import type { DeliveryMethod } from '../webhook.ts'

const maxPathLength = 512

/** A path of a webhook, decoded. The characters that end a path or start an escape cannot be in it. */
export const deliveryPath: Schema<string> = parsedText((written, report) => {
  const path = written.replace(/\/$/, '')
  const isPath = /^(?:\/[^/\s?#%\\\p{Cc}]+)+$/u.test(path) && path.length <= maxPathLength
  // A client or a proxy removes these from a path.
  const isKept = !/\/\.{1,2}(?:\/|$)/.test(path)
  return isPath && isKept ? path : report('bad_path', 'must be a path such as /hooks/redeploy')
}, plainOutsideText)

/** The paths of the service itself. */
const servicePath =
  /^\/(?:(?:webhook|runs)(?:\/.*)?|webhooks(?:\/(?:refusals|test))?|hash|metrics|healthz|readyz|openapi\.json)$/

/** Those of the other services and the command, which begin at the root. */
const rootPath = /^\/(?:api\/v[12]|gatehouse|-)(?:\/.*)?$/

/** Whether Gatehouse itself answers requests for this path, so that no webhook can have it. */
export function isTaken(path: string, basePath: string): boolean {
  return servicePath.test(path) || rootPath.test(basePath + path)
}

/** The parts of a document that decide who has a path. */
interface PathParts {
  readonly base_path: string
  readonly defaults: { readonly methods: readonly DeliveryMethod[] }
  readonly webhooks: readonly {
    readonly path: string | undefined
    readonly methods?: readonly DeliveryMethod[]
  }[]
}

/** The place of a webhook in messages. */
export const webhookAt = (index: number): string => `webhooks[${index}]`

/** Two webhooks with one path must differ in their methods. */
export function checkPaths(
  { value, report }: Pick<Checking<PathParts>, 'value' | 'report'>,
  nameOf: (index: number) => string = webhookAt,
): void {
  const { webhooks = [], defaults = {}, base_path: basePath = '' } = value
  const takers = new Map<string, number>()
  for (const [index, webhook] of webhooks.entries()) {
    const path = webhook?.path
    if (path === undefined) continue
    const at = ['webhooks', index, 'path']
    if (isTaken(path, basePath)) {
      report(at, 'conflict', `Gatehouse itself has the path ${basePath}${path}`)
      continue
    }
    const methods = webhook?.methods ?? defaults.methods ?? (['POST'] as const)
    for (const method of new Set(methods)) {
      if (method === undefined) continue
      const row = `${method} ${path}`
      const first = takers.get(row)
      if (first === undefined) takers.set(row, index)
      else report(at, 'conflict', `${nameOf(first)}.path already has this path for ${method}`)
      if (first !== undefined) break
    }
  }
}
