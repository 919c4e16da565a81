import { type Answer, plainFailure } from '../../../http/answer.ts'
import { ownReasons, ownRefusal } from '../../../http/own-api/failure.ts'

/** The form of failures: JSON as Alertmanager's API has it or as below `/gatehouse/v1`, text for everything else. */
export type RowKind = 'api' | 'own' | 'plain'

/** An answer of the server rather than of the API: it is sent as it is, without the headers of the API. */
export class ServerAnswer {
  readonly answer: Answer

  constructor(answer: Answer) {
    this.answer = answer
  }
}

/** A refusal of the server: a line of text, but our own body below `/gatehouse/v1`. */
export function serverRefusal(
  { kind }: { readonly kind: RowKind },
  reason: keyof typeof ownReasons,
  message: string,
): ServerAnswer {
  return new ServerAnswer(
    kind === 'own' ? ownRefusal(reason, message) : plainFailure(ownReasons[reason], `${message}\n`),
  )
}
