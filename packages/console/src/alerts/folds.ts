/** Which groups and sections are folded: none or all, but for some. As a text it is a part of the address. */
export interface Folds {
  readonly all: boolean
  /** Short names of keys that differ from the rest, the latest last. */
  readonly except: readonly string[]
}

/** The text of folds without any. It is not empty, so that it counts over what the browser remembers. */
export const noFolds = 'none'
export const allFolded = 'all'

/** An address has room for so many; the oldest are forgotten. */
const maxExcept = 60

export function readFolds(text: string): Folds {
  const [first = '', ...except] = text.split('~')
  return { all: first === allFolded, except: except.slice(-maxExcept) }
}

export const isFolded = ({ all, except }: Folds, key: string): boolean =>
  all !== except.includes(shortName(key))

/** The text of the folds after one was folded or opened. */
export function toggleFold({ all, except }: Folds, key: string): string {
  const name = shortName(key)
  const rest = except.filter((one) => one !== name)
  const after = rest.length < except.length ? rest : [...rest, name].slice(-maxExcept)
  return [all ? allFolded : noFolds, ...after].join('~')
}

/** Keys of groups have all their labels. Two that share a short name would only be folded together. */
function shortName(key: string): string {
  let hash = 0x81_1c_9d_c5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01_00_01_93)
  return (hash >>> 0).toString(36)
}
