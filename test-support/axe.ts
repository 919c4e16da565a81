import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'

let source: string | undefined

/** The findings of axe in a page, with `options` of `axe.run` as text. Those at elements that `isLeftOut` takes do not count. */
export async function findingsOfAxe(
  page: Page,
  options = '{}',
  isLeftOut = '() => false',
): Promise<readonly string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await addAxe(page)
  return page.evaluate<string[]>(`(async () => {
    const isLeftOut = ${isLeftOut}
    const { violations } = await axe.run(document, { resultTypes: ['violations'], ...${options} })
    return violations.flatMap(({ id, nodes }) => nodes
      .filter(({ target: [place] }) => !isLeftOut(id, document.querySelector(place)))
      .map(({ html, any }) =>
        id + ': ' + html.slice(0, 150) + ' ' + any.map(({ message }) => message).join('; ')))
  })()`)
}

/** To detach a session would end the virtual authenticators of its page. */
const sessions = new WeakMap<Page, CDPSession>()

/** By the protocol of the browser, which does not ask the policy of the page, and reads a long script in a third of the time. */
async function addAxe(page: Page): Promise<void> {
  source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  await session.send('Runtime.evaluate', { expression: source })
}
