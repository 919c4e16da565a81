import { isGatehouseError } from '@gatehouse/core'
import { type ConfigNode, type DocumentProblem, nodeAt, problemAt } from '@gatehouse/core/document'
import { checkOidcOptions, type OidcHost } from '@gatehouse/oidc'
import type { OidcSection } from './oidc-section.ts'

/** What is wrong with the section `oidc`, and what probably is. */
export interface OidcFindings {
  readonly problems: readonly DocumentProblem[]
  readonly warnings: readonly DocumentProblem[]
}

/** Checks the section as options of the authorization server, and places what that finds at the keys of the file. */
export function oidcFindings(root: ConfigNode, section: OidcSection, host: OidcHost): OidcFindings {
  const placed = ({ path, message }: Finding): DocumentProblem =>
    problemAt(root, keysOf(root, path), { code: 'out_of_range', message })
  // A check stops at the first problem, so each client is checked by itself, too.
  const found = [
    check({ ...section, clients: [] }, host),
    ...section.clients.map((client, at) => check({ ...section, clients: [client] }, host, at)),
    check(section, host),
  ].filter((one) => one !== undefined)
  if (found.length > 0) {
    const distinct = new Map(found.map((one) => [JSON.stringify(one), placed(one)]))
    return { problems: [...distinct.values()], warnings: [] }
  }
  const warnings = checkOidcOptions(section, host).map(({ path, message }) =>
    placed({ path: stepsOf(path), message: inWordsOfFile(message) }),
  )
  return { problems: [], warnings }
}

/** Names of options, and indexes. */
type Path = readonly (string | number)[]

interface Finding {
  readonly path: Path
  readonly message: string
}

/** Why the options are refused. `client` is the place that their only client has among the others. */
function check(section: OidcSection, host: OidcHost, client?: number): Finding | undefined {
  try {
    checkOidcOptions(section, host)
    return undefined
  } catch (error) {
    if (!isGatehouseError(error) || error.reason !== 'InvalidInput') throw error
    const { path, expected } = error.info
    const steps = stepsOf(String(path).replace(/^options\.?/, ''))
    const unit = /Seconds$/.test(String(steps.at(-1))) ? ', in seconds,' : ''
    return {
      path: steps[0] === 'clients' && steps[1] === 0 ? steps.with(1, client ?? 0) : steps,
      message: `must be${unit} ${inWordsOfFile(String(expected))}`,
    }
  }
}

const steps = /\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]|([\w$-]+)/g

/** The steps of a path such as `clients[0].redirectUris[1]`. */
const stepsOf = (path: string): Path =>
  [...path.matchAll(steps)].map(([, quoted, index, name = '']) => {
    if (quoted !== undefined) return String(JSON.parse(`"${quoted}"`))
    return index === undefined ? name : Number(index)
  })

/** `redirectUris` is `redirect_uris` in the file. */
const inWordsOfFile = (text: string): string =>
  text.replaceAll(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  )

/** The place in the file of an option. Names that the file chooses, such as those of scopes, stay as they are. */
function keysOf(root: ConfigNode, path: Path): Path {
  const keys: (string | number)[] = ['auth', 'oidc']
  for (const step of path) {
    const isKey = typeof step === 'number' || nodeAt(root, ...keys, step) !== undefined
    keys.push(isKey ? step : keyOf(step, keys.at(-1)))
  }
  return keys
}

/** Lengths of time have their unit in their value. */
const keyOf = (name: string, parent: string | number | undefined): string =>
  inWordsOfFile(name.replace(/Seconds$/, parent === 'lifetimes' ? '' : 'Lifetime'))
