import type { OutgoingAnswer } from '../../../http-client/send-request.ts'
import { isJsonObject } from '../../../storage/storage.ts'

const leadingMembers =
  /^\s*\{(?:\s*"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|true|false|null|-?\d[\d.eE+-]*)\s*,)+/

/**
 * The members of a JSON object in a response; `undefined` if the body is not an object. If its end is missing, as in a long
 * response that was truncated, the members before the first object or list.
 */
export function answerMembers({
  body,
}: OutgoingAnswer): Readonly<Record<string, unknown>> | undefined {
  const value = parsed(body)
  if (value !== undefined) return isJsonObject(value) ? value : undefined
  const head = leadingMembers.exec(body)?.[0]
  const cut = head === undefined ? undefined : parsed(`${head.slice(0, -1)}}`)
  return isJsonObject(cut) ? cut : undefined
}

/** The value of a JSON text; `undefined` if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
