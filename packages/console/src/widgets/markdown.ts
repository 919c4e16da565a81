/** A piece of a line. */
export type Inline =
  | { readonly kind: 'text' | 'strong' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly url: string }

/** A part of a text. */
export type Block =
  | { readonly kind: 'lines'; readonly lines: (readonly Inline[])[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }
  | { readonly kind: 'code'; readonly text: string }

/** Each piece ends within its line, so that reading takes linear time. */
const piece =
  /`([^`]{1,2000})`|\*\*([^*\s](?:[^*]{0,2000}[^*\s])?)\*\*|\[([^[\]]{1,500})\]\((https?:\/\/[^\s()<>"']{1,2000})\)|(https?:\/\/[^\s<>"'`]{1,2000})/g
const fence = /^\s*```[\w-]*\s*$/
const close = /^\s*```\s*$/
const bullet = /^\s*[-*•] +(?=\S)/

/**
 * Reads the part of Markdown that authors of alerts use: code, bold, links, lists. Everything else, HTML among it, is text. Only
 * URLs of the web are links: alerts come from strangers.
 */
export function readMarkdown(text: string): readonly Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  const lastClose = lines.findLastIndex((line) => close.test(line))
  for (let at = 0; at < lines.length; ) {
    const end = endOfBlock(lines, at, lastClose)
    const own = lines.slice(at, end)
    if (fence.test(own[0] ?? '') && end - at > 1) {
      blocks.push({ kind: 'code', text: own.slice(1, -1).join('\n') })
    } else if (bullet.test(own[0] ?? '')) {
      blocks.push({ kind: 'list', items: own.map((line) => readLine(line.replace(bullet, ''))) })
    } else {
      const before = blocks.at(-1)
      const pieces = own.map(readLine)
      if (before?.kind === 'lines') before.lines.push(...pieces)
      else blocks.push({ kind: 'lines', lines: pieces })
    }
    at = end
  }
  return blocks
}

const kindOf = (line: string | undefined): Block['kind'] | undefined => {
  if (line === undefined) return undefined
  if (fence.test(line)) return 'code'
  return bullet.test(line) ? 'list' : 'lines'
}

/** The index after the last line of the block that begins at a line. A fence that nothing closes is text. */
function endOfBlock(lines: readonly string[], start: number, lastClose: number): number {
  const kind = kindOf(lines[start])
  let at = start + 1
  if (kind === 'code') {
    if (start >= lastClose) return at
    while (!close.test(lines[at] ?? '')) at++
    return at + 1
  }
  while (kindOf(lines[at]) === kind) at++
  return at
}

function readLine(line: string): readonly Inline[] {
  const parts: Inline[] = []
  let at = 0
  const addText = (end: number): void => {
    if (end > at) parts.push({ kind: 'text', text: line.slice(at, end) })
  }
  for (const found of line.matchAll(piece)) {
    const [whole, code, strong, label, target, url] = found
    addText(found.index)
    at = found.index + whole.length
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong })
    else if (label !== undefined && target !== undefined) {
      parts.push({ kind: 'link', text: label, url: target })
    } else if (url !== undefined) {
      // A full stop after a URL ends the sentence.
      const link = url.replace(/[.,;:!?)\]…]+$/, '')
      parts.push({ kind: 'link', text: link, url: link })
      at = found.index + link.length
    }
  }
  addText(line.length)
  return parts
}
