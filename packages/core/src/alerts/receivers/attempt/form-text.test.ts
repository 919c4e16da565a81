import { expect, it } from 'vitest'
import { formText } from './form-text.ts'

it('sorts by name and escapes all but letters, digits and four marks', () => {
  expect(formText({ b: "a b+c&d=e/é~-._!'()*", a: '', 'ü ': '\n' })).toBe(
    'a=&b=a+b%2Bc%26d%3De%2F%C3%A9~-._%21%27%28%29%2A&%C3%BC+=%0A',
  )
})

it('replaces an unpaired surrogate', () => {
  expect(formText({ a: '\ud800' })).toBe('a=%EF%BF%BD')
})

it('is empty without parameters', () => {
  expect(formText({})).toBe('')
})
