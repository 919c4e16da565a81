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
      code: '{Name} でこのアドレスをログインに使うためのコードは {Code} です。',
      above: '{Name} でこのアドレスをログインに使うためのコード：',
      link: '次のリンクを開くと、このアドレスをログインに使えるようになります：',
      button: 'アドレスを確認',
    },
    signIn: {
      subject: 'ログイン',
      code: '{Name} にログインするためのコードは {Code} です。',
      above: '{Name} にログインするためのコード：',
      link: '次のリンクを開いて、ログインしてください：',
      button: 'ログイン',
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
      subject: 'アカウントへの新しいログイン',
      fact: '{Time} に {Name} のアカウントへのログインがありました{Where}。',
    },
    password: {
      subject: 'パスワードが変更されました',
      fact: '{Time} に {Name} のアカウントのパスワードが変更されました{Where}。',
    },
    address: {
      subject: 'アドレスが変更されました',
      fact: '{Time} に {Name} のアカウントのアドレスが変更されました{Where}。',
    },
    factor: {
      subject: 'ログイン方法が変更されました',
      fact: '{Time} に {Name} のアカウントのログイン方法が変更されました{Where}。',
    },
    apiKey: {
      subject: 'アカウントに新しい API キーが作成されました',
      fact: '{Time} に {Name} のアカウントの API キーが作成されました{Where}。',
    },
    impersonation: {
      subject: '運営担当者がアカウントにログインしました',
      fact: '{Time} に {Name} の運営担当者があなたのアカウントにログインしました{Where}。',
    },
    device: '（{Device}）',
    place: '（{PlaceName}）',
    calm: 'ご本人による操作であれば、何もする必要はありません。',
    remedy: 'そうでない場合は、すぐにパスワードを再設定し、他のセッションを終了してください。',
    remedyLink: 'そうでない場合は、パスワードを再設定し、他のセッションを終了してください：',
    endSession: 'そうでない場合は、すぐにそのセッションを終了し、パスワードを変更してください。',
    endSessionLink: 'そうでない場合は、そのセッションを終了し、パスワードを変更してください：',
    revokeKey: 'そうでない場合は、すぐにそのキーを無効にし、パスワードを再設定してください。',
    revokeKeyLink: 'そうでない場合は、そのキーを無効にし、パスワードを再設定してください：',
    askOperators: 'お心当たりがない場合は、運営者にお問い合わせください。',
    notMe: '自分ではありません',
  },
  deletion: {
    subject: 'アカウントが削除されます',
    fact: '{Time} に {Name} のアカウントの削除が申請されました{Where}。',
    when: 'アカウントとそのデータは {DeleteAt} に削除されます。',
    keep: '取りやめる場合、またはお心当たりがない場合は、アカウントを残してください：',
    button: 'アカウントを残す',
  },
  taken: {
    subject: 'あなたのアドレスで登録が試みられました',
    fact: '{Name} で、このアドレスを使った登録が試みられました。このアドレスのアカウントはすでにあります。',
    calm: 'ご本人の場合は、代わりにログインしてください。そうでない場合は、何もする必要はありません。',
  },
  invitation: {
    subject: '招待が届いています',
    fact: '{Name} に招待されています。',
    accept: '招待を承諾して、アカウントを作成してください：',
    button: '招待を承諾する',
    until: '招待の有効期限は {Time} です。',
    ignore: 'お心当たりがない場合は、このメッセージを無視してください。',
  },
  browser: { named: '{system} の {browser}', unknown: '不明なブラウザー' },
  pages: {
    confirmTitle: 'ご本人ですか？',
    confirmFact:
      'このリンクは、このアドレスの持ち主であることを確認するために、この端末または別の端末から要求されました。',
    confirmRequest: 'ブラウザー：{browser}、場所：{place}、日時：{time}',
    confirmWarning: 'ご本人の場合にだけ確認してください。確認すると、相手は先に進めます。',
    confirmButton: 'はい、確認します',
    notMeTitle: 'ご本人ではありませんか？',
    notMeFact:
      'ログインした覚えがない場合は、そのセッションを終了してください。そのブラウザーと、それより後にログインしたすべてのブラウザーが、すぐにログアウトされます。',
    notMeButton: 'そのセッションを終了',
    disownedTitle: 'セッションを終了しました',
    disownedAdvice: '今すぐパスワードを変更してください。他の人に知られているおそれがあります。',
    disownedLink: 'パスワードを変更',
    keepTitle: 'アカウントを残しますか？',
    keepFact: 'アカウントは {time} に削除される予定です。残すと、何も削除されません。',
    keepButton: 'アカウントを残す',
    keptTitle: 'アカウントは残ります',
    keptFact:
      'アカウントは削除されません。削除を申請した覚えがない場合は、ログインしてパスワードを変更してください。',
    approvedTitle: '確認しました',
    approvedAdvice: 'リンクを要求した画面に戻ってください。このページは閉じてかまいません。',
    recoveryTitle: 'パスワードの再設定',
    recoveryAdvice: 'リンクを要求した画面に戻り、次のコードを入力してください：',
    deadTitle: 'このリンクは無効です',
    deadAdvice:
      'すでに使用されたか、有効期限が切れています。リンクを要求した画面に戻り、もう一度要求してください。',
    replacedAdvice:
      '代わりに新しいリンクが送信されています。最新のメッセージのリンクを開いてください。お心当たりがない場合は、どちらも無視してください。',
    failedTitle: 'うまくいきませんでした',
    failedAdvice:
      'こちら側で問題が発生しました。しばらくしてから、ページを再読み込みしてください。',
    foreignAdvice:
      '別のサイトのページから送信されたため、拒否されました。メッセージのリンクをもう一度開いてください。',
    insecureAdvice: 'このページは https で始まるアドレスで開いてください。',
    notYoursFact: 'ログインしていますが、このページを見ることはできません。',
    language: '言語',
  },
}
