import type { Json } from '../../storage/storage.ts'
import type { Instant } from '../../time/clock.ts'
import type { LoadedAuthConfig } from '../config/config.ts'
import type { RequestFacts } from './view.ts'

/** The context in which a port answers. */
export interface PortRun {
  readonly config: LoadedAuthConfig
  readonly now: Instant
  readonly request: RequestFacts
}

/**
 * The answers to a kind's own questions, by name: calls to other servers, look-ups in the host's database. Rules ask them as
 * `ask('port', { name, ask })`. A failure refuses the input.
 */
export interface PortAnswers {
  readonly [name: string]: (ask: Json, run: PortRun) => Promise<Json>
}
