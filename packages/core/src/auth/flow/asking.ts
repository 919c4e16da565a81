/**
 * The rules of a flow are generators: pure, and run again from the same state they come to the same end. What they cannot know
 * they ask for, as data, and go on with the answer; who answers does the I/O.
 */
export type Asking<Questions, T> = Generator<AnyQuestion<Questions>, T, unknown>

/** Every question with its name. `Questions` says what is asked and what is answered under each name. */
export type AnyQuestion<Questions> = {
  readonly [Name in keyof Questions]: {
    readonly name: Name
    readonly ask: AskOf<Questions[Name]>
  }
}[keyof Questions]

/** What a question says. */
export type AskOf<Q> = Q extends { readonly ask: infer Ask } ? Ask : never

/** What a question is answered with. */
export type AnswerOf<Q> = Q extends { readonly answer: infer Answer } ? Answer : never

/** Who answers: a function for every question. */
export type Answers<Questions> = {
  readonly [Name in keyof Questions]: (
    ask: AskOf<Questions[Name]>,
  ) => Promise<AnswerOf<Questions[Name]>> | AnswerOf<Questions[Name]>
}

/** Runs rules to their end, answering what they ask. A failure of an answer is thrown into the rules. */
export async function answerAll<Questions, T>(
  rules: Asking<Questions, T>,
  answers: Answers<Questions>,
): Promise<T> {
  let turn = rules.next()
  while (!turn.done) {
    const { name, ask } = turn.value
    const answer = answers[name] as (ask: unknown) => unknown
    let given: unknown
    try {
      given = await answer(ask)
    } catch (error) {
      turn = rules.throw(error)
      continue
    }
    turn = rules.next(given)
  }
  return turn.value
}
