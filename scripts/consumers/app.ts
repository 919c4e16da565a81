// A program that uses the installed packages. It is type-checked and run as an ES module and as CommonJS.
import { createServer } from 'node:http'
import { expressAdapter } from '@gatehouse/adapter-express'
import { honoAdapter } from '@gatehouse/adapter-hono'
import { nodeAdapter } from '@gatehouse/adapter-node'
import { createClient, type Flow, type FlowAction } from '@gatehouse/client'
import {
  type AuthContext,
  createAlerts,
  fetchHandler,
  getUser,
  isGatehouseError,
  listAlerts,
  postAlerts,
  type Storage,
} from '@gatehouse/core'
import { type AlertsContext, getSilence } from '@gatehouse/core/alerts'
import { parseDuration } from '@gatehouse/core/config'
import type * as conformance from '@gatehouse/core/conformance'
import { createManualClock } from '@gatehouse/core/testing'
import { isExpectedError, parseTemplates, renderText, valueFromJson } from '@gatehouse/go-template'
import { compilePattern } from '@gatehouse/go-template/regex'
import type { NextAdapter, NextServices } from '@gatehouse/next'
import { createMemoryStorage } from '@gatehouse/store-memory'
import { createSqliteStorage } from '@gatehouse/store-sqlite'
import express from 'express'
import { Hono } from 'hono'

export type Suites = typeof conformance

/** What a page shows of a flow. */
export function titleOf(flow: Flow): string {
  switch (flow.prompt) {
    case 'identification_data':
      return flow.action.data.options.map(({ identification }) => identification).join()
    case 'verify_oob_otp_data':
      return flow.action.data.masked_claim_value
    default:
      return flow.action.type satisfies FlowAction['type']
  }
}

/** What a page of Next.js shows. Next.js itself is not installed: types alone do not need it. */
export async function greetingOf({ currentSession, services }: NextAdapter<{ auth: AuthContext }>) {
  const session = await currentSession()
  if (session === undefined) return 'nobody'
  return (await getUser(services().auth, session.user_id)).standard_attributes.email
}

/** What a health check of an app for Next.js counts. */
export async function countAlerts({ services }: NextServices<{ alerts: AlertsContext }>) {
  return (await listAlerts(services().alerts)).length
}

const config = 'route: { receiver: team }\nreceivers: [{ name: team }]\n'

async function use(storage: Storage): Promise<void> {
  const alerts: AlertsContext = createAlerts({ storage, config, clock: createManualClock() })
  await postAlerts(alerts, [{ labels: { alertname: 'Consumed' } }])
  const [alert] = await listAlerts(alerts)
  expectEqual(alert?.receivers, [{ name: 'team' }])

  const app = new Hono().route('/', honoAdapter(alerts.routes))
  const response = await app.request('/api/v2/alerts')
  expectEqual(((await response.json()) as unknown[]).length, 1)
  express().use('/alerts', expressAdapter(alerts.routes))
  createServer(nodeAdapter(alerts.routes))
  const status = await fetchHandler(alerts.routes)(new Request('http://host/api/v2/status'))
  expectEqual(status.status, 200)

  const serve = fetchHandler(alerts.routes)
  const fetch = (url: string, init: RequestInit): Promise<Response> => serve(new Request(url, init))
  const client = createClient({ url: 'http://host', fetch })
  expectEqual((await client.alerts.list({ filter: ['alertname="Consumed"'] })).length, 1)

  // A brand identifies our errors, whichever copy of the package they come from.
  const failure: unknown = await getSilence(alerts, 'nope').catch((error: unknown) => error)
  expectEqual(isGatehouseError(failure) && failure.reason, 'SilenceNotFound')
  await storage.close()
}

/** Errors of each entry are known to the others, and to core. */
function useTemplates(): void {
  const data = valueFromJson({ name: 'Ada' })
  expectEqual(renderText(parseTemplates([]), 'I am {{ .name }}', { data }), 'I am Ada')
  try {
    compilePattern('(')
  } catch (error) {
    expectEqual([isExpectedError(error), isGatehouseError(error)], [true, true])
  }
}

function expectEqual(actual: unknown, expected: unknown): void {
  const [given, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (given !== wanted) throw new Error(`expected ${wanted}, got ${given}`)
}

async function main(): Promise<void> {
  expectEqual(parseDuration('1h'), 3_600_000)
  useTemplates()
  await use(createMemoryStorage())
  await use(createSqliteStorage({ filename: ':memory:' }))
  console.log('the packages work')
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
