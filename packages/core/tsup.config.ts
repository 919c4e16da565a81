import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    alerts: 'src/alerts/index.ts',
    auth: 'src/auth/index.ts',
    config: 'src/config/index.ts',
    conformance: 'src/conformance/index.ts',
    'password-strength': 'src/password-strength/index.ts',
    phone: 'src/phone/index.ts',
    template: 'src/template/index.ts',
    testing: 'src/testing/index.ts',
    webhook: 'src/webhook/index.ts',
  },
  format: ['esm', 'cjs'],
  target: 'node20',
  platform: 'node',
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
  removeNodeProtocol: false,
  dts: { compilerOptions: { composite: false, ignoreDeprecations: '6.0' } },
})
