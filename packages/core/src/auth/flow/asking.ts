/** One question of rules, and what it says. */
export interface Question {
  readonly name: string
  readonly ask: unknown
}

/**
 * The rules of a flow are generators: pure, and run again from the same state they come to the same end. What they cannot know
 * they ask for, as data, and go on with the answer; the caller does the I/O.
 */
export type Asking<T> = Generator<Question, T, unknown>

/** What a question says, and what it is answered with. */
export interface Q<Ask, Answer> {
  readonly ask: Ask
  readonly answer: Answer
}

/** What a question says. */
export type AskOf<Asked> = Asked extends { readonly ask: infer Ask } ? Ask : never

/** What a question is answered with. */
export type AnswerOf<Asked> = Asked extends { readonly answer: infer Answer } ? Answer : never

/** Asks one question. */
export type Ask<Questions> = <Name extends keyof Questions & string>(
  name: Name,
  question: AskOf<Questions[Name]>,
) => Asking<AnswerOf<Questions[Name]>>

/** Asks by any name. Each folder with questions types it by its own. */
export function* askAny(name: string, ask: unknown): Asking<never> {
  return (yield { name, ask }) as never
}

/** A function for every question. */
export type Answers<Questions> = {
  readonly [Name in keyof Questions]: (
    ask: AskOf<Questions[Name]>,
  ) => Promise<AnswerOf<Questions[Name]>> | AnswerOf<Questions[Name]>
}

/** The same, whatever is asked. */
export interface AnyAnswers {
  readonly [name: string]: (ask: never) => unknown
}

/**
 * Runs rules to their end, answering what they ask. A failure of an answer is thrown into the rules. `answers` makes the answers of each
 * folder; it is called when the rules first ask.
 */
export async function answerAll<T>(
  rules: Asking<T>,
  answers: () => readonly AnyAnswers[],
): Promise<T> {
  let turn = rules.next()
  if (turn.done) return turn.value
  const parts = answers()
  while (!turn.done) {
    const { name, ask } = turn.value
    let given: unknown
    try {
      const answer = parts.find((part) => Object.hasOwn(part, name))?.[name]
      if (answer === undefined) throw new TypeError(`nobody answers "${name}"`)
      given = await answer(ask as never)
    } catch (error) {
      turn = rules.throw(error)
      continue
    }
    turn = rules.next(given)
  }
  return turn.value
}
