import { defineConfig } from 'tsup'
import { base, typesOf } from '../../tsup.base.ts'

/** The entries of `exports`. */
const entry = {
  index: 'src/template/index.ts',
  json: 'src/json/index.ts',
  regex: 'src/regex/index.ts',
  text: 'src/text/index.ts',
  yaml: 'src/yaml/index.ts',
}

export default defineConfig({ ...base, entry, dts: typesOf(entry) })
