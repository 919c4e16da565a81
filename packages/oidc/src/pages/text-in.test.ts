import { expect, it } from 'vitest'
import { textIn } from './text-in.ts'

it('chooses the text of a language, else the English one, else the first', () => {
  const text = { fr: 'Alertes', en: 'Alerts', 'de-AT': 'Alarme' }
  expect(textIn(text, 'fr')).toBe('Alertes')
  expect(textIn(text, 'de')).toBe('Alarme')
  expect(textIn(text, 'ja')).toBe('Alerts')
  expect(textIn({ fr: 'Alertes' }, 'ja')).toBe('Alertes')
  expect(textIn({}, 'ja')).toBeUndefined()
})

it('uses one text for all languages, and none without any', () => {
  expect(textIn('Alerts', 'ar')).toBe('Alerts')
  expect(textIn(undefined, 'ar')).toBeUndefined()
})
