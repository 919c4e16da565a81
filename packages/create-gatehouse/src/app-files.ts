import { type Framework, frameworks } from './frameworks.ts'
import type { Starter } from './starter.ts'

/** A service that an app may have. */
export type Service = (typeof services)[number]

/** All services, in the order in which they are shown. */
export const services = ['sign-in', 'alerts', 'webhooks'] as const

/** What to create. */
export interface AppChoice {
  /** The name of the package. */
  readonly name: string
  readonly framework: Framework
  readonly services: readonly Service[]
}

/** What depends on the machine. */
export interface Surroundings {
  /** The version of the Gatehouse packages. */
  readonly version: string
  /** Whether this Node.js contains SQLite. */
  readonly hasSqlite: boolean
  /** Makes a secret. */
  readonly randomSecret: () => string
}

/** Files of the starter that belong to one service, by the start of their name, and by their folder for Next.js. */
const filesOf: Readonly<Record<Service, RegExp>> = {
  'sign-in': /^(?:sign-in|mail|account|proxy)\.|(?:^|\/)(?:dashboard|me)\//,
  alerts: /^(?:alerts|health)\.|(?:^|\/)health\//,
  webhooks: /^webhooks\./,
}

/**
 * The files of an app by path.
 *
 * @throws {TypeError} if the starter lacks the version of a package.
 */
export function appFiles(
  starter: Starter,
  choice: AppChoice,
  surroundings: Surroundings,
): ReadonlyMap<string, string> {
  const sources = sourcesOf(starter, choice)
  return new Map([
    ...sources,
    ...Object.entries(choice.framework.files),
    ['package.json', json(manifestOf(sources, starter, choice, surroundings))],
    ['tsconfig.json', json(compilerSettings(choice.framework))],
    ['.gitignore', 'node_modules/\ndist/\n.next/\nnext-env.d.ts\n.env\n*.db*\n'],
    ['.env', environmentOf(choice, surroundings)],
    ['README.md', readmeOf(choice)],
  ])
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** The sources of the chosen framework and services. */
function sourcesOf({ sources }: Starter, choice: AppChoice): ReadonlyMap<string, string> {
  const left = services.filter((service) => !choice.services.includes(service))
  const others = frameworks.filter(({ name }) => name !== choice.framework.name)
  const own = `${choice.framework.name}/`
  const chosen = new Map<string, string>()
  for (const [path, text] of sources) {
    if (others.some(({ name }) => path.startsWith(`${name}/`))) continue
    const name = path.startsWith(own) ? path.slice(own.length) : path
    if (left.some((service) => filesOf[service].test(name))) continue
    chosen.set(`src/${name}`, withServices(raised(text, path, own), choice.services))
  }
  return chosen
}

/** Corrects the imports of a file when the folder of its framework becomes `src`. */
function raised(text: string, path: string, own: string): string {
  // The tests of the starter run on one framework, those of the app on its own.
  if (!path.startsWith(own)) {
    return frameworks.reduce((raised, { name }) => raised.replaceAll(`'./${name}/`, "'./"), text)
  }
  const depth = path.split('/').length - 1
  // What is beside the folder of the framework is one step nearer then.
  const outside = '../'.repeat(depth)
  const inside = depth === 1 ? './' : '../'.repeat(depth - 1)
  return text.replaceAll(` '${outside}`, ` '${inside}`)
}

/** Leaves out the lines of other services, and the comments that mark lines. */
function withServices(text: string, chosen: readonly Service[]): string {
  return text
    .split('\n')
    .filter((line) => services.every((one) => chosen.includes(one) || !isMarked(line, one)))
    .map((line) => line.replace(/ \/\/ with [\w-]+$/, ''))
    .join('\n')
}

const isMarked = (line: string, service: Service): boolean => line.endsWith(` // with ${service}`)

/** The packages that files import. */
function importsOf(files: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const text of files) {
    for (const [, from = ''] of text.matchAll(/^(?:import|export|\}) .*?from '([^'.][^']*)'$/gm)) {
      const [scope = '', name = ''] = from.split('/')
      if (!from.startsWith('node:')) found.add(scope.startsWith('@') ? `${scope}/${name}` : scope)
    }
  }
  return found
}

