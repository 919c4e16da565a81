// The screens of the sign-in pages are written for Preact, which takes the names of HTML. Here React runs them.
import type { ElementType, Key, ReactElement } from 'react'
import { jsx as create, jsxs as createMany, Fragment } from 'react/jsx-runtime'

/** The names of HTML that React has other names for; its `onChange` is the event `input` of a field. */
const names: Readonly<Record<string, string>> = {
  class: 'className',
  for: 'htmlFor',
  autocomplete: 'autoComplete',
  spellcheck: 'spellCheck',
  onInput: 'onChange',
}

function translated(type: ElementType, properties: object): object {
  if (typeof type !== 'string') return properties
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [names[name] ?? name, value]),
  )
}

export const jsx = (type: ElementType, properties: object, key?: Key): ReactElement =>
  create(type, translated(type, properties), key)

export const jsxs = (type: ElementType, properties: object, key?: Key): ReactElement =>
  createMany(type, translated(type, properties), key)

export { Fragment }
