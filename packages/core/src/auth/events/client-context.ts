import type { Json } from '../../storage/storage.ts'
import { validationFailed } from '../errors.ts'

/** Hooks receive it with every request of the flow. */
const maxBytes = 4_096

/**
 * The client's context for a new flow, as the flow stores it.
 *
 * @throws {GatehouseError} `ValidationFailed` if it exceeds 4 KiB as JSON.
 */
export function clientContext(given: Json | undefined): { readonly client_context?: Json } {
  if (given === undefined) return {}
  const actual = Buffer.byteLength(JSON.stringify(given))
  if (actual <= maxBytes) return { client_context: given }
  const details = { expected: maxBytes, actual }
  const cause = { location: '/client_context', kind: 'maxLength', details }
  throw validationFailed([cause], 'invalid request body')
}