const isForTests = (path: string): boolean => /\.(?:test|fixture)\.ts$|\/ask\.ts$/.test(path)

function manifestOf(
  sources: ReadonlyMap<string, string>,
  { versions }: Starter,
  { framework, name }: AppChoice,
  { hasSqlite, version }: Surroundings,
): unknown {
  const pathsOf = (forTests: boolean): string[] =>
    [...sources].filter(([path]) => isForTests(path) === forTests).map(([, text]) => text)
  const needed = new Set([...importsOf(pathsOf(false)), ...framework.needs])
  if (!hasSqlite) needed.add('@photostructure/sqlite')
  const forTests = [...importsOf(pathsOf(true))].filter((one) => !needed.has(one))
  const tools = ['typescript', '@types/node', ...framework.tools, ...forTests]
  const types = [...needed].map((one) => `@types/${one}`).filter((one) => one in versions)
  const versionOf = (one: string): readonly [string, string] => {
    const range = one.startsWith('@gatehouse/') ? `^${version}` : versions[one]
    if (range === undefined) throw new TypeError(`the starter has no version of ${one}`)
    return [one, range]
  }
  const withVersions = (names: Iterable<string>): Record<string, string> =>
    Object.fromEntries([...new Set(names)].sort().map(versionOf))
  return {
    name,
    private: true,
    version: '0.0.0',
    type: 'module',
    scripts: { ...framework.scripts, test: 'vitest run', typecheck: 'tsc' },
    dependencies: withVersions(needed),
    devDependencies: withVersions([...tools, ...types]),
  }
}

function compilerSettings({ compilerOptions }: Framework): unknown {
  const common = {
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    ...compilerOptions,
  }
  return { compilerOptions: common, include: ['src'] }
}

function environmentOf({ services }: AppChoice, { randomSecret }: Surroundings): string {
  const lines = ['# Secrets of this machine. Git ignores this file.', 'PORT=3000']
  if (services.includes('sign-in')) {
    lines.push('# As browsers see it. In production: https://app.example.com')
    lines.push('# PUBLIC_ORIGIN=http://localhost:3000')
    lines.push('# Data is sealed under this key: keep it as long as app.db.')
    lines.push(`AUTH_KEY=${randomSecret()}`)
  }
  if (services.includes('webhooks')) lines.push(`DEPLOY_TOKEN=${randomSecret()}`)
  return `${lines.join('\n')}\n`
}

function readmeOf({ framework, name, services }: AppChoice): string {
  const docs = 'https://github.com/gatehouse/gatehouse/blob/main/docs'
  const parts: Readonly<Record<Service, string>> = {
    'sign-in': `- \`src/sign-in.ts\`: how people sign in, by the pages /login and /signup, and manage their account at\n  /account. \`GET /me\` needs a session. The codes of mails are printed: put your mail server into\n  \`src/mail.ts\`. Guide: ${docs}/auth.md`,
    alerts: `- \`src/alerts.ts\`: who is notified of which alert. Prometheus and amtool use the same port.\n  Guide: ${docs}/alerts.md`,
    webhooks: `- \`src/webhooks.ts\`: which command \`POST /webhook/deploy\` runs. Its token is in \`.env\`.\n  Guide: ${docs}/webhook.md`,
  }
  return `# ${name}

An app with ${framework.title} and Gatehouse. It keeps its data in \`app.db\`.

\`\`\`sh
npm run dev         # http://localhost:3000, again after each change
npm test            # in memory, with a clock that tests advance
npm run typecheck
npm run build
npm start
\`\`\`

${services.map((service) => parts[service]).join('\n')}

Before it goes into production: ${docs}/deploy.md
`
}
