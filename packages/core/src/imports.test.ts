import { describe, expect, it } from 'vitest'
import { type SourceFile, sources } from './sources.fixture.ts'

const services = ['alerts', 'auth', 'webhook']

const core = sources.filter(({ path }) => path.startsWith('core/'))

/** The service a file of core belongs to. */
function serviceOf(path: string): string | undefined {
  const folder = /^core\/src\/(\w+)\//.exec(path)?.[1] ?? ''
  return services.find((service) => service === folder)
}

/** Lists every import that is not allowed, as `a -> b`. */
function violations(
  files: readonly SourceFile[],
  allowed: (imported: string, importer: string) => boolean,
): string[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((imported) => !allowed(imported, path))
      .map((imported) => `${path} -> ${imported}`),
  )
}

function filesWith(files: readonly SourceFile[], pattern: RegExp): string[] {
  return files.filter(({ code }) => pattern.test(code)).map(({ path }) => path)
}

/** The files of the first import cycle. */
function findCycle(files: readonly SourceFile[]): readonly string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]))
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): readonly string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return []
    for (const imported of importsOf.get(path) ?? []) {
      const cycle = visit(imported, [...trail, path])
      if (cycle.length > 0) return cycle
    }
    done.add(path)
    return []
  }
  return files.map(({ path }) => visit(path, [])).find((cycle) => cycle.length > 0) ?? []
}

