/** A minimal browser: it stores cookies and ignores their paths. */
interface Visit {
  readonly response: Response
  readonly url: string
}

const maxSteps = 10

/**
 * Goes to a provider and follows redirects until one leaves it, and fills in a name if the page asks for one.
 *
 * @returns the URL it ends at; for a posted form, with the fields in the query.
 * @throws {Error} if the provider shows anything else.
 */
export async function followSignIn(
  authorizationUrl: string,
  issuer: string,
  sub: string,
): Promise<URL> {
  const cookies = new Map<string, string>()
  const visit = async (url: string): Promise<Visit> => {
    const isQuestion = new URL(url).pathname.startsWith('/interaction/')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(isQuestion ? { method: 'POST', body: new URLSearchParams({ sub }) } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return { response, url }
  }

  let { response, url } = await visit(authorizationUrl)
  for (let step = 0; step < maxSteps; step++) {
    const location = response.headers.get('location')
    if (location === null) return readPostedForm(await response.text())
    const next = new URL(location, url)
    if (next.origin !== issuer) return next
    ;({ response, url } = await visit(next.href))
  }
  throw new Error('the sign-in leads nowhere')
}

/** The page of `response_mode=form_post`, whose form a script submits. */
function readPostedForm(page: string): URL {
  const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1]
  if (action === undefined) throw new Error(`no form: ${page.slice(0, 500)}`)
  const url = new URL(unescapeHtml(action))
  for (const [, name = '', value = ''] of page.matchAll(
    /<input[^>]* name="([^"]+)" value="([^"]*)"/g,
  )) {
    url.searchParams.set(name, unescapeHtml(value))
  }
  return url
}

const unescapeHtml = (text: string): string =>
  text
    .replace(/&#x([\da-f]+);/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
