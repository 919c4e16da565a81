import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { AlertsOptions } from '@gatehouse/core'
import { awsCredentialsFrom } from './aws-credentials.ts'
import { versionInfo } from './version.ts'

/** Facts about this machine for the alert service, and the version it reports. */
export const thisMachine: Pick<
  AlertsOptions,
  'readFile' | 'environment' | 'hostname' | 'awsCredentials' | 'versionInfo'
> = {
  readFile: (path) => readFile(path, 'utf8'),
  environment: process.env,
  hostname: hostname(),
  awsCredentials: awsCredentialsFrom(process.env),
  versionInfo,
}
