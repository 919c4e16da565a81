import type { KnownLabels } from '../../alerts/known-labels.ts'

/** A completion: puts `text` in the place of the characters from `from` to `to`. */
export interface Completion {
  readonly text: string
  readonly from: number
  readonly to: number
}

const most = 50

/** What may stand where the caret is: a name of a label, or a value after its operator. */
export function completionsAt(
  input: string,
  caret: number,
  known: KnownLabels,
): readonly Completion[] {
  const start = startOfMatcher(input, caret)
  const part = input.slice(start, caret)
  const value = /^[\s{]*("[^"]*"|[^\s{}!=~,"]+)\s*(?:=~|!~|!=|=)\s*("?)([^"]*)$/.exec(part)
  if (value !== null) {
    const [, name = '', quote = '', typed = ''] = value
    const from = caret - typed.length - quote.length
    const closing = input[caret] === '"' && quote !== '' ? 1 : 0
    return matching(known.valuesOf(name.replaceAll('"', '')), typed).map((text) => ({
      text: `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`,
      from,
      to: caret + closing,
    }))
  }
  const typed = /[^\s{}]*$/.exec(part)?.[0] ?? ''
  if (/[!=~"]/.test(typed)) return []
  return matching(known.names, typed).map((name) => ({
    text: `${/^[A-Za-z_][\w]*$/.test(name) ? name : `"${name}"`}=`,
    from: caret - typed.length,
    to: caret,
  }))
}

/** Where the matcher at the caret begins: after the last comma that is not in quotes. */
function startOfMatcher(input: string, caret: number): number {
  let start = 0
  let isQuoted = false
  for (let i = 0; i < caret; i++) {
    if (input[i] === '\\' && isQuoted) i++
    else if (input[i] === '"') isQuoted = !isQuoted
    else if (input[i] === ',' && !isQuoted) start = i + 1
  }
  return start
}

/** Texts that begin with what was typed, then those that contain it. */
function matching(texts: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase()
  const begin: string[] = []
  const contain: string[] = []
  for (const text of texts) {
    const at = text.toLowerCase().indexOf(wanted)
    if (at === 0 && text !== typed) begin.push(text)
    if (at > 0) contain.push(text)
  }
  return [...begin, ...contain].slice(0, most)
}
