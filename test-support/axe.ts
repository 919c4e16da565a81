import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CDPSession, Page } from 'playwright-core'

let source: string | undefined

/** Options of {@link findingsOfAxe}. */
export interface AxeOptions {
  /** The rules that run beside the usual ones. */
  readonly more?: readonly string[]
  /** Elements whose findings do not count: a function of the page, of the rule and the element, as text. */
  readonly isLeftOut?: string
  /** A selector of what is new in a page whose rest was checked before: only that is checked, in light colours. */
  readonly part?: string
}

/** The rules whose findings depend on the colours. */
const ofColours = ['color-contrast', 'link-in-text-block']

/** The findings of axe in a page: of all rules in light colours, and of those about colours in dark ones, which the page then has. */
export async function findingsOfAxe(
  page: Page,
  options: AxeOptions = {},
): Promise<readonly string[]> {
  const { more = [], part } = options
  const rules = Object.fromEntries(more.map((name) => [name, { enabled: true }]))
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await findings(page, { rules }, options)
  if (part !== undefined) return light
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await findings(page, { runOnly: ofColours }, options)
  return [...light, ...dark.map((one) => `in dark colours: ${one}`)]
}

async function findings(
  page: Page,
  options: object,
  { isLeftOut = '() => false', part }: AxeOptions,
): Promise<readonly string[]> {
  const checked = part === undefined ? 'document' : `{ include: [${JSON.stringify(part)}] }`
  // Without `preload`, which only the rules about sounds and about turned screens need. The pages have no sounds.
  const given = JSON.stringify({ resultTypes: ['violations'], preload: false, ...options })
  if ((await page.evaluate('typeof axe')) === 'undefined') await addAxe(page)
  return page.evaluate<string[]>(`(async () => {
    const isLeftOut = ${isLeftOut}
    // A page follows its scheme with the next frame, and colours that change slowly would be found on their way.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish()
    const { violations } = await axe.run(${checked}, ${given})
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
