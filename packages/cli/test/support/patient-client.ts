import { Agent } from 'node:http'
import type { AskFleet } from './fleet.ts'
import { type RawAnswer, type RawRequest, send } from './http.ts'

/** Asks processes in turn that all live, but cannot always do what they are asked. */
export interface PatientClient {
  /**
   * Undefined when the answer is 503: then it may have been done or not.
   *
   * @throws {Error} if there is no answer, or it is one that no outage of the storage explains.
   */
  readonly ask: AskFleet
  /** How many answers were 503. */
  unavailable(): number
  /** Settles when all that is asked now is answered, be it by 503. */
  settled(): Promise<void>
  /** Closes its connections. */
  end(): void
}

/** How long it waits after an answer of 503, so that it leaves the processors to others. */
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
  // Another process may not yet have heard of a silence.
  const isUnheardOf = status === 404 && path.startsWith('/api/v2/silence')
  if (status === 200 || isUnheardOf) return
  const isFailure =
    status === 503 &&
    headers['content-type'] === 'application/json' &&
    body.endsWith('\n') &&
    typeof JSON.parse(body) === 'string'
  if (!isFailure) throw new Error(`${method} ${path} answered ${status}: ${body}`)
}
