import { describe, expect, it } from 'vitest'
import { previewFiles } from './preview-files.ts'

const messages = { 'pt-BR': { verification: { text: '{{.Code}} <b> {{.Name}}' } } }

describe('the files of a preview', () => {
  const files = previewFiles({ messages, brand: { name: 'Harbor & Light', accent: '#0b57d0' } })
  const textOf = (path: string): string => files.get(path)?.text ?? ''

  it('have a page for each language, with every message in frames where nothing runs', () => {
    for (const language of ['en', 'de', 'fr', 'es', 'ja', 'ar', 'pt-br']) {
      expect(textOf('index.html')).toContain(`href="${language}.html"`)
      const page = textOf(`${language}.html`)
      expect(page.match(/<section>/g)).toHaveLength(21)
      expect(page.match(/<iframe sandbox /g)?.length).toBe(language === 'pt-br' ? 19 : 21)
      expect(page.match(/<h3>SMS<\/h3>/g)).toHaveLength(12)
    }
    const frames = [...files.values()].flatMap(({ text }) =>
      [...text.matchAll(/ src="([^"]+\.html)"/g)].map(([, path = '']) => path),
    )
    expect(frames.filter((path) => !files.has(path))).toEqual([])
    expect(frames.length).toBe(files.size - 8)
  })

  it('have the brand and the texts of the app, escaped', () => {
    expect(textOf('ar-new_sign_in-link.html')).toContain('dir="rtl"')
    expect(textOf('de-verification-link.html')).toContain('background:#0b57d0')
    expect(textOf('pt-br.html')).toContain('402918 &lt;b> Harbor &amp; Light')
  })

  it('forbid scripts, and all but styles and images in mails', () => {
    for (const { policy } of files.values()) {
      expect(policy).toContain("default-src 'none'")
      expect(policy).not.toContain('script-src')
    }
    expect(files.get('de-verification-code.html')?.policy).toMatch(/sandbox$/)
    expect(files.get('de.html')?.policy).not.toContain('unsafe-inline')
  })
})
