import { readdirSync, readFileSync } from 'node:fs'
import { authVectorFiles, readAuthVectors } from './auth-vector.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const readJson = (path: string) => JSON.parse(read(`packages/core/vectors/${path}`))

/** The YAML and JSON blocks of the documentation. */
const blocks = ['README.md', ...readdirSync(new URL('docs/', root)).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md'))
  .flatMap((path) => [...read(path).matchAll(/^```(?:yaml|json)\n(.*?)^```$/gms)])
  .map(([, text = '']) => text)

const example = (name: string): readonly string[] =>
  ['custom-ui', 'express-app', 'hono-app', 'testing']
    .filter((folder) => readdirSync(new URL(`examples/${folder}/`, root)).includes(name))
    .map((folder) =>
      read(`examples/${folder}/${name}`).replaceAll(/\$\{PUBLIC_ORIGIN\}/g, 'https://a.example'),
    )

const caseConfigs = (path: string): readonly string[] =>
  readJson(path).cases.flatMap(({ config }: { config: unknown }) =>
    typeof config === 'string' ? [config] : [],
  )

/** Texts that may be configurations of the alert service. */
export const alertsDocuments: readonly string[] = [
  ...blocks,
  ...example('alertmanager.yml'),
  ...['base', 'dispatch-1', 'dispatch-2'].map((name) =>
    read(`packages/core/vectors/alerts/${name}.yml`).replaceAll('{hook}', 'http://127.0.0.1:1'),
  ),
  ...caseConfigs('alerts/config-check.json'),
  ...caseConfigs('alerts/config-original.json'),
]

const leastAuth = 'id: vectors\nhttp: { public_origin: "https://auth.example.com" }\n'

/** Texts that may be configurations of the authentication service. */
export const authDocuments: readonly string[] = [
  ...blocks,
  ...blocks.map((text) => leastAuth + text),
  ...example('authgear.yaml'),
  ...authVectorFiles
    .flatMap(readAuthVectors)
    .flatMap(({ config, steps }) => [
      config,
      ...steps.flatMap((step) => ('configure' in step ? [step.configure] : [])),
    ])
    .map((config) =>
      JSON.stringify({ id: 'vectors', http: { public_origin: 'https://a.example' }, ...config }),
    ),
]

/** Texts that may be configurations of the webhook service. */
export const webhooksDocuments: readonly string[] = [
  ...blocks,
  ...example('webhooks.yaml'),
  ...Object.values(readJson('webhook.json').configs).map((config) => JSON.stringify(config)),
  ...readJson('webhook.json').cases.flatMap(({ input }: { input: { text?: unknown } }) =>
    typeof input?.text === 'string' ? [input.text] : [],
  ),
]
