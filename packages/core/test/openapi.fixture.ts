import { expect } from 'vitest'
import * as z from 'zod'
import { alertsApi } from '../src/alerts/api/operations.ts'
import { authApi } from '../src/auth/api/operations.ts'
import { convertInterface } from '../src/http/api/convert.ts'
import { webhookApi } from '../src/webhook/api/operations.ts'
import type { ReceivedResponse } from './exchange.ts'

export const services = {
  alerts: convertInterface(alertsApi).part,
  auth: convertInterface(authApi).part,
  webhook: convertInterface(webhookApi).part,
}

/** An object of JSON, with schemas or operations. */
type Node = { readonly [name: string]: unknown }

interface Operation {
  readonly requestBody?: { readonly content: Content }
  readonly responses: { readonly [status: string]: { readonly content?: Content } }
}

type Content = { readonly [type: string]: { readonly schema: Node } }

/** Refuses members that a schema does not name, which the document allows for the sake of older clients. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => [key, closed(value)])
  const own = 'properties' in node && 'type' in node ? { additionalProperties: false } : {}
  return { ...own, ...Object.fromEntries(entries) }
}

const asDefinitions = (node: unknown): Node =>
  JSON.parse(JSON.stringify(node).replaceAll('"#/components/schemas/', '"#/$defs/'))

const checks = new WeakMap<Node, { readonly open: z.ZodType; readonly closed: z.ZodType }>()

function checkOf(
  schema: Node,
  service: keyof typeof services,
): {
  readonly open: z.ZodType
  readonly closed: z.ZodType
} {
  const known = checks.get(schema)
  if (known !== undefined) return known
  const all = asDefinitions({ ...schema, $defs: services[service].schemas })
  const check = {
    open: z.fromJSONSchema(all),
    closed: z.fromJSONSchema(closed(all) as Node),
  }
  checks.set(schema, check)
  return check
}

function problemsOf(check: z.ZodType, value: unknown): string {
  const { success, error } = check.safeParse(value)
  return success ? '' : JSON.stringify(error.issues)
}

/** The operation of the document for a request; `undefined` if its path is none of the API's. */
function operationOf(
  service: keyof typeof services,
  method: string,
  path: string,
): Operation | undefined {
  const given = path.replace(/[?#].*$/s, '').split('/')
  for (const [place, operations] of Object.entries(services[service].paths)) {
    const parts = place.split('/')
    const isIt =
      parts.length === given.length &&
      parts.every((part, index) => part === given[index] || (part.startsWith('{') && given[index]))
    const operation = operations[method.toLowerCase()]
    if (isIt && operation !== undefined) return operation as unknown as Operation
  }
  return undefined
}

interface Exchanged {
  readonly method: string
  readonly path: string
  /** The body of the request as text. */
  readonly body: string | undefined
  readonly received: ReceivedResponse
}

/**
 * Expects that the OpenAPI document describes an exchange: the response, and the request if it was accepted. A request without an
 * operation must have been refused.
 */
export function expectDescribed(service: keyof typeof services, exchanged: Exchanged): void {
  const { method, path, body, received } = exchanged
  const { status, text } = received
  const operation = operationOf(service, method, path)
  const name = `${method} ${path}, ${status}: ${text}`
  if (operation === undefined) return
  const accepted = operation.requestBody?.content['application/json']?.schema
  if (accepted !== undefined && status < 300 && isJson(body)) {
    expect(
      problemsOf(checkOf(accepted, service).open, JSON.parse(body)),
      `${name} of ${body}`,
    ).toBe('')
  }
  const response = operation.responses[status] ?? operation.responses.default
  expect(response, `${name} is not in the OpenAPI document`).toBeDefined()
  const type = received.header('content-type')?.split(';', 1)[0] ?? ''
  if (text === '') return
  const described = response?.content?.[type]
  expect(described, `${name} as ${type} is not in the OpenAPI document`).toBeDefined()
  if (described === undefined || type !== 'application/json') return
  expect(problemsOf(checkOf(described.schema, service).closed, JSON.parse(text)), name).toBe('')
}

function isJson(body: string | undefined): body is string {
  if (body === undefined) return false
  try {
    JSON.parse(body)
    return true
  } catch {
    return false
  }
}
