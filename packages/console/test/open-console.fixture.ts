import { createServer, type Server } from 'node:http'
import { nodeAdapter } from '@gatehouse/adapter-node'
import {
  type AlertsContext,
  type AlertsOptions,
  createAlerts,
  type PostableAlert,
  postAlerts,
} from '@gatehouse/core'
import { createMemoryStorage } from '@gatehouse/store-memory'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findingsOfAxe } from '../../../test-support/axe.ts'
import { isWide } from '../../../test-support/lane.ts'
import { listenAgain } from '../../../test-support/listen-again.ts'
import { consoleRoutes } from '../src/index.ts'

const config = `
route:
  receiver: everybody
  group_by: [alertname]
  routes: [{ receiver: on-call, matchers: [severity="critical"] }]
receivers: [{ name: everybody }, { name: on-call }]
`

/** A server with alerts and the console. */
export interface ConsoleServer {
  readonly alerts: AlertsContext
  readonly url: string
  /** How many streams of changes are open. */
  streams(): number
  /** Stops answering; `again` answers at the same place. */
  stop(): Promise<void>
  again(): Promise<void>
}

export async function startConsole(
  mountPath = '',
  options: Partial<AlertsOptions> = {},
): Promise<ConsoleServer> {
  const alerts = createAlerts({ storage: createMemoryStorage(), config, ...options })
  const answer = nodeAdapter([...alerts.routes, ...consoleRoutes({ alerts })], { mountPath })
  let streams = 0
  const listener: typeof answer = (request, response) => {
    if (request.url?.includes('/gatehouse/v1/changes')) {
      streams += 1
      response.once('close', () => {
        streams -= 1
      })
    }
    return answer(request, response)
  }
  let server = createServer(listener)
  const port = await listenAgain(server)
  return {
    alerts,
    url: `http://127.0.0.1:${port}${mountPath}/`,
    streams: () => streams,
    stop: () => stopServer(server),
    again: () =>
      new Promise((resolve) => {
        server = createServer(listener).listen(port, '127.0.0.1', resolve)
      }),
  }
}

function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** Firing alerts with these labels. */
export async function fire(
  alerts: AlertsContext,
  labels: readonly Readonly<Record<string, string>>[],
  more: Omit<PostableAlert, 'labels'> = {},
): Promise<void> {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString()
  const all = labels.map((one) => ({ endsAt, ...more, labels: one }))
  for (let i = 0; i < all.length; i += 1_000) await postAlerts(alerts, all.slice(i, i + 1_000))
}

/**
 * Expects no finding of axe for WCAG 2.2 AA and its best practices, in both colour schemes.
 *
 * @param part a selector of what is new: the rest of the page, and dark colours, are checked in the wide lane alone.
 */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  const found = await findingsOfAxe(page, {
    ...(part === undefined || isWide ? {} : { part }),
    // Off by default, as all rules of WCAG 2.2.
    more: ['target-size'],
    // Lines are 22 pixels high where a mouse points at them, so that 25 fit a window. A finger gets 32.
    isLeftOut: `(id, element) => id === 'target-size' && element?.closest('[data-dense]')`,
  })
  expect(found).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}
