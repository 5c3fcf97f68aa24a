import type { Scene } from '../../generator/scene.ts';

/** Four people prepare the opening of a shop. */
export const projectSync: Scene = {
  title: '{store}開店準備 定例会議',
  templateName: 'project-sync',
  keywords: ['開店準備', '{store}', '予算', '採用', '宣伝'],
  people: { lead: 'woman', builder: 'man', hr: 'woman', promo: 'man' },
  slots: {
    store: ['金沢店', '仙台店', '広島店', '高松店'],
    left: ['あと三週間', 'あと四週間', 'あと一か月'],
    money: [
      { plan: '1,200万円', spent: '900万円', rest: '300万円', share: '75%' },
      { plan: '1,600万円', spent: '1,200万円', rest: '400万円', share: '75%' },
      { plan: '1,000万円', spent: '800万円', rest: '200万円', share: '80%' },
    ],
    trouble: [
      {
        said: '棚の納品が一週間遅れるそうです',
        fix: '閉店した店の棚を一部使いたいと思います。状態はいいので、トラックさえ手配できれば大丈夫です。',
        short: '棚の納品が一週間遅れる',
        decision: '閉店した店の棚を一部使う',
        task: 'トラックを手配して棚を運ぶ',
      },
      {
        said: '看板の許可がまだ下りていません',
        fix: '開店日は仮の横断幕で対応したいと思います。それなら許可は要りません。',
        short: '看板の許可がまだ下りていない',
        decision: '開店日は看板の代わりに仮の横断幕を使う',
        task: '仮の横断幕を発注する',
      },
      {
        said: 'レジにつなぐ読み取り機がまだ届いていません',
        fix: '倉庫に予備が六台ありますので、それを使いたいと思います。動くかどうかは私が確認します。',
        short: 'レジの読み取り機がまだ届いていない',
        decision: '倉庫にある予備の読み取り機を使う',
        task: '倉庫から読み取り機を運び、動作を確認する',
      },
    ],
    staff: [
      { came: '46名', invited: '12名', need: '6名' },
      { came: '38名', invited: '10名', need: '5名' },
      { came: '57名', invited: '15名', need: '8名' },
    ],
    gift: ['エコバッグのプレゼント', '全品一割引', 'コーヒー一杯のサービス'],
  },
  weeks: [{ offers: 4 }, { offers: 5 }, { offers: 3 }],
  chapters: [
    {
      name: '工事と予算',
      lines: [
        'lead: おはようございます。{store}の開店まで、{left}です。今日は工事、人員、宣伝の順に確認しましょう。{builder.last}さん、工事はいかがですか？',
        'builder: はい。内装は終わりまして、月曜日に電気の検査も通りました。予算{money.plan}のうち、今のところ{money.spent}、{money.share}を使っています。',
        'lead: 予算内に収まりそうですか？',
        'builder: はい、残りは{money.rest}です。ただ、一つ困ったことがありまして、{trouble.said}。',
        'lead: そうですか。どうしましょうか？',
        'builder: {trouble.fix}',
        'lead: いいですね。では、それでお願いします。',
      ],
    },
    {
      name: '人員',
      lines: [
        'hr: 人員についてご報告します。応募は{staff.came}で、そのうち{staff.invited}の面接が決まりました。必要なのは{staff.need}です。',
        'lead: 開店までに研修は間に合いますか？',
        'hr: {offers}までに採用を決められれば間に合います。研修は四日間で、隣の店にはもう話してあります。',
        'builder: せっかくなので、商品の陳列も手伝ってもらえませんか？',
        'hr: そうですね、いい練習になると思います。',
      ],
    },
    {
      name: '宣伝と開店日',
      lines: [
        'promo: 宣伝ですが、チラシは刷り上がりました。地域の広告は来週から出ます。あとは開店記念に何をするかです。',
        'lead: 何か案はありますか？',
        'promo: 一番シンプルなものがいいと思います。{gift}です。前回の開店でも一番好評でした。',
        'lead: 賛成です。費用はどのくらいになりますか？',
        'promo: 計算して、明日お送りします。残りの予算には十分収まるはずです。',
        'lead: では、それで進めましょう。議事録は私が今日中に送ります。来週も同じ時間にお願いします。',
      ],
    },
  ],
  summary: [
    '{store}の開店まで{left}。内装工事は完了し、予算{money.plan}のうち{money.spent}（{money.share}）を使った。残りは{money.rest}。',
    '課題は一つ：{trouble.short}。対応として、{trouble.decision}ことにした。',
    '応募は{staff.came}、面接は{staff.invited}、必要な人数は{staff.need}。開店記念は{gift}。',
  ],
  decisions: ['{trouble.decision}', '{offers}までに採用を決める', '開店記念は{gift}にする'],
  tasks: [
    { text: '{trouble.task}', owner: 'builder', due: 3, chapter: 0 },
    { text: '採用する{staff.need}を決めて連絡する', owner: 'hr', due: 'offers', chapter: 1 },
    { text: '開店記念の費用を計算して送る', owner: 'promo', due: 1, chapter: 2 },
    { text: '議事録を送る', owner: 'lead', due: 0, chapter: 2 },
  ],
};
