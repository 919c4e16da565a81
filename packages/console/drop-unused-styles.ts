import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Removes the rules of components of Mantine that the page does not use: their class names, such as `m_87cf2631`, are in no
 * script. Half of the styles go. The file gets a new name, because browsers keep it for ever.
 */
export function dropUnusedStyles(): Plugin {
  let folder = ''
  return {
    name: 'drop-unused-styles',
    apply: 'build',
    configResolved(config) {
      folder = config.build.outDir
    },
    closeBundle() {
      const page = join(folder, 'index.html')
      const html = readFileSync(page, 'utf8')
      const scripts = readdirSync(join(folder, 'assets'))
        .filter((name) => name.endsWith('.js'))
        .map((name) => readFileSync(join(folder, 'assets', name), 'utf8'))
      const used = new Set(scripts.flatMap((text) => text.match(/\bm_[0-9a-f]+/g) ?? []))
      const replaced = html.replace(/assets\/index-[\w-]+\.css/, (old) => {
        const css = usedStyles(readFileSync(join(folder, old), 'utf8'), used)
        const hash = createHash('sha256').update(css).digest('hex').slice(0, 8)
        const name = `assets/index-${hash}.css`
        rmSync(join(folder, old))
        writeFileSync(join(folder, name), css)
        return name
      })
      writeFileSync(page, replaced)
    },
  }
}

/** The rules without those that are only about unused classes of Mantine, within conditions such as `@media`, too. */
export function usedStyles(css: string, used: ReadonlySet<string>): string {
  let kept = ''
  for (let at = 0; at < css.length; ) {
    const open = css.indexOf('{', at)
    const end = css.indexOf(';', at)
    if (open < 0) return kept + css.slice(at)
    if (end >= 0 && end < open) {
      kept += css.slice(at, end + 1)
      at = end + 1
      continue
    }
    const close = closingBrace(css, open)
    const head = css.slice(at, open)
    const body = css.slice(open + 1, close)
    if (/^\s*@(?:media|supports|container|layer)/.test(head)) {
      const inner = usedStyles(body, used)
      if (inner.trim() !== '') kept += `${head}{${inner}}`
    } else {
      const classes = head.match(/\.m_[0-9a-f]+/g) ?? []
      if (classes.length === 0 || classes.some((name) => used.has(name.slice(1))))
        kept += `${head}{${body}}`
    }
    at = close + 1
  }
  return kept
}

/** Where the brace at `open` is closed. */
function closingBrace(css: string, open: number): number {
  let depth = 0
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth++
    if (css[at] === '}' && --depth === 0) return at
  }
  return css.length
}
