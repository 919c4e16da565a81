import type { Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import { resolve } from 'node:path'
import { createSecureContext, getCiphers, type SecureVersion, type TLSSocket } from 'node:tls'
import { subjectAltNames } from '@gatehouse/core/adapter'
import { type ConfigFile, fileProblem } from '../config/config-file.ts'
import type { ReadFiles } from '../config/read-files.ts'
import type { TlsServerConfig, TlsVersion, WebConfig } from './web-config.ts'

/**
 * Node's options for the TLS settings of a web configuration. Reads the certificate files.
 *
 * @throws {Error} if a file cannot be read, or a certificate, a key or a cipher suite is not valid.
 */
export async function readTlsOptions(
  { filename, directory }: ConfigFile<WebConfig>,
  tls: TlsServerConfig,
  files: ReadFiles,
): Promise<ServerOptions> {
  const where = `${filename}: tls_server_config`
  const read = async (part: 'cert' | 'key' | 'client_ca'): Promise<string> => {
    const file = tls[`${part}_file`]
    return file === '' ? tls[part] : readPem(file, `${where}.${part}_file`, directory, files)
  }
  const hasCa = tls.client_ca !== '' || tls.client_ca_file !== ''
  const options: ServerOptions = {
    cert: await read('cert'),
    key: await read('key'),
    minVersion: nodeVersion(tls.min_version),
    maxVersion: nodeVersion(tls.max_version),
    requestCert: tls.client_auth_type !== 'NoClientCert',
    rejectUnauthorized: tls.client_auth_type === 'RequireAndVerifyClientCert',
    ...(hasCa ? { ca: await read('client_ca') } : {}),
    ...(tls.cipher_suites.length > 0
      ? { ciphers: tls.cipher_suites.map(opensslCipher).join(':') }
      : {}),
    ...(tls.curve_preferences.length > 0
      ? { ecdhCurve: tls.curve_preferences.map(opensslCurve).join(':') }
      : {}),
  }
  return checkedTls(options, where)
}

/** The key `tls` of the file of `gatehouse api`: PEM files. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
  /** The CA of client certificates. Without it clients need none. */
  readonly ca: string | undefined
  readonly min_version: '1.2' | '1.3'
}

/**
 * Node's options for these files.
 *
 * @param directory the folder of relative paths.
 * @throws {Error} if a file cannot be read or is not valid.
 */
export async function readTlsFiles(
  { cert, key, ca, min_version }: TlsFiles,
  directory: string,
  files: ReadFiles,
): Promise<ServerOptions> {
  const read = (file: string, part: 'cert' | 'key' | 'ca'): Promise<string> =>
    readPem(file, `tls.${part}`, directory, files)
  const clients =
    ca === undefined
      ? {}
      : { ca: await read(ca, 'ca'), requestCert: true, rejectUnauthorized: true }
  const minVersion = min_version === '1.3' ? 'TLSv1.3' : 'TLSv1.2'
  const own: ServerOptions = {
    cert: await read(cert, 'cert'),
    key: await read(key, 'key'),
    minVersion,
  }
  return checkedTls({ ...own, ...clients }, 'tls')
}

function checkedTls(options: ServerOptions, where: string): ServerOptions {
  try {
    createSecureContext(options)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`${where}: ${message}`, { cause: error })
  }
  return options
}

/** @throws {Error} that names the key of the file. */
async function readPem(
  file: string,
  key: string,
  directory: string,
  files: ReadFiles,
): Promise<string> {
  try {
    return (await files.read(resolve(directory, file))).toString('utf8')
  } catch (error) {
    throw new Error(`${key}: ${file}: ${fileProblem(error)}`, { cause: error })
  }
}

function nodeVersion(version: TlsVersion): SecureVersion {
  const names = { TLS10: 'TLSv1', TLS11: 'TLSv1.1', TLS12: 'TLSv1.2', TLS13: 'TLSv1.3' } as const
  return names[version]
}

/** OpenSSL's name of a cipher suite: `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` is `ECDHE-RSA-AES128-GCM-SHA256`. */
export function opensslCipher(name: string): string {
  const [, exchange = '', cipher = ''] = /^TLS_(\w+)_WITH_(\w+)$/.exec(name) ?? []
  const short = cipher
    .replace(/_CBC_/, '_')
    .replace(/^AES_(\d+)_/, 'AES$1_')
    .replace(/^CHACHA20_POLY1305_SHA256$/, 'CHACHA20_POLY1305')
  const prefix = exchange === 'RSA' ? '' : `${exchange}_`
  const translated = cipher === '' ? name : `${prefix}${short}`.replaceAll('_', '-')
  if (!getCiphers().includes(translated.toLowerCase())) throw new Error(`unknown cipher: ${name}`)
  return translated
}

function opensslCurve(name: string): string {
  const curves: ReadonlyMap<string, string> = new Map([
    ['CurveP256', 'P-256'],
    ['CurveP384', 'P-384'],
    ['CurveP521', 'P-521'],
    ['X25519', 'X25519'],
  ])
  const curve = curves.get(name)
  if (curve === undefined) throw new Error(`unknown curve: ${name}`)
  return curve
}

/** Drops connections whose client certificate does not satisfy the configuration. */
export function checkClientCertificates(
  server: Server,
  current: () => TlsServerConfig | undefined,
): void {
  server.on('secureConnection', (socket: TLSSocket) => {
    const tls = current()
    if (tls !== undefined && !isWelcome(socket, tls)) socket.destroy()
  })
}

function isWelcome(socket: TLSSocket, tls: TlsServerConfig): boolean {
  const { client_auth_type: type, client_allowed_sans: allowed } = tls
  if (type === 'NoClientCert' || type === 'RequestClientCert') return true
  const { subjectaltname, raw } = socket.getPeerCertificate()
  if (raw === undefined) return type === 'VerifyClientCertIfGiven'
  if (type === 'RequireAnyClientCert') return true
  if (!socket.authorized) return false
  if (allowed.length === 0) return true
  const names = subjectAltNames(subjectaltname)
  return allowed.some((name) => names.includes(name))
}
