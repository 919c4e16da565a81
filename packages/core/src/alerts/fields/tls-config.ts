import { block, type ConfigKind, flag, parsed, text } from '@gatehouse/go-template/yaml'
import { GatehouseError } from '../../errors.ts'
import type { TlsConfig, TlsVersion } from '../../http-client/http-config.ts'
import { path } from './path.ts'
import { atMostOne, isSet } from './requirements.ts'
import { secret } from './secrets.ts'

const versions: readonly TlsVersion[] = ['TLS10', 'TLS11', 'TLS12', 'TLS13']

const tlsVersion: ConfigKind<TlsVersion | undefined> = parsed<TlsVersion | undefined>({
  zero: undefined,
  parse(written) {
    const version = versions.find((candidate) => candidate === written)
    if (version !== undefined) return version
    throw new GatehouseError('BadRequest', 'InvalidTlsVersion', `unknown TLS version: ${written}`)
  },
  encode: (version) => version,
})

const tlsBlock: ConfigKind<TlsConfig> = block<TlsConfig>({
  typeName: 'config.plain',
  fields: {
    ca: { kind: text },
    cert: { kind: text },
    key: { kind: secret },
    ca_file: { kind: path },
    cert_file: { kind: path },
    key_file: { kind: path },
    server_name: { kind: text },
    insecure_skip_verify: { kind: flag, print: 'always' },
    min_version: { kind: tlsVersion },
    max_version: { kind: tlsVersion },
  },
  check(tls, report) {
    atMostOne(report, [tls.ca, tls.ca_file], 'ca and ca_file')
    atMostOne(report, [tls.cert, tls.cert_file], 'cert and cert_file')
    atMostOne(report, [tls.key, tls.key_file], 'key and key_file')
  },
})

/** `<tls_config>`; absent if nothing is set in it. */
export const tlsConfig: ConfigKind<TlsConfig | undefined> = {
  typeName: tlsBlock.typeName,
  zero: undefined,
  isOptional: true,
  decode(place) {
    const tls = tlsBlock.decode(place)
    return Object.values(tls).some(isSet) ? tls : undefined
  },
  encode: (tls) => tls && tlsBlock.encode(tls),
}
