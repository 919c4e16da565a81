import { describe, expect, it } from 'vitest'
import { de } from '../src/texts/de.ts'
import { en } from '../src/texts/en.ts'
import { peopleTexts } from '../src/texts/people-texts.ts'

/** Every text by its path; a text that takes arguments is a function. */
function textsOf(tree: object, path = ''): Map<string, unknown> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]): [string, unknown][] => {
      const place = path === '' ? name : `${path}.${name}`
      return typeof value === 'object' && value !== null
        ? [...textsOf(value, place)]
        : [[place, value]]
    }),
  )
}

/** The arguments that a text shows; numbers and names that look like nothing else. */
function shownIn(text: unknown): readonly string[] {
  if (typeof text !== 'function') return []
  const shown = new Set<string>()
  // A text takes numbers or words in any place.
  for (const given of [
    [71, 72, 73],
    ['w71', 'w72', 'w73'],
    ['active', 72],
    ['name', 'w72', 73],
    [['w71'], 72],
  ]) {
    try {
      for (const found of String(text(...given)).matchAll(/w?7[123]\b/g)) shown.add(found[0])
    } catch {
      // It does not take such arguments.
    }
  }
  return [...shown].sort()
}

describe('the texts in German', () => {
  const [english, german] = [
    textsOf({ ...en, people: peopleTexts.en }),
    textsOf({ ...de, people: peopleTexts.de }),
  ]

  it('are as many as those in English', () => {
    expect([...german.keys()].sort()).toEqual([...english.keys()].sort())
  })

  it('show the same arguments', () => {
    const placeholders = (texts: Map<string, unknown>) =>
      Object.fromEntries([...texts].map(([path, text]) => [path, shownIn(text)]))
    expect(placeholders(german)).toEqual(placeholders(english))
  })

  it('are translated', () => {
    // Some words are the same in both languages.
    const same = [...english].filter(
      ([path, text]) => typeof text === 'string' && german.get(path) === text,
    )
    expect(same.length).toBeLessThan(english.size / 10)
  })

  it('are not empty', () => {
    for (const [path, text] of [...english, ...german]) expect([path, text]).not.toEqual([path, ''])
  })
})
