import type { Route } from '@gatehouse/core'
import { type Answer, textAnswer } from '@gatehouse/core/adapter'
import type { StorageHealth } from '@gatehouse/core/store'

/**
 * Probe routes: `/healthz` and `/-/healthy` for liveness, `/readyz` and `/-/ready` for readiness. They work for any services; a
 * service's own routes come first.
 */
export function healthRoutes(health: StorageHealth): readonly Route[] {
  const alive = async (): Promise<Answer> => text(200, 'OK')
  const ready = async (): Promise<Answer> => {
    const problem = await health.check()
    return problem === undefined ? text(200, 'OK') : text(503, `${problem.message}\n`)
  }
  const aliveJson = async (): Promise<Answer> => json(200, { status: 'ok' })
  const readyJson = async (): Promise<Answer> => {
    const problem = await health.check()
    return problem === undefined
      ? json(200, { status: 'ok' })
      : json(503, { status: 'unavailable', ...problem })
  }
  return [
    ...routesAt('/healthz', aliveJson),
    ...routesAt('/readyz', readyJson),
    ...routesAt('/-/healthy', alive),
    ...routesAt('/-/ready', ready),
  ]
}

const routesAt = (path: string, answer: () => Promise<Answer>): readonly Route[] => [
  { method: 'GET', path, answer },
  { method: 'HEAD', path, answer },
]

const json = (status: number, body: object): Answer =>
  textAnswer(status, JSON.stringify(body), {
    'content-type': 'application/json',
    'cache-control': 'no-store',
  })

const text = (status: number, body: string): Answer =>
  textAnswer(status, body, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
