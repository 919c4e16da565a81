import { defaultLimits, isEmptyTemplate, parseSource } from '@gatehouse/go-template'
import { goUnquote } from '@gatehouse/go-template/text'
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
export function definitionsOf(file: TemplateFile): readonly TemplateDefinition[] {
  const { name, text } = file
  const own = hasOwnText(file) ? [{ name, line: 1, column: 1 }] : []
  const defined = [...text.matchAll(definition)].map(({ index, 1: quoted = '' }) => {
    const before = text.slice(0, index).split('\n')
    return {
      name: quoted.startsWith('`') ? quoted.slice(1, -1) : (goUnquote(quoted) ?? ''),
      line: before.length,
      column: (before.at(-1) ?? '').length + 1,
    }
  })
  return [...own, ...defined]
}

/** Whether there is text outside of definitions, which is the template with the name of the file. */
function hasOwnText({ name, text }: TemplateFile): boolean {
  try {
    const parsed = parseSource({ name, text }, { ...defaultLimits, hasFunction: () => true })
    const own = parsed.get(name)
    return own !== undefined && !isEmptyTemplate(own)
  } catch {
    return false // the check of the template files reports the syntax error
  }
}
