import type { Words } from './words.ts'

export const ja: Words = {
  proofs: {
    verification: {
      subject: 'アドレスの確認',
      code: '{Name} でアドレスを確認するためのコードは {Code} です。',
      above: '{Name} でアドレスを確認するためのコード：',
      link: '次のリンクを開いて、アドレスを確認してください：',
      button: 'アドレスを確認',
    },
    setUp: {
      subject: 'このアドレスの確認',
      code: '{Name} でこのアドレスをサインインに使うためのコードは {Code} です。',
      above: '{Name} でこのアドレスをサインインに使うためのコード：',
      link: '次のリンクを開くと、このアドレスをサインインに使えるようになります：',
      button: 'アドレスを確認',
    },
    signIn: {
      subject: 'サインイン',
      code: '{Name} にサインインするためのコードは {Code} です。',
      above: '{Name} にサインインするためのコード：',
      link: '次のリンクを開いて、サインインしてください：',
      button: 'サインイン',
    },
    recovery: {
      subject: 'パスワードの再設定',
      code: '{Name} のパスワードを再設定するためのコードは {Code} です。',
      above: '{Name} のパスワードを再設定するためのコード：',
      link: '次のリンクを開いて、パスワードを再設定してください：',
      button: 'パスワードを再設定',
    },
    lifetime: '有効時間は {Lifetime} です。',
    ignore: 'お心当たりがない場合は、このメッセージを無視してください。',
  },
  notices: {
    newSignIn: {
      subject: 'アカウントへの新しいサインイン',
      fact: '{Time} に{Where} {Name} のアカウントへのサインインがありました。',
    },
    password: {
      subject: 'パスワードが変更されました',
      fact: '{Time} に{Where} {Name} のアカウントのパスワードが変更されました。',
    },
    address: {
      subject: 'アドレスが変更されました',
      fact: '{Time} に{Where} {Name} のアカウントのアドレスが変更されました。',
    },
    factor: {
      subject: 'サインイン方法が変更されました',
      fact: '{Time} に{Where} {Name} のアカウントのサインイン方法が変更されました。',
    },
    apiKey: {
      subject: 'アカウントに新しい API キーが作成されました',
      fact: '{Time}に{Name}のアカウントの API キーが作成されました{Where}。',
    },
    impersonation: {
      subject: '運営担当者がアカウントにログインしました',
      fact: '{Time}に{Name}の運営担当者があなたのアカウントにログインしました{Where}。',
    },
    device: '（{Device}）',
    place: '（{PlaceName}）',
    calm: 'ご本人による操作であれば、何もする必要はありません。',
    remedy: 'そうでない場合は、すぐにパスワードを再設定し、ほかのセッションを終了してください。',
    remedyLink: 'そうでない場合は、パスワードを再設定し、ほかのセッションを終了してください：',
    endSession: 'そうでない場合は、すぐにそのセッションを終了し、パスワードを変更してください。',
    endSessionLink: 'そうでない場合は、そのセッションを終了し、パスワードを変更してください：',
    revokeKey: 'お心当たりがない場合は、すぐにそのキーを無効にし、パスワードを再設定してください。',
    revokeKeyLink: 'お心当たりがない場合は、そのキーを無効にし、パスワードを再設定してください：',
    askOperators: 'お心当たりがない場合は、運営担当者にお問い合わせください。',
    notMe: '自分ではありません',
  },
  deletion: {
    subject: 'アカウントが削除されます',
    fact: '{Time} に{Where} {Name} のアカウントの削除が申請されました。',
    when: 'アカウントとそのデータは {DeleteAt} に削除されます。',
    keep: '取りやめる場合、またはお心当たりがない場合は、アカウントを維持してください：',
    button: 'アカウントを維持する',
  },
  taken: {
    subject: 'あなたのアドレスで登録が試みられました',
    fact: '{Name} で、このアドレスを使った登録が試みられました。このアドレスのアカウントはすでにあります。',
    calm: 'ご本人の場合は、代わりにサインインしてください。そうでない場合は、何もする必要はありません。',
  },
  invitation: {
    subject: '招待が届いています',
    fact: '{Name}に招待されています。',
    accept: '招待を承諾して、アカウントを作成してください：',
    button: '招待を承諾する',
    until: '招待の有効期限は {Time} です。',
    ignore: 'お心当たりがない場合は、このメッセージを無視してください。',
  },
  browser: { named: '{system} の {browser}', unknown: '不明なブラウザー' },
  pages: {
    confirmTitle: 'ご本人ですか？',
    confirmFact:
      'この端末または別の端末で、あなたのアドレスの持ち主であることを示すために、このリンクが要求されました。',
    confirmRequest: 'ブラウザー：{browser}、場所：{place}、日時：{time}',
    confirmWarning: 'ご本人の場合にだけ確認してください。確認すると、相手は先に進めます。',
    confirmButton: 'はい、確認します',
    notMeTitle: 'ご本人ではありませんか？',
    notMeFact:
      'サインインした覚えがない場合は、そのセッションを終了してください。そのブラウザーと、それより後にサインインしたすべてのブラウザーが、すぐにサインアウトされます。',
    notMeButton: 'そのセッションを終了',
    disownedTitle: 'セッションを終了しました',
    disownedAdvice: '今すぐパスワードを変更してください。ほかの人に知られているおそれがあります。',
    disownedLink: 'パスワードを変更',
    keepTitle: 'アカウントを維持しますか？',
    keepFact: 'アカウントは {time} に削除される予定です。維持すると、何も削除されません。',
    keepButton: 'アカウントを維持する',
    keptTitle: 'アカウントは維持されます',
    keptFact:
      'アカウントは削除されません。削除を申請した覚えがない場合は、サインインしてパスワードを変更してください。',
    approvedTitle: '確認しました',
    approvedAdvice: 'リンクを要求した画面に戻ってください。このページは閉じてかまいません。',
    recoveryTitle: 'パスワードの再設定',
    recoveryAdvice: 'リンクを要求した画面に戻り、次のコードを入力してください：',
    deadTitle: 'このリンクは無効です',
    deadAdvice:
      'すでに使われたか、期限が切れています。リンクを要求した画面に戻り、もう一度要求してください。',
    replacedAdvice:
      '代わりに新しいリンクが送信されています。最新のメッセージのリンクを開いてください。お心当たりがない場合は、どちらも無視してください。',
    failedTitle: 'うまくいきませんでした',
    failedAdvice:
      'こちら側で問題が発生しました。しばらくしてから、ページを再読み込みしてください。',
    foreignAdvice:
      '別のサイトのページから送信されたため、拒否されました。メッセージのリンクをもう一度開いてください。',
    insecureAdvice: 'このページは https で始まるアドレスで開いてください。',
    notYoursFact: 'サインインしていますが、このページを見ることはできません。',
    language: '言語',
  },
}
