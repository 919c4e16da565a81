import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWith, webhookBinary } from '../../../test-support/binaries.ts'
import { type BothPrograms, seenBy, startBoth } from './support/both-programs.ts'
import { secret } from './support/hook-cases.ts'
import { hookFiles } from './support/hook-files.ts'

const hooks = Object.values(hookFiles).flat()
const same = hooks.filter(({ why }) => why === undefined)

/** The text of a file; a template has quotes that JSON would escape. */
const textOf = (file: keyof typeof hookFiles): string =>
  JSON.stringify(hookFiles[file]?.map(({ hook }) => hook)).replaceAll(
    /"GETENV(.*?)"/g,
    '"{{ getenv "SECRET"$1 }}"',
  )

describeWith([webhookBinary], 'hooks of public files', () => {
  let both: BothPrograms
  beforeAll(async () => {
    const files = Object.keys(hookFiles).map(
      (file) => [`hooks-${file}.json`, textOf(file)] as const,
    )
    both = await startBoth({
      files: Object.fromEntries(files),
      flags: ['-template'],
      importFlags: ['--template'],
      variables: { SECRET: secret },
    })
  })
  afterAll(() => both?.stop())

  it('are 12 files with 49 hooks, of which 46 need no change at their senders', () => {
    expect(Object.keys(hookFiles)).toHaveLength(12)
    expect(new Set(hooks.map(({ hook }) => hook.id)).size).toBe(49)
    expect(same).toHaveLength(46)
  })

  it.each(same.map((one) => [one.hook.id, one] as const))(
    '%s does the same with a delivery of its sender',
    async (id, { sent }) => {
      const { there, here } = await both.send(`/hooks/${id}`, sent, { there: true, here: true })
      expect(seenBy(here)).toEqual(seenBy(there))
      const { SECRET: _, ...env } = there.given?.env ?? {}
      expect({ ...here.given, env: { SECRET: undefined, ...here.given?.env } }).toEqual({
        ...there.given,
        env: { SECRET: undefined, ...env },
      })
    },
  )

  it.each(
    hooks.filter(({ refused }) => refused !== undefined).map((one) => [one.hook.id, one] as const),
  )('%s runs nothing for another delivery', async (id, { refused = {} }) => {
    const before = both.runs()
    await both.send(`/hooks/${id}`, refused, { there: false, here: false })
    expect(both.runs()).toEqual(before)
  })

  it.each(hooks.filter(({ why }) => why !== undefined).map((one) => [one.hook.id, one] as const))(
    '%s needs a change, and the import says so',
    async (id, { sent }) => {
      const { here } = await both.send(`/hooks/${id}`, sent, { there: true, here: false })
      expect(here.status).toBe(405)
      expect(both.config).toMatch(
        new RegExp(`every method was accepted.*\\n(?: {2}#.*\\n)* {2}- id: "${id}"`),
      )
    },
  )
})
