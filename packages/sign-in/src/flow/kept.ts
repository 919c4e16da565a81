/** What a tab keeps of its flow, with its place in the history. It is in no address, and gone with the tab. */
export interface Kept {
  readonly token?: string
  readonly login?: string
  /** How many steps of the flow are before this place in the history. */
  readonly depth?: number
}

/** What is kept at the current place; nothing where a server renders. */
export const keptNow = (): Kept =>
  typeof history === 'undefined'
    ? {}
    : ((history.state as { gatehouse?: Kept } | null)?.gatehouse ?? {})

/** How many steps of the flow the back button of the browser leads through. */
export const depthNow = (): number => keptNow().depth ?? 0

/** Keeps it at the current place, or at a new one. The router of an app keeps its own things beside it. */
export function keep(kept: Kept, place: 'here' | 'next' = 'here', url?: string): void {
  const state = { ...history.state, gatehouse: kept }
  if (place === 'next') history.pushState(state, '', url)
  else history.replaceState(state, '', url)
}

const choiceKey = 'gatehouse.choice'

/** Keeps the step that led to an identity provider, for when the provider's answer is refused. */
export const keepChoice = (token: string): void => sessionStorage.setItem(choiceKey, token)

/** The step that led to an identity provider, once. */
export function takeChoice(): string | undefined {
  const token = sessionStorage.getItem(choiceKey) ?? undefined
  sessionStorage.removeItem(choiceKey)
  return token
}
