import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import { isIPv4 } from 'node:net'

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  readonly name: string
}

/** Options of {@link createCertificate}. */
export interface CertificateOptions {
  /** Host names and IPv4 addresses (default both of the loopback interface). */
  hosts?: readonly string[]
  /** The signer (default: the certificate itself). */
  issuer?: Certificate
  /** Default: `ec`. One of RSA signs itself. */
  kind?: 'ec' | 'rsa'
}

/** Creates a certificate that is valid from 2020 to 2049. @see RFC 5280, section 4.1 */
export function createCertificate(
  name: string,
  { hosts = ['127.0.0.1', 'localhost'], issuer, kind = 'ec' }: CertificateOptions = {},
): Certificate {
  const { publicKey, privateKey } =
    kind === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signer: KeyObject = issuer === undefined ? privateKey : createPrivateKey(issuer.key)
  const algorithm =
    kind === 'ec'
      ? sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
      : sequence(
          oid(0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0b),
          tagged(0x05, Buffer.of()),
        )
  const content = sequence(
    tagged(0xa0, tagged(0x02, Buffer.of(2))),
    tagged(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    commonName(issuer?.name ?? name),
    sequence(
      tagged(0x17, Buffer.from('200101000000Z')),
      tagged(0x17, Buffer.from('490101000000Z')),
    ),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(basicConstraints, alternativeNames(hosts))),
  )
  const signature = tagged(0x03, Buffer.concat([Buffer.of(0), sign('sha256', content, signer)]))
  const encoded = sequence(content, algorithm, signature).toString('base64')
  return {
    name,
    cert: `-----BEGIN CERTIFICATE-----\n${encoded.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

/** An ASN.1 value. @see ITU-T X.690, section 8.1 */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size =
    length < 0x80
      ? Buffer.of(length)
      : length < 0x100
        ? Buffer.of(0x81, length)
        : Buffer.of(0x82, length >> 8, length & 0xff)
  return Buffer.concat([Buffer.of(tag), size, content])
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))
const oid = (...bytes: readonly number[]): Buffer => tagged(0x06, Buffer.from(bytes))

const commonName = (name: string): Buffer =>
  sequence(tagged(0x31, sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from(name)))))

/** Every test certificate may sign others. */
const basicConstraints = sequence(
  oid(0x55, 0x1d, 0x13),
  tagged(0x04, sequence(tagged(0x01, Buffer.of(0xff)))),
)

const alternativeNames = (hosts: readonly string[]): Buffer =>
  sequence(
    oid(0x55, 0x1d, 0x11),
    tagged(
      0x04,
      sequence(
        ...hosts.map((host) =>
          isIPv4(host)
            ? tagged(0x87, Buffer.from(host.split('.').map(Number)))
            : tagged(0x82, Buffer.from(host)),
        ),
      ),
    ),
  )
