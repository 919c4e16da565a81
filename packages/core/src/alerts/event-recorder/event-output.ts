/** One output of the event recorder. Its methods never throw: a failing output never affects alerts. */
export interface EventOutput {
  /** Takes an event as one line of JSON, without a newline. Drops it if too many wait. */
  add(line: string): void
  /** The number of events that wait. */
  readonly waiting: number
  /** Writes what waits, within a few seconds, and ends. */
  close(): Promise<void>
}

/** The reports of one output. */
export interface EventOutputReport {
  /** Events were lost. */
  dropped(events: number): void
  /** Bytes were written. */
  written(bytes: number): void
  /** The output does not work; `detail` holds no secret. */
  failed(detail: string): void
  /** The output works, again or still. */
  worked(): void
}

/** The most characters of events that wait for an output. */
export const maxWaiting: number = 8 * 1024 * 1024

/** How long a closed output may take for what waits. */
export const closeWithinMs = 5_000
