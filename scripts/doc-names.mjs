// Checks that what documents name exists: sources of the repository, and optional packages; and that no example names a secret.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { root } from './run.mjs'

/** The documents that name sources of this repository. Others show files of an app. */
const aboutSources =
  /^((SECURITY|CONTRIBUTING)\.md|docs\/(architecture|how-processes-share-work)\.md|docs\/decisions\/.*)$/

/** The receiver, the provider and the identification that CONTRIBUTING adds as examples, and a file by its end. */
const madeUp = /\b(?:ntfy|acme|badge)\b|^\./

/** The sources and folders that documents name and that are not there. @param {readonly string[]} documents */
export function missingSources(documents) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  const files = listed.toString().split('\n')
  const isThere = (name) =>
    files.some((file) =>
      name.endsWith('/') ? `/${file}`.includes(`/${name}`) : `/${file}`.endsWith(`/${name}`),
    )
  return documents
    .filter((document) => aboutSources.test(document))
    .flatMap((document) => {
      const text = readFileSync(`${root}${document}`, 'utf8').replace(/^```[\s\S]*?^```/gm, '')
      return [...text.matchAll(/`(?:…\/)?([\w./-]+\.(?:tsx?|mjs)|(?:[\w-]+\/)+)`/g)]
        .filter(([, name]) => !madeUp.test(name) && !isThere(name))
        .map(([, name]) => `${document}: there is no file or folder ${name}`)
    })
}

/** The optional packages that the README of a package does not name. */
export function unnamedPackages() {
  return readdirSync(`${root}packages`).flatMap((name) => {
    const folder = `${root}packages/${name}/`
    if (!existsSync(`${folder}package.json`)) return []
    const { peerDependenciesMeta = {} } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
    const text = readFileSync(`${folder}README.md`, 'utf8')
    return Object.entries(peerDependenciesMeta)
      .filter(([other, { optional }]) => optional && !text.includes(other))
      .map(([other]) => `packages/${name}/README.md: does not name the optional package ${other}`)
  })
}

/** Tokens and secrets in files that readers copy: whoever reads the document knows them. @param {readonly string[]} documents */
export function publicSecrets(documents) {
  return documents.flatMap((document) => {
    const text = readFileSync(`${root}${document}`, 'utf8')
    return [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)]
      .flatMap(
        ([, block]) => block.match(/\b(?:tokens?|secrets?|password): *["'[]*[\w+/:-]{4,}/g) ?? [],
      )
      .map((found) => `${document}: refer to ${found} as \${env:NAME} or \${file:PATH}`)
  })
}
