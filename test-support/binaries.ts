import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, it } from 'vitest'

/** A foreign program that some tests need. */
export interface Binary {
  readonly name: string
  /** The path; undefined if the program is not installed. */
  readonly path: string | undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Looks a program up in PATH, under the first of its names that exists. */
function findBinary(...names: [string, ...string[]]): Binary {
  // Debian keeps servers in /usr/sbin, which is not in everybody's PATH.
  const path = `${process.env.PATH ?? ''}${delimiter}/usr/sbin`
  const folders = path.split(delimiter).filter((folder) => folder !== '')
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  return { name: names[0], path: candidates.find(isProgram) }
}

/** Debian's name comes first, the upstream archive's second. */
export const alertmanagerBinary: Binary = findBinary('prometheus-alertmanager', 'alertmanager')
export const amtoolBinary: Binary = findBinary('amtool')
export const prometheusBinary: Binary = findBinary('prometheus')
export const promtoolBinary: Binary = findBinary('promtool')
/** adnanh/webhook. */
export const webhookBinary: Binary = findBinary('webhook')
export const slapdBinary: Binary = findBinary('slapd')
export const fishBinary: Binary = findBinary('fish')
export const zshBinary: Binary = findBinary('zsh')
export const systemdAnalyzeBinary: Binary = findBinary('systemd-analyze')
export const systemdSocketBinary: Binary = findBinary('systemd-socket-activate')
/** Chromium without its windows takes a third of the processor time: nothing draws the browser itself. */
export const chromiumBinary: Binary = findBinary(
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
)

/** The path of a program that the test's `describeWith` has checked. */
export function pathOf(binary: Binary): string {
  if (binary.path === undefined) throw new Error(`${binary.name} is not installed`)
  return binary.path
}

type Body = () => void | Promise<void>

/** What `describe` and `it` have in common. */
interface Define {
  (name: string, body: Body): void
  skip(name: string, body: Body): void
}

type DefineWith = (binaries: readonly Binary[], name: string, body: Body) => void

const definesWith =
  (define: Define): DefineWith =>
  (binaries, name, body) => {
    const missing = binaries.filter(({ path }) => path === undefined).map((binary) => binary.name)
    if (missing.length === 0) {
      define(name, body)
    } else if (process.env.CI === 'true') {
      it(`${name}: ${missing.join(' and ')} must be installed in CI`, () => {
        throw new Error(`not installed: ${missing.join(', ')}`)
      })
    } else {
      define.skip(`${name} (skipped: ${missing.join(' and ')} not installed)`, body)
    }
  }

/**
 * describe() for tests that need foreign programs. If one is missing, the tests are skipped, and their name says so; in CI
 * (`CI=true`) they fail.
 */
export const describeWith: DefineWith = definesWith(describe)

/** it() for a test that needs foreign programs; see `describeWith`. */
export const itWith: DefineWith = definesWith(it)