describe('the sources', () => {
  it('import without cycles, types included', () => {
    expect(findCycle(sources)).toEqual([])
  })

  it('keep the services apart', () => {
    const ofServices = core.filter(({ path }) => serviceOf(path) !== undefined)
    const found = violations(ofServices, (imported, importer) => {
      const service = serviceOf(imported)
      return service === undefined || service === serviceOf(importer)
    })
    expect(found).toEqual([])
  })

  it("know a service only in core's index, conformance suites and test kits", () => {
    const base = core.filter(
      ({ path }) =>
        serviceOf(path) === undefined &&
        path !== 'core/src/index.ts' &&
        !path.startsWith('core/src/conformance/') &&
        !path.startsWith('core/src/testing/'),
    )
    expect(violations(base, (imported) => serviceOf(imported) === undefined)).toEqual([])
  })

  it('of test kits load a service only when it is asked for, so that the entry stays small', () => {
    // Rules that import nothing of their service.
    const light = ['auth/flows/operation-input', 'auth/kinds/totp/totp', 'auth/secrets/base32']
    const kits = core.filter(({ path }) => path.startsWith('core/src/testing/'))
    const loaded = kits.flatMap(({ code }) =>
      [...code.matchAll(/^(?:import|export) (?!type)[^'()]* from '\.\.\/(\w+\/[^']+)\.ts'/gm)].map(
        ([, path = '']) => path,
      ),
    )
    const ofServices = loaded.filter((path) => serviceOf(`core/src/${path}`) !== undefined)
    expect(ofServices.toSorted()).toEqual(light)
    const rules = core.filter(({ path }) => light.some((one) => path === `core/src/${one}.ts`))
    const values = rules.flatMap(({ code }) => code.match(/^import (?!type).*'\.[^']*'$/gm) ?? [])
    expect(values.filter((line) => !/'(\.\.\/)+(input|crypto)\//.test(line))).toEqual([])
  })

  it('import an index only from another package', () => {
    expect(
      violations(
        core.filter(({ path }) => path !== 'core/src/index.ts'),
        (imported) => !/^core\/src\/(.*\/)?index\.ts$/.test(imported),
      ),
    ).toEqual([])
  })

  it('use each external module in one place', () => {
    const homes: readonly (readonly [imported: RegExp, homes: readonly string[]])[] = [
      [/^node:child_process$/, ['core/src/webhook/runner/spawn/spawn-command.ts']],
      [
        /^(node:crypto|uuid)$/,
        [
          'core/src/crypto/crypto.ts',
          'core/src/crypto/crypto-secrets.ts',
          'core/src/crypto/ids.ts',
          'core/src/crypto/public-key.ts',
        ],
      ],
      [/^@gatehouse\/go-template(\/\w+)?$/, ['core/src/']],
      [/^undici(\/|$)/, ['core/src/http-client/undici.ts']],
      [/^nodemailer(\/|$)/, ['core/src/alerts/receivers/email/smtp-connection.ts']],
      [/^node:worker_threads$/, ['core/src/auth/kinds/password/hash-thread.ts']],
      [/^node:module$/, ['core/src/auth/kinds/password/load-hash-verify.ts']],
      [/^node:url$/, ['core/src/auth/login-ids/domain.ts']],
      [/^ldapts$/, ['core/src/auth/ldap-client/load-ldapts.ts']],
      [/^oauth4webapi$/, ['core/src/auth/oauth-client/load-oauth4webapi.ts']],
      [/^@simplewebauthn\/server(\/helpers)?$/, ['core/src/auth/webauthn/']],
      [/^node:dns$/, ['core/src/auth/oauth-client/']],
      [/^zxcvbn$/, ['core/src/auth/password-strength/load-zxcvbn.ts']],
      [/^libphonenumber-js\/max$/, ['core/src/auth/phone/create-phone-numbers.ts']],
      [/^croner$/, ['core/src/webhook/next-time.ts']],
      [/^node:events$/, ['core/src/async/abort-controller.ts']],
      [
        /^node:net$/,
        [
          'core/src/http-client/no-proxy.ts',
          'core/src/auth/oauth-client/',
          'core/src/http/ip-address.ts',
          'core/src/webhook/runner/pipes/',
        ],
      ],
      [/^node:https?$/, ['core/src/http-client/', 'core/src/auth/oauth-client/']],
      [
        /^node:(stream|tls)$/,
        [
          'core/src/alerts/receivers/email/smtp-session.ts',
          'core/src/webhook/body/inflate-body.ts',
        ],
      ],
      [/^@fastify\/busboy$/, ['core/src/webhook/body/multipart.ts']],
      [/^saxes$/, ['core/src/webhook/body/xml.ts']],
      [/^yaml$/, ['core/src/document/config-document.ts', 'core/src/document/yaml-document.ts']],
      [/^node:path$/, ['core/src/alerts/fields/path.ts', 'core/src/document/path.ts']],
      [
        /^node:os$/,
        ['core/src/webhook/config/limits.ts', 'core/src/webhook/runner/process/signal-number.ts'],
      ],
      [
        /^node:fs(\/promises)?$/,
        [
          'core/src/webhook/runner/pipes/files.ts',
          'core/src/webhook/command/private-files.ts',
          'core/src/webhook/runner/spawn/nameless-file.ts',
          'core/src/webhook/runner/program/program.ts',
        ],
      ],
      [/^node:perf_hooks$/, ['core/src/metrics/event-loop-delay.ts']],
      [
        /^node:zlib$/,
        [
          'core/src/auth/secrets/api-key.ts',
          'core/src/history/history-block.ts',
          'core/src/webhook/access/signature-offer.ts',
          'core/src/webhook/body/inflate-body.ts',
        ],
      ],
      [/^vitest$/, ['core/src/conformance/']],
      [/^zod(\/mini|\/v4\/core)?$/, ['core/src/']],
    ]
    const found = violations(core, (imported, importer) => {
      if (imported.startsWith('core/')) return true
      return homes.some(
        ([pattern, files]) =>
          pattern.test(imported) && files.some((file) => importer.startsWith(file)),
      )
    })
    expect(found).toEqual([])
  })

  it("read the machine's time only in clock.ts", () => {
    const libraries = sources.filter(({ path }) => /^(core|go-template)\//.test(path))
    expect(filesWith(libraries, /\bDate\.now\b|\bnew Date\(\)|\bperformance\.now\b/)).toEqual([
      'core/src/time/clock.ts',
    ])
  })

  it('build a backtracking expression only from their own text', () => {
    // These are built from constants, or from secrets with escaped characters.
    expect(filesWith(sources, /\bRegExp\(/).toSorted()).toEqual([
      'console/src/output/ansi.ts',
      'core/src/alerts/preview/disguise.ts',
      'core/src/auth/login-ids/confusable.ts',
      'core/src/http-client/without-secrets.ts',
      'go-template/src/json/json.ts',
    ])
  })

  it('use the environment and the console in cli, and elsewhere in one place', () => {
    const libraries = sources.filter(({ path }) => !path.startsWith('cli/'))
    expect(filesWith(libraries, /\bprocess\.env\b/)).toEqual(['core/src/node-env.ts'])
    expect(filesWith(libraries, /\bconsole\.\w|= console\b/)).toEqual(['core/src/logger.ts'])
  })

  it('parse URLs by parseUrl, because URL.canParse refuses some valid ones', () => {
    expect(filesWith(sources, /\bcanParse\b/)).toEqual([])
  })

  it('of the client import nothing else but what core has for clients', () => {
    const files = sources.filter(({ path }) => path.startsWith('client/src/'))
    expect(files.length).toBeGreaterThan(0)
    const shared: Readonly<Record<string, RegExp>> = {
      'client/src/types.ts': /^core\/src\/\w+\/wire\/types\.generated\.ts$/,
      'client/src/auth/known-browser.ts': /^core\/src\/auth\/wire\/known-browser\.ts$/,
    }
    expect(
      violations(
        files,
        (imported, importer) =>
          imported.startsWith('client/src/') || shared[importer]?.test(imported) === true,
      ),
    ).toEqual([])
    const [types] = files.filter(({ path }) => path === 'client/src/types.ts')
    expect(types?.code.trim().split('\n')).toSatisfy((lines: string[]) =>
      lines.every((line) => line.startsWith('export type * from ')),
    )
  })

  it('of what clients share import nothing, because it is packed with the client', () => {
    const files = core.filter(({ path }) => /^core\/src\/\w+\/wire\//.test(path))
    expect(files.length).toBeGreaterThan(0)
    expect(violations(files, () => false)).toEqual([])
  })

  it('of go-template import nothing of Gatehouse, and the engine of expressions in three places', () => {
    const files = sources.filter(({ path }) => path.startsWith('go-template/'))
    expect(files.length).toBeGreaterThan(0)
    const users = [
      'go-template/src/regex/engine-cache.ts',
      'go-template/src/regex/regex.ts',
      'go-template/src/template/functions/regex-search.ts',
    ]
    const found = violations(files, (imported, importer) => {
      if (imported === 're2js') return users.includes(importer)
      return imported.startsWith('go-template/')
    })
    expect(found).toEqual([])
  })

  it('of stores, adapters and the authorization server import core by its name, and one database or library', () => {
    const foreign: readonly (readonly [folder: string, imported: RegExp])[] = [
      ['store-memory/', /^$/],
      [
        'store-sqlite/',
        /^(better-sqlite3|@photostructure\/sqlite|node:(fs|module|path|sqlite|url))$/,
      ],
      ['store-postgres/', /^pg$/],
      ['adapter-hono/', /^hono(\/.*)?$/],
      ['adapter-node/', /^node:(http|stream|buffer|util|zlib)(\/.*)?$/],
      ['adapter-express/', /^(express|@gatehouse\/adapter-node|node:(http|stream|buffer)(\/.*)?)$/],
      ['next/', /^(next\/(headers|navigation)|@gatehouse\/core)$/],
      [
        'oidc/',
        /^(oidc-provider|node:(crypto|events|http|net)|@gatehouse\/core(\/store|\/input)?)$/,
      ],
    ]
    const storeEntries = /^@gatehouse\/core\/(store|input)$/
    const adapterEntries = /^@gatehouse\/core\/(adapter|auth)$/
    for (const [folder, framework] of foreign) {
      const files = sources.filter(({ path }) => path.startsWith(folder))
      const found = violations(
        files,
        (imported) =>
          imported.startsWith(folder) ||
          (folder.startsWith('store-') ? storeEntries : adapterEntries).test(imported) ||
          framework.test(imported),
      )
      expect(found).toEqual([])
    }
  })

  it('of cli import the other packages by their published names', () => {
    const cli = sources.filter(({ path }) => path.startsWith('cli/'))
    expect(
      violations(
        cli,
        (imported) => !/^[a-z-]+\/src\//.test(imported) || imported.startsWith('cli/'),
      ),
    ).toEqual([])
  })
})
