import { readFileSync } from 'node:fs'
import {
  inspectDocument,
  nodeAt,
  parseDocument,
  parsed,
  type Schema,
} from '@gatehouse/core/document'
import { oidcFindings } from '../auth/oidc-problems.ts'
import { oidcSection } from '../auth/oidc-section.ts'
import { fileProblem } from '../config/config-file.ts'
import { badNews } from '../config/exit-codes.ts'
import { writeErrorLine } from '../log/line-writer.ts'
import { clientsOfAuthgear, type ImportedClient, secretsOfAuthgear } from './authgear-clients.ts'
import { isRow } from './rows.ts'

/** Flags of `gatehouse import clients`. */
export interface ImportClientsFlags {
  readonly secrets?: string
}

/**
 * Prints the OAuth clients of an `authgear.yaml` as the section `auth.oidc`. Returns the exit code: 1 if a client stands in comments,
 * because it cannot be one here.
 */
export function importClients(file: string, { secrets }: ImportClientsFlags): number {
  const document = read(file)
  if (!isRow(document) || !isRow(document.oauth)) throw new Error(`${file}: has no section oauth`)
  const secretsOf = secretsOfAuthgear(secrets === undefined ? undefined : read(secrets))
  const { settings, clients, notes } = clientsOfAuthgear(document.oauth, secretsOf)
  const ids = clients.map((client) => client.settings.client_id)
  const checked = clients.map((client, index) => {
    // The first client with an id counts, as in Authgear.
    const isRepeated = ids.indexOf(ids[index]) < index
    return { ...client, problems: isRepeated ? ['another client has its id'] : problemsOf(client) }
  })
  console.log(
    [
      'auth: # goes into the section auth of the configuration',
      '  oidc:',
      ...notes.map((note) => `    # ${note}`),
      ...Object.entries(settings).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`),
      `    clients:${checked.some(({ problems }) => problems.length === 0) ? '' : ' []'}`,
      ...checked.flatMap(linesOf),
    ].join('\n'),
  )
  for (const { settings: client, problems } of checked) {
    for (const problem of problems) {
      writeErrorLine(`${shown(client.client_id)}: left out, because ${problem}\n`)
    }
  }
  return checked.some(({ problems }) => problems.length > 0) ? badNews : 0
}

/** An id on one line. */
const shown = (id: unknown): string => String(id).replace(/\p{Cc}+/gu, ' ') || 'a client without id'

const anything: Schema<unknown> = parsed({}, (given) => given)

/** The content of a file in YAML or JSON. */
function read(filename: string): unknown {
  let text: string
  try {
    text = readFileSync(filename, 'utf8')
  } catch (error) {
    throw new Error(`${filename}: ${fileProblem(error)}`, { cause: error })
  }
  return inspectDocument(parseDocument({ text, filename }), anything).value
}

/** What the origin is makes no difference to clients. */
const host = { public_origin: 'https://id.example.com', base_path: '' }

/** Why the configuration with a client would be refused. */
function problemsOf({ settings }: ImportedClient): readonly string[] {
  const text = JSON.stringify({ auth: { oidc: { clients: [settings] } } })
  // What its secret refers to need not be here.
  const names = [...text.matchAll(/\$\{env:([^}]+)\}/g)].map(([, name = '']) => name)
  const environment = Object.fromEntries(names.map((name) => [name, 'a-secret-that-is-elsewhere']))
  const root = parseDocument({ text, format: 'json' })
  const section = nodeAt(root, 'auth', 'oidc') ?? root
  const { value, problems } = inspectDocument(section, oidcSection, {
    context: { environment, directory: '/', readFile: undefined, withheld: new Set() },
  })
  const found = value === undefined ? problems : oidcFindings(root, value, host).problems
  return found.map(
    ({ path, message }) => `${path.replace(/^(?:auth\.oidc\.)?clients\[0\]\.?/, '')} ${message}`,
  )
}

/** JSON is YAML, and has no text that needs more quotes. */
function linesOf({
  settings,
  notes,
  problems,
}: ImportedClient & { readonly problems: readonly string[] }): readonly string[] {
  const comments = [...problems.map((problem) => `left out: ${problem}`), ...notes]
  const mark = problems.length > 0 ? '# ' : ''
  return [
    ...comments.map((comment) => `      # ${comment.replace(/\s+/g, ' ')}`),
    ...Object.entries(settings).map(
      ([key, value], index) =>
        `      ${mark}${index === 0 ? '-' : ' '} ${key}: ${JSON.stringify(value)}`,
    ),
  ]
}
