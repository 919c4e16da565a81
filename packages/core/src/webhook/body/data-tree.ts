import type { JsonText } from './json-text.ts'

/**
 * Data of a body that is not JSON, before they become JSON: a text, JSON as it was written, a list, or members by
 * name. Members whose names are the indexes of a list, in their order, are that list.
 */
export type DataTree = string | JsonText | readonly DataTree[] | ReadonlyMap<string, DataTree>

const isList = (tree: DataTree): tree is readonly DataTree[] => Array.isArray(tree)

const isMembers = (tree: DataTree): tree is ReadonlyMap<string, DataTree> => tree instanceof Map

/** Whether names are the indexes of a list, in their order. */
function areIndexes(names: Iterable<string>): boolean {
  let next = 0
  for (const name of names) {
    if (name !== String(next)) return false
    next++
  }
  return next > 0
}

/** Members as a JSON object. Recurses as deep as the tree, so bound its depth first. */
export function objectText(members: ReadonlyMap<string, DataTree>): string {
  return `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${treeText(value)}`).join(',')}}`
}

function treeText(tree: DataTree): string {
  if (typeof tree === 'string') return JSON.stringify(tree)
  if (isList(tree)) return listText(tree)
  if (!isMembers(tree)) return tree.text
  return areIndexes(tree.keys()) ? listText([...tree.values()]) : objectText(tree)
}

const listText = (items: readonly DataTree[]): string => `[${items.map(treeText).join(',')}]`
