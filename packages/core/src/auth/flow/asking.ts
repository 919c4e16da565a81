/** A question of the rules, with its data. */
export interface Question {
  readonly name: string
  readonly ask: unknown
}

/**
 * The rules of a flow are pure generators: run again from the same state they come to the same result. Whatever needs I/O they
 * yield as a question, as data, and continue with its answer; the caller does the I/O.
 */
export type Asking<T> = Generator<Question, T, unknown>

/** The types of a question and its answer. */
export interface Q<Ask, Answer> {
  readonly ask: Ask
  readonly answer: Answer
}

/** The data of a question. */
export type AskOf<Asked> = Asked extends { readonly ask: infer Ask } ? Ask : never

/** The answer to a question. */
export type AnswerOf<Asked> = Asked extends { readonly answer: infer Answer } ? Answer : never

/** Asks one question. */
export type Ask<Questions> = <Name extends keyof Questions & string>(
  name: Name,
  question: AskOf<Questions[Name]>,
) => Asking<AnswerOf<Questions[Name]>>

/** Asks a question by name. Each folder with questions types it for its own. */
export function* askAny(name: string, ask: unknown): Asking<never> {
  return (yield { name, ask }) as never
}

/** One function per question. */
export type Answers<Questions> = {
  readonly [Name in keyof Questions]: (
    ask: AskOf<Questions[Name]>,
  ) => Promise<AnswerOf<Questions[Name]>> | AnswerOf<Questions[Name]>
}

/** Answers one question, untyped. */
export type Answer = (ask: never) => unknown

/** Answers to any questions, untyped. */
export interface AnyAnswers {
  readonly [name: string]: Answer
}

/**
 * Runs rules to their end and answers their questions. A failed answer is thrown into the rules. `answers` finds what answers a
 * question by its name; it is made at the first question.
 */
export async function answerAll<T>(
  rules: Asking<T>,
  answers: () => (name: string) => Answer | undefined,
): Promise<T> {
  let turn = rules.next()
  if (turn.done) return turn.value
  const answerOf = answers()
  while (!turn.done) {
    const { name, ask } = turn.value
    let given: unknown
    try {
      const answer = answerOf(name)
      if (answer === undefined) throw new TypeError(`no answer is registered for "${name}"`)
      given = await answer(ask as never)
    } catch (error) {
      turn = rules.throw(error)
      continue
    }
    turn = rules.next(given)
  }
  return turn.value
}
