import type { AlertsStatus } from '@gatehouse/client'

/** The versions in a status: that of Gatehouse and of its runtime are absent if the program does not tell them. */
export interface Versions {
  readonly gatehouse?: string
  /** The release of Alertmanager whose API is served. */
  readonly api: string
  /** Such as `Node.js 22.20.0`. */
  readonly runtime?: string
}

export function versionsOf({
  version,
  revision,
  goVersion,
}: AlertsStatus['versionInfo']): Versions {
  const gatehouse = /^gatehouse-(.+)$/.exec(revision)?.[1]
  const node = /^node(.+)$/.exec(goVersion)?.[1]
  return {
    api: version,
    ...(gatehouse === undefined ? {} : { gatehouse }),
    ...(node === undefined ? {} : { runtime: `Node.js ${node}` }),
  }
}
