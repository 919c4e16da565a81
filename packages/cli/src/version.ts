import { readFileSync } from 'node:fs'
import type { VersionInfo } from '@gatehouse/core/alerts'

/** The version of this package. */
export const packageVersion: string = readVersion()

function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const found = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return found ? String(manifest.version) : 'unknown'
}

/**
 * The build information in `/status`, the metric `alertmanager_build_info` and `--version`. `version` is the Alertmanager release
 * whose behaviour is served: Karma and others enable features by it.
 */
export const versionInfo: VersionInfo = {
  version: '0.34.0',
  revision: `gatehouse-${packageVersion}`,
  branch: 'HEAD',
  buildUser: `gatehouse@${packageVersion}`,
  buildDate: '',
  goVersion: process.version.replace(/^v/, 'node'),
}

/** The text of `gatehouse alertmanager --version`: in Alertmanager's format, with our version. */
export function alertmanagerVersion(): string {
  const { version, branch, revision, buildUser, buildDate, goVersion } = versionInfo
  return [
    `alertmanager, version ${version} (branch: ${branch}, revision: ${revision})`,
    `  build user:       ${buildUser}`,
    `  build date:       ${buildDate}`,
    `  go version:       ${goVersion}`,
    `  platform:         ${process.platform}/${process.arch}`,
    `  gatehouse:        ${packageVersion}`,
  ].join('\n')
}
