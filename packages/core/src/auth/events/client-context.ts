import type { Json } from '../../storage/storage.ts'
import { validationFailed } from '../errors.ts'

/** Every state's request carries it to the hooks. */
const mostBytes = 4_096

/**
 * What a client says of a flow it creates, as the flow keeps it.
 *
 * @throws {GatehouseError} `ValidationFailed` if it has more than 4 KiB as JSON.
 */
export function clientContext(given: Json | undefined): { readonly client_context?: Json } {
  if (given === undefined) return {}
  const actual = Buffer.byteLength(JSON.stringify(given))
  if (actual <= mostBytes) return { client_context: given }
  const details = { expected: mostBytes, actual }
  const cause = { location: '/client_context', kind: 'maxLength', details }
  throw validationFailed([cause], 'invalid request body')
}
