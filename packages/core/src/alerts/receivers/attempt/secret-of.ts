import type { Secret } from '../../../crypto/secret.ts'
import type { NotifierPorts } from '../notifier.ts'

/** A secret from the configuration or from a file that it names. Empty if there is neither. */
export async function secretOf(
  { readFile }: NotifierPorts,
  secret: Secret | undefined,
  file: string,
): Promise<string> {
  if (secret !== undefined) return secret.reveal()
  return file === '' ? '' : (await readFile(file)).trim()
}
