import { publicKeyKind } from '../../crypto/public-key.ts'
import { Secret } from '../../crypto/secret.ts'
import { type Outside, secretText } from '../../document/outside-text.ts'
import {
  built,
  type Checking,
  checked,
  choice,
  filledText,
  isMapping,
  mapping,
  oneOf,
  optional,
  type Report,
  required,
  type Schema,
  unknownWord,
} from '../../document/schema.ts'
import { senders } from '../senders/senders.ts'
import type { Sender, SignatureOptions } from '../webhook.ts'
import { foreignSenderKeys } from './foreign-keys.ts'
import { checkKeys, type ProofParts, proofFields, proofOf } from './signature.ts'

/** A sender as it is named in a configuration. */
export interface WrittenSender {
  readonly sender: Sender
  /** `undefined` if it signs nothing, or only its name was written. */
  readonly signature: SignatureOptions | undefined
  readonly verify_token: Secret | undefined
  readonly handshake: 'answer' | 'run'
}

interface SenderParts extends ProofParts {
  readonly name: string
  readonly verify_token: string | undefined
  readonly handshake: 'answer' | 'run' | undefined
}

/** The context of schemas that know senders of the app. */
export interface WithSenders extends Outside {
  readonly senders?: readonly Sender[] | undefined
}

const knownNames = senders.map(({ name }) => name)

function findSender(
  name: string,
  report: Report,
  { senders: own = [] }: WithSenders,
): Sender | undefined {
  const found = [...own, ...senders].find((one) => one.name === name)
  const names = [...knownNames, ...own.map((one) => one.name)]
  return found ?? report('out_of_range', unknownWord(name, names), [])
}

const nameOnly: Schema<WrittenSender> = built(
  filledText,
  (name, report, context: WithSenders): WrittenSender | undefined => {
    const sender = findSender(name, report, context)
    return sender && { sender, signature: undefined, verify_token: undefined, handshake: 'answer' }
  },
)

const senderParts: Schema<SenderParts> = mapping<SenderParts>(
  {
    name: required(filledText, 'The name of the sender, such as `github`.'),
    ...proofFields,
    verify_token: optional(
      secretText,
      'The text by which the sender proves that it asks for this webhook, before it sends deliveries.',
    ),
    handshake: optional(
      oneOf('answer', 'run'),
      'Whether pings and challenges are answered without a run, or run the command like others. Default: `answer`.',
    ),
  },
  { title: 'WebhookSender', notes: foreignSenderKeys },
)

/** The formats of a sender that is not of the app. Those of others are checked once they are known. */
function checkSender(checking: Checking<SenderParts>): void {
  const known = senders.find(({ name }) => name === checking.value.name)
  if (known !== undefined && known.signatures.length > 0) checkKeys(checking, known.signatures)
}

const withKeys: Schema<WrittenSender> = built(
  checked(senderParts, checkSender),
  (given, report, context: WithSenders): WrittenSender | undefined => {
    const sender = findSender(
      given.name,
      (code, problem) => report(code, problem, ['name']),
      context,
    )
    if (sender === undefined) return undefined
    const { verify_token: verifyToken, handshake = 'answer' } = given
    const problem = ownProblem(sender, given)
    if (problem !== undefined) return report('conflict', problem)
    const signature =
      sender.signatures.length === 0 ? undefined : proofOf(sender.signatures, given, report)
    if (signature === undefined && sender.signatures.length > 0) return undefined
    return {
      sender,
      signature,
      verify_token: verifyToken === undefined ? undefined : new Secret(verifyToken),
      handshake,
    }
  },
)

/** Whether the keys are those that a sender needs. */
function ownProblem({ signatures }: Sender, given: SenderParts): string | undefined {
  const hasSecret = given.secret !== undefined || given.secrets !== undefined
  const hasKey = given.public_key !== undefined || given.public_keys !== undefined
  if (signatures.length === 0) {
    return hasSecret || hasKey ? `${given.name} signs nothing: give the webhook a token` : undefined
  }
  if (knownNames.includes(given.name)) return undefined
  const signed = signatures.map((one) => one.signed).join()
  if (signed.includes('{audience}') && given.audience === undefined) {
    return 'needs the audience for which the sender signs'
  }
  if (signed.includes('{url}') && given.url === undefined) {
    return 'needs the url that the sender has'
  }
  if (signatures.every(({ certificate }) => certificate !== undefined)) {
    return hasSecret || hasKey ? 'has neither a secret nor a public_key' : undefined
  }
  const isPublic = publicKeyKind(signatures[0]?.algorithm) !== undefined
  if (isPublic ? !hasKey : !hasSecret) return isPublic ? 'needs a public_key' : 'needs a secret'
  if (isPublic ? !hasSecret : !hasKey) return undefined
  return isPublic ? 'has no secret' : 'has no public_key'
}

/** The sender of a webhook: its name, or a mapping with its keys. */
export const sender: Schema<WrittenSender> = choice([nameOnly, withKeys], (given) =>
  isMapping(given) ? withKeys : nameOnly,
)
