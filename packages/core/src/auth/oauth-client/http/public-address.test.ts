import { expect, it } from 'vitest'
import { isPublicAddress } from './public-address.ts'

it.each([
  '8.8.8.8',
  '142.250.74.78',
  '172.15.255.255',
  '172.32.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '223.255.255.255',
  '2a00:1450:4001:82b::200e',
  '2620:1ec:a92::171',
  '64:ff9b::8.8.8.8',
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

it.each([
  ['this host', '0.0.0.0'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.255.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['cloud metadata', '169.254.169.254'],
  ['documentation', '192.0.2.1'],
  ['documentation', '203.0.113.9'],
  ['benchmarks', '198.19.0.1'],
  ['multicast', '224.0.0.1'],
  ['reserved', '250.1.2.3'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['IPv4-mapped', '::ffff:10.0.0.1'],
  ['IPv4-mapped public', '::ffff:8.8.8.8'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
  ['NAT64 of cloud metadata', '64:ff9b::a9fe:a9fe'],
  ['NAT64 of a network', '64:ff9b:1::10.0.0.1'],
  ['unique local', 'fc00::1'],
  ['unique local cloud metadata', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['public with a zone', '2a00:1450:4001:82b::200e%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['documentation', '2001:db8::1'],
  ['Teredo', '2001:0:1234::1'],
  ['6to4 of a private address', '2002:a00:1::1'],
  ['no address', 'localhost'],
  ['no address', ''],
  ['no address', '0x7f.1'],
])('a %s address is not public: %s', (_, address) => {
  expect(isPublicAddress(address)).toBe(false)
})
