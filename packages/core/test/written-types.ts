import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { oauthProviderTypes } from '../src/auth/oauth-client/oauth-provider.ts'

/** The types that say how a configuration is written as an object, by name. */
export type WrittenTypes = ReadonlyMap<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>

/** Reads the types of a service from its files and folders named `written`. */
export function readWrittenTypes(service: URL): WrittenTypes {
  const types = new Map<string, ts.InterfaceDeclaration | ts.TypeAliasDeclaration>()
  const read = (text: string): void => {
    for (const statement of ts.createSourceFile('', text, ts.ScriptTarget.ES2022).statements) {
      if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue
      const name = statement.name.text
      if (name === 'WrittenLists' && types.has(name)) continue
      if (types.has(name)) throw new Error(`two types ${name}`)
      types.set(name, statement)
    }
  }
  const files = readdirSync(service, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)written(\/|-|\.).*ts$/.test(name))
    .map((name) => ({ name, text: readFileSync(new URL(name, service), 'utf8') }))
  // `WrittenLists` is a mapped type over the list of receivers; here it is made from their folders.
  const lists = files.flatMap(({ name, text }) => {
    const [, kind] = /^receivers\/([\w-]+)\/written\.ts$/.exec(name) ?? []
    const [, element] = /^export interface (\w+)/m.exec(text) ?? []
    return kind === undefined ? [] : [`${kind.replaceAll('-', '_')}_configs: readonly ${element}[]`]
  })
  read(`interface WrittenLists { ${lists.join('\n')} }`)
  // `OAuthProviderType` is derived from a list, which the syntax does not show.
  const kinds = oauthProviderTypes.map((type) => `'${type}'`)
  read(`type OAuthProviderType = ${kinds.join(' | ')}`)
  for (const { text } of files) read(text)
  return types
}

/** An object in a sample whose keys are exactly those that its type names. */
export class Named {
  readonly members: ReadonlyMap<string, unknown>
  constructor(members: ReadonlyMap<string, unknown>) {
    this.members = members
  }
}

type Arguments = ReadonlyMap<string, readonly unknown[]>

/**
 * Samples of a type that together contain each of its keys and every member of each union. A list has an item for each of these.
 * Objects with user-defined keys are plain objects, others are {@link Named}.
 */
export function samplesOf(types: WrittenTypes, name: string): readonly unknown[] {
  const open: string[] = []

  const ofType = (node: ts.TypeNode, given: Arguments): readonly unknown[] => {
    if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) {
      return ofType(node.type, given)
    }
    if (ts.isArrayTypeNode(node)) return [ofType(node.elementType, given)]
    if (ts.isUnionTypeNode(node)) return node.types.flatMap((member) => ofType(member, given))
    if (ts.isIntersectionTypeNode(node)) {
      const parts = node.types.map((member) => ofType(member, given))
      return parts.reduce((all, part) => all.flatMap((one) => part.map((two) => merged(one, two))))
    }
    if (ts.isTypeLiteralNode(node)) return ofMembers(node.members, [], given)
    if (ts.isLiteralTypeNode(node)) return [ofLiteral(node.literal)]
    if (ts.isTypeReferenceNode(node)) return ofReference(node, given)
    if (node.kind === ts.SyntaxKind.StringKeyword) return ['x']
    if (node.kind === ts.SyntaxKind.NumberKeyword) return [1]
    if (node.kind === ts.SyntaxKind.BigIntKeyword) return [1n]
    if (node.kind === ts.SyntaxKind.BooleanKeyword) return [true]
    if (node.kind === ts.SyntaxKind.UnknownKeyword) return ['anything']
    throw new Error(`no sample of ${ts.SyntaxKind[node.kind]}`)
  }

  const ofReference = (
    {
      typeName,
      typeArguments,
    }: Pick<ts.TypeReferenceNode, 'typeArguments'> & {
      readonly typeName: ts.Node
    },
    given: Arguments,
  ): readonly unknown[] => {
    const called = ts.isIdentifier(typeName) ? typeName.text : ''
    const [first, second] = typeArguments ?? []
    if (called === 'Readonly' && first !== undefined) return ofType(first, given)
    if (called === 'Record' && first !== undefined && second !== undefined) {
      if (first.kind === ts.SyntaxKind.NeverKeyword) return [new Named(new Map())]
      const key = first.kind === ts.SyntaxKind.NumberKeyword ? '1' : 'any_name'
      return ofType(second, given).map((value) => ({ [key]: value }))
    }
    const argument = given.get(called)
    if (argument !== undefined) return argument
    const declaration = types.get(called)
    if (declaration === undefined) throw new Error(`there is no type ${called}`)
    // A recursive type is nested once.
    if (open.filter((one) => one === called).length > 1) return [{}]
    open.push(called)
    const own: Arguments = new Map(
      declaration.typeParameters?.map((parameter, index) => {
        const passed = typeArguments?.[index]
        return [parameter.name.text, passed === undefined ? [] : ofType(passed, given)]
      }),
    )
    const samples = ts.isTypeAliasDeclaration(declaration)
      ? ofType(declaration.type, own)
      : ofMembers(
          declaration.members,
          (declaration.heritageClauses ?? []).flatMap((clause) =>
            clause.types.map((base) =>
              ofReference({ typeName: base.expression, ...pick(base.typeArguments) }, own),
            ),
          ),
          own,
        )
    open.pop()
    // Inside of itself one sample is enough: lists of all of them in lists of all of them are a hundred thousand keys.
    return open.includes(called) ? samples.slice(0, 1) : samples
  }

  const ofMembers = (
    members: ts.NodeArray<ts.TypeElement>,
    bases: readonly (readonly unknown[])[],
    given: Arguments,
  ): readonly unknown[] => {
    const properties: [string, readonly unknown[]][] = []
    for (const member of members) {
      if (ts.isIndexSignatureDeclaration(member)) {
        return ofType(member.type, given).map((value) => ({ any_name: value }))
      }
      if (!ts.isPropertySignature(member) || member.type === undefined) throw new Error('no member')
      if (!ts.isIdentifier(member.name)) throw new Error('a computed name')
      properties.push([member.name.text, ofType(member.type, given)])
    }
    for (const base of bases) {
      // Every property of a base type applies to each key.
      const keys = new Map<string, unknown[]>()
      for (const sample of base) {
        if (!(sample instanceof Named)) throw new Error('a base that is not an object')
        for (const [key, value] of sample.members) keys.set(key, [...(keys.get(key) ?? []), value])
      }
      properties.push(...keys)
    }
    const count = Math.max(1, ...properties.map(([, values]) => values.length))
    return Array.from(
      { length: count },
      (_, index) =>
        new Named(
          new Map(
            properties.map(([key, values]) => [key, values[Math.min(index, values.length - 1)]]),
          ),
        ),
    )
  }

  const declaration = ts.factory.createIdentifier(name)
  return ofReference({ typeName: declaration }, new Map())
}

const pick = (typeArguments: ts.NodeArray<ts.TypeNode> | undefined) =>
  typeArguments === undefined ? {} : { typeArguments }

function merged(one: unknown, two: unknown): unknown {
  if (!(one instanceof Named && two instanceof Named)) throw new Error('no objects')
  return new Named(new Map([...one.members, ...two.members]))
}

function ofLiteral(literal: ts.LiteralTypeNode['literal']): unknown {
  if (ts.isStringLiteral(literal)) return literal.text
  if (ts.isNumericLiteral(literal)) return Number(literal.text)
  if (literal.kind === ts.SyntaxKind.NullKeyword) return null
  throw new Error(`no sample of ${ts.SyntaxKind[literal.kind]}`)
}
