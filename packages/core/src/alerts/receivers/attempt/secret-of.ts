import type { Secret } from '../../../crypto/secret.ts'
import type { NotifierPorts } from '../notifier.ts'

/** A secret that stands in the configuration, or in a file it names; empty if there is neither. */
export async function secretOf(
  { readFile }: NotifierPorts,
  secret: Secret | undefined,
  file: string,
): Promise<string> {
  if (secret !== undefined) return secret.reveal()
  return file === '' ? '' : (await readFile(file)).trim()
}
