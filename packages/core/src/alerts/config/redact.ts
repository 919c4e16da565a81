import type { SecretSpan } from '@gatehouse/go-template/yaml'
import { secretMask } from '../../crypto/secret.ts'

/** The source text with its secrets masked; comments and layout stay. */
export function redact(source: string, secrets: readonly SecretSpan[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, mask } of secrets.toSorted((a, b) => a.start - b.start)) {
    // The secret of an anchor occurs once for each alias.
    if (start < at) continue
    pieces.push(source.slice(at, start), inStyleOf(source.slice(start, end), mask))
    at = end
  }
  return pieces.join('') + source.slice(at)
}

function inStyleOf(written: string, mask: string): string {
  const first = written.charAt(0)
  const isBlock = first === '|' || first === '>'
  if (isBlock) return `${mask}${written.endsWith('\n') ? '\n' : ''}`
  if (mask === secretMask) return mask
  if (first === "'") return `'${mask.replaceAll("'", "''")}'`
  return first === '"' ? JSON.stringify(mask) : mask
}
