import { goUnquote } from '../../go/quote.ts'
import { type Decode, objectOf, rawText } from '../../input/decode.ts'
import type { TemplateFile } from '../notification/notification-templates.ts'

/** Decodes a template file. */
export const templateFile: Decode<TemplateFile> = objectOf<TemplateFile>({
  name: rawText,
  text: rawText,
})

/** A template that a file defines. Lines and columns count from 1. */
export interface TemplateDefinition {
  readonly name: string
  readonly line: number
  readonly column: number
}

const definition = /\{\{(?:-\s)?\s*(?:define|block)\s*("(?:[^"\\\n]|\\.)*"|`[^`]*`)/g

/** The templates that a file defines. Definitions inside of comments count too. */
export function definitionsOf({ text }: TemplateFile): readonly TemplateDefinition[] {
  return [...text.matchAll(definition)].map(({ index, 1: quoted = '' }) => {
    const before = text.slice(0, index).split('\n')
    return {
      name: quoted.startsWith('`') ? quoted.slice(1, -1) : (goUnquote(quoted) ?? ''),
      line: before.length,
      column: (before.at(-1) ?? '').length + 1,
    }
  })
}
