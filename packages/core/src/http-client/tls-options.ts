import { clientError } from './errors.ts'
import type { TlsConfig, TlsVersion } from './http-config.ts'
import { type ReadFile, readSecret, readTrimmed } from './read-secret.ts'

/** TLS options for the platform; it has defaults for missing ones. */
export interface TlsOptions {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly servername?: string
  readonly rejectUnauthorized?: false
  readonly minVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'
  readonly maxVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'
  readonly ciphers?: string
}

const platformNames: Readonly<Record<TlsVersion, NonNullable<TlsOptions['minVersion']>>> = {
  TLS10: 'TLSv1',
  TLS11: 'TLSv1.1',
  TLS12: 'TLSv1.2',
  TLS13: 'TLSv1.3',
}

/** OpenSSL uses versions before 1.2 only with the ciphers of their time. */
const oldCiphers = 'DEFAULT:@SECLEVEL=0'

/**
 * Reads the options of a `tls_config`, including its files, which may be renewed at any time.
 *
 * @throws {GatehouseError} `UnreadableFile`; `UnusableTls` if only one of certificate and key is set, or the CA certificates are
 * not PEM.
 */
export async function readTlsOptions(tls: TlsConfig, readFile: ReadFile): Promise<TlsOptions> {
  const text = async (given: string, file: string, name: string): Promise<string> =>
    given === '' && file !== '' ? readTrimmed(readFile, file, name) : given
  const ca = await text(tls.ca, tls.ca_file, 'CA cert')
  const cert = await text(tls.cert, tls.cert_file, 'client cert')
  const key = await readSecret(readFile, { value: tls.key, file: tls.key_file, name: 'client key' })
  if (ca !== '' && !ca.includes('-----BEGIN CERTIFICATE-----')) {
    throw clientError('UnusableTls', 'unable to use specified CA cert: not in PEM format')
  }
  if ((cert === '') !== (key === '')) {
    const missing = cert === '' ? 'certificate' : 'key'
    throw clientError('UnusableTls', `the client ${missing} is missing in tls_config`)
  }
  const { server_name, insecure_skip_verify, min_version, max_version } = tls
  const isOld = min_version === 'TLS10' || min_version === 'TLS11'
  return {
    ...(ca === '' ? {} : { ca }),
    ...(cert === '' ? {} : { cert, key }),
    ...(server_name === '' ? {} : { servername: server_name }),
    ...(insecure_skip_verify ? { rejectUnauthorized: false } : {}),
    ...(min_version === undefined ? {} : { minVersion: platformNames[min_version] }),
    ...(max_version === undefined ? {} : { maxVersion: platformNames[max_version] }),
    ...(isOld ? { ciphers: oldCiphers } : {}),
  }
}

/** Whether both have the same options. */
export function isSameTls(a: TlsOptions, b: TlsOptions): boolean {
  const entries = Object.entries(b)
  const own = new Map(Object.entries(a))
  return own.size === entries.length && entries.every(([name, value]) => own.get(name) === value)
}
