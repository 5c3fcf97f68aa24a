import type { Scene } from '../../generator/scene.ts';

/** A first look at a product, a price and a trial. */
export const salesCall: Scene = {
  title: '{customer}様 {product}のご提案',
  templateName: 'sales-meeting',
  keywords: ['{product}', '{customer.topic}', 'お試し', 'お見積もり', 'データの保管場所'],
  people: { seller: 'woman', engineer: 'man', buyer: 'man' },
  slots: {
    product: ['シフトノート', 'プランボード', 'ワークカレンダー'],
    customer: [
      {
        name: '北浜運輸',
        topic: '配車表',
        today: 'ホワイトボードと表計算ソフトの両方を使っています',
        trouble: '先週は、同じ便に運転手が二人来てしまいました',
        site: '営業所',
      },
      {
        name: 'あおば介護サービス',
        topic: '勤務表',
        today: '紙に書いて、消しゴムで直しながら作っています',
        trouble: '先週は、土曜の夜勤が空いたままになっていました',
        site: '施設',
      },
      {
        name: 'ベーカリー麦の里',
        topic: 'シフト表',
        today: '各店の店長が自由に作ったものを、私が日曜の夜に写しています',
        trouble: '先週は、十時まで開けられない店がありました',
        site: '店舗',
      },
    ],
    price: [
      { people: '70名', each: '900円', full: '756,000円', discount: '10%', net: '680,400円' },
      { people: '120名', each: '800円', full: '1,152,000円', discount: '15%', net: '979,200円' },
      { people: '50名', each: '1,100円', full: '660,000円', discount: '10%', net: '594,000円' },
    ],
    hours: ['五時間', '七時間', '丸一日'],
    trial: ['四週間', '六週間', '二か月'],
    place: ['大阪', '札幌', '福岡'],
  },
  weeks: [{ files: 2 }, { files: 4 }, { files: 5 }],
  chapters: [
    {
      name: '現在の{customer.topic}',
      lines: [
        'seller: 本日はお時間をいただき、ありがとうございます。こちらは技術担当の{engineer.last}です。さっそくですが、今は{customer.topic}をどのように作っていらっしゃいますか？',
        'buyer: {customer.today}。変更があるたびに、電話を三本かけています。{customer.trouble}。',
        'engineer: 作成には、週にどのくらいかかりますか？',
        'buyer: 私だけで{hours}です。社員からの問い合わせは、また別にあります。',
      ],
    },
    {
      name: '製品のご紹介',
      lines: [
        'engineer: こちらが{product}の画面です。左に名前、上に日付が並んでいます。名前を動かすと、ご本人のスマートフォンにすぐ通知が届きます。',
        'buyer: 会社のスマートフォンを持っていない社員もいますが、大丈夫ですか？',
        'engineer: はい、個人の電話でもメールでも受け取れます。返事があると、画面の色が変わります。',
        'buyer: わかりやすいですね。休憩の決まりも確認してくれますか？',
        'engineer: はい。間隔が足りないと赤く表示されて、公開できないようになっています。',
      ],
    },
    {
      name: '料金とお試し',
      lines: [
        'buyer: 料金についても教えてください。使うのは{price.people}です。',
        'seller: お一人様、月額{price.each}ですので、年間で{price.full}です。一年のご契約でしたら{price.discount}お引きして、{price.net}になります。',
        'buyer: まず実際に使ってみないと、社内で決められません。二つの{customer.site}で試せますか？',
        'seller: もちろんです。{trial}、二つの{customer.site}で、費用はかかりません。お見積もりは明日お送りします。お試しが終わるまで有効です。',
        'buyer: では、今の{customer.topic}を{files}までにお送りします。',
        'engineer: ありがとうございます。それがあれば、準備は一日で終わります。',
        'buyer: 最後に一つだけ。データはどこに保管されますか？',
        'seller: {place}のデータセンターです。証明書をお見積もりに添えておきます。',
      ],
    },
  ],
  summary: [
    '{customer}様では{customer.topic}を手作業で作っており、担当者だけで週に{hours}かかっている。',
    '次の段階：二つの{customer.site}で{trial}、無料で試していただく。お見積もりは{price.people}で年間{price.net}（定価{price.full}から{price.discount}引き）。',
    'データは{place}のデータセンターに保管。証明書をお見積もりに添える。',
  ],
  decisions: [
    '二つの{customer.site}で{product}を{trial}、無料で試す',
    'お見積もり（年間{price.net}）はお試しが終わるまで有効とする',
  ],
  tasks: [
    { text: 'お見積もりと証明書を送る', owner: 'seller', due: 1, chapter: 2 },
    { text: '今の{customer.topic}を送る', owner: 'buyer', due: 'files', chapter: 2 },
    { text: 'お試しの準備をする', owner: 'engineer', chapter: 2 },
  ],
};
