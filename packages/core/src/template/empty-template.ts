import type { Template } from './node.ts'

/** Whether a template has nothing but blanks; such a one does not replace another of its name. */
export function isEmptyTemplate({ root }: Template): boolean {
  return root.nodes.every((node) => node.kind === 'text' && node.text.trim() === '')
}
