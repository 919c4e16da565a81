import { Agent } from 'node:http'
import type { AskFleet } from './fleet.ts'
import { type RawAnswer, type RawRequest, send } from './http.ts'

/** Uses live processes in turn that cannot always do the work. */
export interface PatientClient {
  /**
   * `undefined` if the status is 503: the work may have been done or not.
   *
   * @throws {Error} if there is no response, or one that an outage of the storage does not explain.
   */
  readonly ask: AskFleet
  /** The number of responses with 503. */
  unavailable(): number
  /** Settles when all current requests are answered, possibly with 503. */
  settled(): Promise<void>
  /** Closes its connections. */
  end(): void
}

/** The pause after a 503, which leaves the processors to others. */
const pauseMs = 10

/** A {@link PatientClient} of the processes that listen on these ports of 127.0.0.1. */
export function createPatientClient(ports: readonly number[]): PatientClient {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  let unavailable = 0
  const pending = new Set<Promise<RawAnswer>>()

  return {
    async ask(raw) {
      turn = (turn + 1) % ports.length
      const asked = send(ports[turn] ?? 0, raw, agent)
      pending.add(asked)
      const answer = await asked.finally(() => pending.delete(asked))
      check(raw, answer)
      if (answer.status !== 503) return answer
      unavailable++
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
      return undefined
    },
    unavailable: () => unavailable,
    async settled() {
      await Promise.all(pending)
    },
    end: () => agent.destroy(),
  }
}

function check({ method, path }: RawRequest, { status, headers, body }: RawAnswer): void {
  // Another process may not have the silence yet.
  const isUnheardOf = status === 404 && path.startsWith('/api/v2/silence')
  if (status === 200 || isUnheardOf) return
  const isFailure =
    status === 503 &&
    headers['content-type'] === 'application/json' &&
    body.endsWith('\n') &&
    typeof JSON.parse(body) === 'string'
  if (!isFailure) throw new Error(`${method} ${path} answered ${status}: ${body}`)
}
