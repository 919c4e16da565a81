import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { applyLimits, patientLimits, serverOptionsOf } from './http-limits.ts'

it('applies limits from the start, and new ones later', () => {
  const server = createServer(serverOptionsOf(patientLimits))
  applyLimits(server, patientLimits)
  expect(server).toMatchObject({
    headersTimeout: 30_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 180_000,
    maxConnections: Number.POSITIVE_INFINITY,
  })
  applyLimits(server, { ...patientLimits, maxConnections: 9, keepaliveTimeout: 1 })
  expect(server).toMatchObject({ maxConnections: 9, keepAliveTimeout: 1 })
})

it('never waits longer for headers than for the whole request', () => {
  const limits = { ...patientLimits, headerTimeout: 9_000, requestTimeout: 400 }
  expect(serverOptionsOf(limits)).toMatchObject({
    headersTimeout: 400,
    requestTimeout: 400,
    connectionsCheckingInterval: 100,
  })
})
