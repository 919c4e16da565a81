import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { RequestFacts } from './view.ts'

/** What is known where a question to the world outside is answered. */
export interface PortRun {
  readonly config: LoadedAuthConfig
  readonly now: Instant
  readonly request: RequestFacts
}

/**
 * Answers to the questions of a kind of its own, by their names: calls of other servers, look-ups in a database of the host. They are
 * asked as `ask('port', { name, ask })`. A failure refuses the input.
 */
export interface PortAnswers {
  readonly [name: string]: (ask: Json, run: PortRun) => Promise<Json>
}
