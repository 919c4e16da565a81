import { describe, expect, it } from 'vitest'
import { type Page, type PageLook, type PagePart, pageAnswer } from './page-answer.ts'

const look: PageLook = {
  language: 'en',
  brand: { name: 'Harbor Light' },
  origin: 'https://harbor.example',
}
const plain: Page = { status: 200, title: 'A page', parts: [] }

function htmlOf(page: Partial<Page>, shown: Partial<PageLook> = {}): string {
  const { body } = pageAnswer({ ...plain, ...page }, { ...look, ...shown })
  return typeof body === 'string' ? body.replace(/<style>.*<\/style>/s, '') : ''
}

const policyOf = (page: Partial<Page>, shown: Partial<PageLook> = {}): string =>
  String(
    pageAnswer({ ...plain, ...page }, { ...look, ...shown }).headers['content-security-policy'],
  )

/** Each kind of part, with one text everywhere. */
const partsWith = (text: string): { readonly [K in PagePart['kind']]: PagePart } => {
  const button = { text, name: text, value: text }
  return {
    text: { kind: 'text', text },
    warning: { kind: 'warning', text },
    person: { kind: 'person', label: text, name: text, detail: text, button },
    list: { kind: 'list', title: text, items: [text] },
    facts: { kind: 'facts', facts: [{ name: text, value: text }] },
    code: { kind: 'code', code: text, title: text },
    code_field: {
      kind: 'code_field',
      name: text,
      label: text,
      value: text,
      maxLength: 9,
      problem: text,
    },
    buttons: { kind: 'buttons', buttons: [button, { ...button, look: 'plain' }] },
    links: { kind: 'links', links: [{ href: text, text }] },
  }
}

describe('a page without scripts', () => {
  it.each(Object.keys(partsWith('x')) as PagePart['kind'][])(
    'shows a %s as text, whatever is in it',
    (kind) => {
      const hostile = '</bdi><script>alert(1)</script>"\' onclick="x"'
      const html = htmlOf({ title: hostile, parts: [partsWith(hostile)[kind]] })
      expect(html).toContain(
        '&lt;/bdi&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#34;&#39; onclick=&#34;x&#34;',
      )
      expect(html).not.toMatch(/<script| onclick="/)
    },
  )

  it('is a form only with a form, and posts to its own address unless another is given', () => {
    const { buttons } = partsWith('go')
    expect(htmlOf({ parts: [buttons] })).not.toContain('<form')
    expect(htmlOf({ parts: [buttons], form: {} })).toContain('<form method="post">')
    const form = { action: '/a?b&"', values: { 'x"': '<y>' } }
    const html = htmlOf({ parts: [buttons], form })
    expect(html).toContain('<form method="post" action="/a?b&amp;&#34;">')
    expect(html).toContain('<input type="hidden" name="x&#34;" value="&lt;y&gt;">')
  })

  it('shows the first letter of a name without a logo, also one of several code points', () => {
    for (const [name, letter] of [
      ['harbor light', 'H'],
      ['«élan»', 'É'],
      ['港の灯', '港'],
      ['\u2068مرفأ\u2069', 'م'],
      ['!?', ''],
    ] as const) {
      expect(htmlOf({ emblem: { name } })).toContain(
        `<span class="emblem letter" aria-hidden="true">${letter}</span>`,
      )
    }
  })

  it.each([
    ['https://cdn.example/a.png', 'img-src https://cdn.example data:;', true],
    ['http://cdn.example/a.png', 'img-src data:;', false],
    ['javascript:alert(1)', 'img-src data:;', false],
    ['data:image/png;base64,x', 'img-src data:;', false],
    ['https://a;script-src/a.png', 'img-src data:;', false],
    ['https://a,b/a.png', 'img-src data:;', false],
    ['/a.png', 'img-src data:;', false],
    [undefined, 'img-src data:;', false],
  ])('allows the image %s of a party as far as it is safe', (image, directive, isShown) => {
    const emblem = { name: 'Grafana', image }
    expect(policyOf({ emblem })).toContain(directive)
    expect(htmlOf({ emblem }).includes('<img')).toBe(isShown)
  })

  it('allows the logo and the icon of the app', () => {
    const brand = { name: 'Harbor Light', logo: '/logo.svg', icon: 'https://cdn.example/i.png' }
    expect(policyOf({}, { brand })).toContain('img-src https://harbor.example https://cdn.example;')
    expect(htmlOf({}, { brand })).toContain(
      '<img src="https://harbor.example/logo.svg" alt="Harbor Light">',
    )
  })

  it.each([
    [undefined, "form-action 'self';"],
    ['https://app.example/cb', "form-action 'self' https:;"],
    ['http://127.0.0.1:4000/cb', "form-action 'self' https: http:;"],
    ['com.example.app:/cb', "form-action 'self' https: com.example.app:;"],
    ['javascript:alert(1)', "form-action 'self';"],
    ['data:text/html,x', "form-action 'self';"],
    ['blob:https://app.example/1', "form-action 'self';"],
    ['/cb', "form-action 'self';"],
  ])('lets its form lead to %s', (leadsTo, directive) => {
    expect(policyOf({ form: { leadsTo } })).toContain(directive)
  })

  it('is written from right to left in Arabic', () => {
    expect(htmlOf({}, { language: 'ar' })).toContain('<html lang="ar" dir="rtl">')
  })
})
