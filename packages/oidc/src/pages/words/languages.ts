import type { PageLanguage } from '@gatehouse/core/auth'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import type { OidcWords } from './words.ts'

/** What the pages say, in every language of the service. */
export const wordsOf: Readonly<Record<PageLanguage, OidcWords>> = { en, de, fr, es, ja, ar }
