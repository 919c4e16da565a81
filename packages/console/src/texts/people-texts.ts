import { people as de } from './de-people.ts'
import { people as en, type PeopleTexts } from './en-people.ts'
import { type Language, useLanguage } from './texts.ts'

/** The texts that only the pages of people need. The first load does without them. */
export const peopleTexts: Readonly<Record<Language, PeopleTexts>> = { en, de }

/** Those in the language of the page. */
export const usePeopleTexts = (): PeopleTexts => peopleTexts[useLanguage()]
