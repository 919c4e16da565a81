// From the types of a configuration that is given as an object to the JSON Schema of `alertmanager.yml`. The compiler holds these
// types to the tables that the decoder reads by.
import ts from 'typescript'
import { root } from './run.mjs'

const entry = `${root}packages/core/src/alerts/config/written/alertmanager-config.ts`

/** The JSON Schema of `alertmanager.yml` with the keys of Gatehouse. */
export function alertmanagerSchema(title) {
  const program = ts.createProgram([entry], {
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ['node'],
  })
  const checker = program.getTypeChecker()
  const [symbol] = checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)))
    .filter(({ name }) => name === title)
  const $defs = {}

  const nameOf = (type) => {
    const { name } = type.aliasSymbol ?? type.symbol ?? {}
    return name === undefined || /^(__\w+|Readonly|Record|Array)$/.test(name) ? undefined : name
  }
  const convert = (type) => {
    if (type.isUnion()) return convertUnion(type)
    if (type.flags & ts.TypeFlags.StringLike) return scalar
    if (type.flags & ts.TypeFlags.NumberLike) return { type: 'number' }
    if (type.flags & ts.TypeFlags.BigIntLike) return { type: 'integer' }
    if (type.flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' }
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' }
    if (checker.isArrayType(type)) {
      return { type: 'array', items: convert(checker.getTypeArguments(type)[0]) }
    }
    const values = checker.getIndexInfosOfType(type)[0]?.type
    if (values !== undefined) return { type: 'object', additionalProperties: convert(values) }
    return named(type, convertObject)
  }
  /** Types with a name, which may contain themselves, are definitions. */
  const named = (type, convertBare) => {
    const name = nameOf(type)
    if (name === undefined) return convertBare(type)
    if ($defs[name] === undefined) {
      $defs[name] = {}
      Object.assign($defs[name], convertBare(type))
    }
    return { $ref: `#/$defs/${name}` }
  }
  const convertUnion = (type) => {
    const types = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
    const literals = types.filter((one) => one.isStringLiteral())
    if (literals.length === types.length) return { enum: literals.map(({ value }) => value) }
    const isRecursive = type.aliasSymbol !== undefined && types.length === type.types.length
    return isRecursive ? named(type, () => anyOf(types)) : anyOf(types)
  }
  const anyOf = (types) => {
    const all = types.map(convert).map((one) => JSON.stringify(one))
    const isWhole = all.includes('{"type":"integer"}')
    const kept = [...new Set(all)].filter((one) => !(isWhole && one === '{"type":"number"}'))
    return kept.length === 1 ? JSON.parse(kept[0]) : { anyOf: kept.map((one) => JSON.parse(one)) }
  }
  const convertObject = (type) => {
    const members = checker.getPropertiesOfType(type)
    const required = members
      .filter(({ flags }) => !(flags & ts.SymbolFlags.Optional))
      .map(({ name }) => name)
    const property = (member) => {
      const about = ts.displayPartsToString(member.getDocumentationComment(checker))
      const description = about
        .replace(/\{@link (\w+)\}/g, '`$1()`')
        .replace(/\s+/g, ' ')
        .trim()
      return {
        ...(description === '' ? {} : { description }),
        ...(member.flags & ts.SymbolFlags.Optional
          ? orNull(convert(checker.getTypeOfSymbol(member)))
          : convert(checker.getTypeOfSymbol(member))),
      }
    }
    return {
      type: 'object',
      additionalProperties: false,
      ...(required.length === 0 ? {} : { required }),
      properties: Object.fromEntries(members.map((member) => [member.name, property(member)])),
    }
  }
  const own = convertObject(checker.getDeclaredTypeOfSymbol(symbol))
  const sorted = Object.fromEntries(Object.entries($defs).sort(([a], [b]) => (a < b ? -1 : 1)))
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...own, $defs: sorted }
}

/** A key without a value counts as missing. */
const orNull = (json) => {
  if (json.enum !== undefined) return { ...json, enum: [...json.enum, null] }
  if (json.type !== undefined) return { ...json, type: [json.type, 'null'].flat() }
  return { anyOf: [...(json.anyOf ?? [json]), { type: 'null' }] }
}

/** A text may be written without quotes in YAML, even if it is a number. */
const scalar = { type: ['string', 'number', 'boolean'] }
