/** A page as a browser without scripts shows it. */
export interface ShownPage {
  readonly status: number
  readonly path: string
  readonly headers: Headers
  readonly html: string
  /** Its `h1`. */
  readonly title: string
  /** The problems in the error summary. */
  readonly problems: readonly string[]
  /** The texts of the visible buttons. */
  readonly buttons: readonly string[]
}

/** Follows links and redirects, keeps cookies with their paths, and sends forms. */
export interface FormBrowser {
  readonly page: ShownPage
  open(path: string): Promise<ShownPage>
  /** Fills in and sends the form of the button, or the first form with these fields. */
  send(fields: Readonly<Record<string, string>>, button?: string): Promise<ShownPage>
  /** The cookies it would send to a path. */
  cookies(path: string): string
}

type Fetch = (request: Request) => Response | Promise<Response>

interface Form {
  readonly action: string | undefined
  readonly button: string
  readonly inputs: readonly {
    readonly name: string
    readonly type: string
    readonly value: string
  }[]
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

/** The text of HTML after its escapes. */
function readText(text: string): string {
  const plain = text.replace(/<[^>]*>/g, '').trim()
  return plain.replace(/&(#39|[a-z]+);/g, (whole, name: string) => entities[name] ?? whole)
}

function texts(html: string, pattern: RegExp): readonly string[] {
  return [...html.matchAll(pattern)].map(([, text = '']) => readText(text))
}

function attributesOf(tag: string): Readonly<Record<string, string>> {
  const found = [...tag.matchAll(/([\w-]+)="([^"]*)"/g)]
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, readText(value)]))
}

/** The forms that are visible without scripts. */
function formsOf(html: string): readonly Form[] {
  return [...html.matchAll(/<form([^>]*)>(.*?)<\/form>/gs)]
    .filter(([, tag = '']) => !/ hidden/.test(tag))
    .map(([, tag = '', body = '']) => ({
      action: attributesOf(tag).action,
      button: texts(body, /<button[^>]*>(.*?)<\/button>/gs)[0] ?? '',
      inputs: [...body.matchAll(/<input ([^>]*)>/g)].map(([, input = '']) => {
        const { name = '', type = '', value = '' } = attributesOf(input)
        return { name, type, value }
      }),
    }))
}

/** A browser with no page and no cookies. */
export function createFormBrowser(fetch: Fetch, origin: string): FormBrowser {
  const jar = new Map<string, { name: string; value: string; path: string }>()
  let page: ShownPage | undefined
  let address = ''

  function cookies(path: string): string {
    const sent = [...jar.values()].filter((one) => one.path === '/' || path === one.path)
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  function keep(headers: Headers): void {
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      const path = /; Path=([^;]+)/.exec(cookie)?.[1] ?? '/'
      if (/; Max-Age=0(?:;|$)/.test(cookie)) jar.delete(`${name} ${path}`)
      else jar.set(`${name} ${path}`, { name, value, path })
    }
  }

  async function go(target: string, body?: URLSearchParams): Promise<ShownPage> {
    const url = new URL(target, origin)
    const headers = new Headers({ cookie: cookies(url.pathname), 'user-agent': 'Test browser' })
    if (body !== undefined) headers.set('origin', origin)
    const request = new Request(
      url,
      body === undefined ? { headers } : { method: 'POST', headers, body },
    )
    const response = await fetch(request)
    keep(response.headers)
    const location = response.headers.get('location')
    if (location !== null) return go(location)
    const html = await response.text()
    const summary = /<div class="problems".*?<\/div>/s.exec(html)?.[0] ?? ''
    address = url.href
    page = {
      status: response.status,
      path: url.pathname,
      headers: response.headers,
      html,
      title: texts(html, /<h1>(.*?)<\/h1>/gs)[0] ?? '',
      problems: texts(summary, /<li>(.*?)<\/li>/gs),
      buttons: formsOf(html).map(({ button }) => button),
    }
    return page
  }

  function shown(): ShownPage {
    if (page === undefined) throw new Error('no page is open')
    return page
  }

  return {
    get page() {
      return shown()
    },
    open: (path) => go(path),
    async send(fields, button) {
      const { html, path } = shown()
      const forms = formsOf(html)
      const names = Object.keys(fields)
      const form = forms.find(
        (one) =>
          (button === undefined || one.button === button) &&
          names.every((name) => one.inputs.some((input) => input.name === name)),
      )
      if (form === undefined) throw new Error(`${path} has no form for ${names} ${button ?? ''}`)
      const body = new URLSearchParams()
      for (const { name, type, value } of form.inputs) {
        if (type !== 'checkbox') body.append(name, fields[name] ?? value)
        else if (fields[name] !== undefined) body.append(name, value)
      }
      return go(form.action ?? address, body)
    },
    cookies,
  }
}
