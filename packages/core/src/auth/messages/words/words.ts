/** What a message with a code or a link says. */
export interface ProofWords {
  readonly subject: string
  /** Has the code in it. */
  readonly code: string
  /** Above the code. */
  readonly above: string
  /** Above the link. */
  readonly link: string
  readonly button: string
}

/** What a mail about a change says. `{Where}` stands for the device and the place. */
export interface NoticeWords {
  readonly subject: string
  readonly fact: string
}

/**
 * All that the service says to people in one language. Names in braces stand for values: those in mails are the data of templates.
 */
export interface Words {
  readonly proofs: {
    readonly verification: ProofWords
    readonly setUp: ProofWords
    readonly signIn: ProofWords
    readonly recovery: ProofWords
    readonly lifetime: string
    readonly ignore: string
  }
  readonly notices: {
    readonly newSignIn: NoticeWords
    readonly password: NoticeWords
    readonly address: NoticeWords
    readonly factor: NoticeWords
    readonly apiKey: NoticeWords
    readonly impersonation: NoticeWords
    /** How a device and a place continue a sentence. */
    readonly device: string
    readonly place: string
    readonly calm: string
    /** What to do if it was not the reader: without a link, and above one. */
    readonly remedy: string
    readonly remedyLink: string
    readonly endSession: string
    readonly endSessionLink: string
    readonly revokeKey: string
    readonly revokeKeyLink: string
    readonly askOperators: string
    readonly notMe: string
  }
  readonly deletion: NoticeWords & {
    readonly when: string
    readonly keep: string
    readonly button: string
  }
  readonly taken: {
    readonly subject: string
    readonly fact: string
    readonly calm: string
  }
  readonly invitation: {
    readonly subject: string
    readonly fact: string
    readonly accept: string
    readonly button: string
    readonly until: string
    readonly ignore: string
  }
  readonly browser: {
    readonly named: string
    readonly unknown: string
  }
  /** The pages that links lead to. */
  readonly pages: {
    readonly confirmTitle: string
    readonly confirmFact: string
    readonly confirmRequest: string
    readonly confirmWarning: string
    readonly confirmButton: string
    readonly notMeTitle: string
    readonly notMeFact: string
    readonly notMeButton: string
    readonly disownedTitle: string
    readonly disownedAdvice: string
    readonly disownedLink: string
    readonly keepTitle: string
    readonly keepFact: string
    readonly keepButton: string
    readonly keptTitle: string
    readonly keptFact: string
    readonly approvedTitle: string
    readonly approvedAdvice: string
    readonly recoveryTitle: string
    readonly recoveryAdvice: string
    readonly deadTitle: string
    readonly deadAdvice: string
    readonly replacedAdvice: string
    readonly failedTitle: string
    readonly failedAdvice: string
    readonly foreignAdvice: string
    readonly insecureAdvice: string
    readonly notYoursFact: string
    /** Of the list of languages. */
    readonly language: string
  }
}
