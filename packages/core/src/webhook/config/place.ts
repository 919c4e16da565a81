import * as document from '../../document/place.ts'
import type { WebhooksConfigCode } from './problem.ts'

/** What reading one configuration needs, and what it has found so far. Made by {@link createReading}. */
export interface Reading extends document.OpenReading<WebhooksConfigCode> {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly readFile: ((path: string) => string) | undefined
  /** Where relative paths start from. */
  readonly directory: string
  /** Names of the variables that were read. */
  readonly withheld: Set<string>
  /** Paths of the secrets that stand in the text itself. */
  readonly literalSecrets: string[]
}

/** A node on its way through the decoder. */
export type Place = document.Place<Reading>

/** A key of a mapping and its value. */
export type Member = document.Member<Reading>

/** Reads one sort of value, as every decoder of documents does. */
export type Decode<T> = document.Decode<T, Reading>

/** Begins to read a configuration. */
export function createReading(
  options: Pick<Reading, 'environment' | 'readFile' | 'directory'>,
): Reading {
  const reading = document.createReading<WebhooksConfigCode>()
  return { ...options, ...reading, withheld: new Set(), literalSecrets: [] }
}
