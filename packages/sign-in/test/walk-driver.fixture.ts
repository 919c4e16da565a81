import { createAuthClient, type Flow, type PromptName } from '@gatehouse/client'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isWide } from '../../../test-support/lane.ts'
import { en } from '../src/texts/en.ts'
import { type Answer, answers, type Walker } from './walk-answers.fixture.ts'

/** Where a page is. */
interface Place {
  readonly path: string
  readonly title: string
  readonly token: string
  readonly problem: string
}

/** Waits until a page shows another step than before, or a problem, and is at rest. */
async function settled(page: Page, before?: Place): Promise<Place> {
  const look = ([was]: [Place | undefined]): Place | false => {
    const title = document.querySelector('h1')?.textContent ?? ''
    const isBusy = document.querySelector('[aria-busy="true"], .loading') !== null
    const now = {
      path: location.pathname,
      title,
      token: String(history.state?.gatehouse?.token ?? ''),
      problem: document.querySelector('[role=alert].problem')?.textContent ?? '',
    }
    const isOther =
      was === undefined ||
      now.token !== was.token ||
      now.path !== was.path ||
      now.title !== was.title ||
      now.problem !== was.problem
    const isForeign = now.path.startsWith('/interaction/')
    const seen = globalThis as { seen?: string }
    const text = JSON.stringify(now)
    const isStill = seen.seen === text
    seen.seen = text
    return isOther && isStill && (isForeign || (!isBusy && title !== '')) && now
  }
  for (;;) {
    const seen = await page.waitForFunction(look, [before] as [Place | undefined], {
      timeout: 12_000,
    })
    try {
      return (await seen.jsonValue()) as Place
    } catch (error) {
      // The page went on before it could be read, so it was not at rest.
      if (!String(error).includes('Execution context was destroyed')) throw error
    }
  }
}

/** The state of the step that a page shows, as the service has it. */
async function flowAtPage({ world }: Walker, page: Page, token: string): Promise<Flow> {
  const cookies = await page.context().cookies(world.server.origin)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  return createAuthClient({ url: world.server.origin, headers: { cookie } }).resume(token)
}

/** What goes wrong at a step, and must cost nothing: a lost network, a reload, a second tab, back and forth, a wrong answer. */
async function stumble(
  walker: Walker,
  {
    place,
    before,
    flow,
  }: { readonly place: Place; readonly before: Place | undefined; readonly flow: Flow },
): Promise<Place> {
  const { page } = walker
  const { wrong } = answers[flow.prompt] as Answer<PromptName>
  const refused = async (reason: RegExp | undefined): Promise<void> => {
    if (reason !== undefined)
      await page.locator('[role=alert].problem', { hasText: reason }).waitFor()
  }
  // Going back and forth changes the token at once, and the step once it has been read.
  const shows = (step: Place): Promise<void> =>
    expect.poll(() => settled(page)).toEqual({ ...step, problem: '' })
  await page.context().setOffline(true)
  await page.getByText(en['offline.text']).waitFor()
  if ((await wrong?.(walker, flow as never)) !== undefined) await refused(/There is no connection/)
  await page.context().setOffline(false)
  await page.reload()
  await shows(place)
  // What led here from elsewhere is no step of this flow.
  const isLater = before !== undefined && before.path === place.path
  if (isWide || !isLater) {
    const second = await page.context().newPage()
    await second.goto(`${walker.world.server.origin}${place.path}`)
    expect((await settled(second)).token).not.toBe(place.token)
    await second.close()
  }
  if (isLater) {
    await page.goBack()
    await shows(before)
    await page.goForward()
    await shows(place)
  }
  const reason = await wrong?.(walker, flow as never)
  if (reason === undefined) return settled(page)
  await refused(reason)
  walker.refused?.add(flow.prompt)
  return settled(page)
}

const maxSteps = 30

/**
 * Goes through a flow from where the page is until it leads to `end`: looks at the flow's action, and does what it asks for on the
 * page. Nothing here knows which flow it is.
 */
export async function walk(walker: Walker, end: (place: Place) => boolean): Promise<void> {
  let before: Place | undefined
  let opened = walker.page
  for (let steps = 0; steps < maxSteps; steps++) {
    if (walker.page !== opened) before = undefined
    opened = walker.page
    const place = await settled(walker.page, before)
    const earlier = before
    before = place
    if (end(place)) return
    if (place.path.startsWith('/interaction/')) {
      await walker.page.getByRole('button', { name: 'Sign in' }).click()
      continue
    }
    const flow = await flowAtPage(walker, walker.page, place.token)
    const answer = answers[flow.prompt] as Answer<PromptName> | undefined
    if (answer === undefined) throw new Error(`nothing is known of ${flow.prompt}`)
    if (place.problem !== '') throw new Error(`${flow.prompt}: ${place.problem}`)
    const isKnown = walker.met.includes(flow.prompt)
    walker.met.push(flow.prompt)
    // Usually once at each kind of step, in the wide lane at each step of each flow.
    if (walker.refused !== undefined && (isWide || !isKnown))
      before = await stumble(walker, { place, before: earlier, flow })
    await answer.right(walker, flow as never)
  }
  throw new Error(`no end after ${maxSteps} steps: ${walker.met.join(', ')}`)
}
