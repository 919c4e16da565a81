import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Where Tab has led, and what is wrong there. */
interface Stop {
  readonly name: string
  readonly faults: readonly string[]
}

/** Runs in the page after each Tab. It remembers the stop before, which must look different without the focus. */
function lookAtFocus(): Stop {
  interface Seen {
    readonly element: Element
    readonly name: string
    readonly looks: string
    readonly top: number
  }
  const memory = globalThis as { seen?: Seen | undefined }
  const nameOf = (element: Element): string => {
    const label = (element as HTMLInputElement).labels?.[0]?.textContent
    return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim()
  }
  // A select lies in a frame that shows the focus in its place.
  const looksOf = (element: Element): string =>
    [element, element.parentElement]
      .flatMap((one) => {
        if (one === null) return []
        for (const running of one.getAnimations()) {
          if (running instanceof CSSTransition) running.finish()
        }
        const { outlineStyle, outlineColor, boxShadow, borderColor } = getComputedStyle(one)
        return [outlineStyle, outlineColor, boxShadow, borderColor]
      })
      .join(' ')
  const { activeElement: element } = document
  const { seen: before } = memory
  const faults: string[] = []
  const isSame = before === undefined || before.element === element
  if (!isSame && before.element.isConnected && looksOf(before.element) === before.looks) {
    faults.push(`nothing shows the focus at "${before.name}"`)
  }
  memory.seen = undefined
  // The end of the page: the next Tab begins again.
  if (element === null || element === document.body) return { name: '', faults }
  const name = nameOf(element)
  const { top, bottom, width, height } = element.getBoundingClientRect()
  if (name === '') faults.push(`no name: ${element.outerHTML.slice(0, 100)}`)
  if (width === 0 || height === 0 || bottom <= 0 || top >= innerHeight) {
    faults.push(`"${name}" is out of sight`)
  }
  const place = top + scrollY
  // After the last stop the page begins again.
  const isLater =
    before !== undefined &&
    (before.element.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  if (isLater && place + height <= before.top) {
    faults.push(`"${name}" is above "${before.name}", which comes before it`)
  }
  memory.seen = { element, name, looks: looksOf(element), top: place }
  return { name, faults }
}

/** More than any page has places that Tab stops at. */
const maxStops = 80

/**
 * Presses Tab until an element with a name has the focus. Each stop on the way must have a name, show that it has the focus, be in
 * sight, and not lie above the one before.
 */
export async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
  const passed: string[] = []
  await page.evaluate('globalThis.seen = undefined')
  for (let count = 0; count < maxStops; count++) {
    await page.keyboard.press('Tab')
    const { name, faults } = await page.evaluate(lookAtFocus)
    expect(faults).toEqual([])
    if (typeof wanted === 'string' ? name === wanted : wanted.test(name)) return
    passed.push(name)
  }
  throw new Error(`Tab does not reach ${wanted}, but ${passed.join(', ')}`)
}

/** Tabs to a button or link, and presses it. */
export async function pressAt(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** The name of what has the focus, or its text. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(`(() => {
    const { activeElement: one } = document
    return (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent).trim()
  })()`)

/** Waits until what has a name has the focus. */
export const focusComesTo = (page: Page, name: string): Promise<void> =>
  expect.poll(() => focused(page)).toBe(name)

/** Types over what a field with the focus has. */
export async function typeOver(page: Page, text: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}
