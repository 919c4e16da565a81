import { expect, it } from 'vitest'
import { shortText } from './shown-text.ts'

it.each([
  ['Grafana', 'Grafana'],
  ['  two\n\tlines\u2028and more ', 'two lines and more'],
  ['abc\u202egpj.exe', 'abcgpj.exe'],
  ['\u2066x\u2069\u200e\u200f\u061c', 'x'],
  ['soft\u00adhy\u200bphen\ufeff', 'softhyphen'],
  ['\u0000\u0007\u001b[31mred', '[31mred'],
  ['half \ud83d', 'half'],
  ['\u3164\u115f\u2800x', '\u2800x'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👩‍👩‍👧‍👦 Family', '👩‍👩‍👧‍👦 Family'],
  ['غرافانا', 'غرافانا'],
])('shows %j as %j', (given, shown) => {
  expect(shortText(given)).toBe(shown)
})

it('is empty for a text of which nothing can be seen', () => {
  expect(shortText('\u200b\u2060\u00ad \u202e\u3164')).toBe('')
})

it('cuts long texts between letters, and reads only their beginning', () => {
  expect(shortText('x'.repeat(60))).toBe('x'.repeat(60))
  expect(shortText('x'.repeat(1_000_000))).toBe(`${'x'.repeat(59)}…`)
  expect(shortText('👩‍👩‍👧‍👦'.repeat(61))).toBe(`${'👩‍👩‍👧‍👦'.repeat(59)}…`)
  expect(shortText('abcdef', 4)).toBe('abc…')
})

it('keeps few of the marks of a letter', () => {
  expect([...shortText(`a${'\u0301'.repeat(500)}`)].length).toBeLessThan(20)
})
