import type { Template } from './node.ts'

/** Whether a template contains only white space. Such a definition does not replace another one of its name. */
export function isEmptyTemplate({ root }: Template): boolean {
  return root.nodes.every((node) => node.kind === 'text' && node.text.trim() === '')
}
