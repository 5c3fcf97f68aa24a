import type { ContentLanguage } from './languages.ts';

/** What a report says in its own words, around what was said in the meeting. */
export interface Phrases {
  /** Above the decisions. */
  readonly agreed: string;
  /** Before the names of everybody who speaks. */
  readonly present: string;
  /** Between a name and what it stands for. */
  readonly colon: string;
  /** Between names. */
  readonly comma: string;
  /** Of a mail to everybody: a greeting, thanks, and the words before the summary. */
  readonly mailOpening: readonly [greeting: string, thanks: string];
  /** Of such a mail, before the decisions. */
  readonly mailAgreed: string;
  /** With `{name}` and `{percent}`. */
  readonly share: string;
  /** Behind the name of who has to do a task, with `{date}`. */
  readonly due: string;
  /** What a file calls the facts of the meeting, and what stands above the transcript. */
  readonly facts: Readonly<Record<'date' | 'duration' | 'source' | 'speakers' | 'transcript', string>>;
  /** In place of the transcript. */
  readonly nobodySpoke: string;
}

const phrases: Readonly<Record<ContentLanguage, Phrases>> = {
  en: {
    agreed: 'Agreed',
    present: 'Present:',
    colon: ': ',
    comma: ', ',
    mailOpening: ['Hello everybody,', 'thank you for your time. In short:'],
    mailAgreed: 'What we agreed:',
    share: '**{name}** spoke {percent}% of the time',
    due: ', due {date}',
    facts: {
      date: 'Date',
      duration: 'Duration',
      source: 'Source',
      speakers: 'Speakers',
      transcript: 'Transcript',
    },
    nobodySpoke: 'Nobody spoke.',
  },
  de: {
    agreed: 'Vereinbart',
    present: 'Anwesend:',
    colon: ': ',
    comma: ', ',
    mailOpening: ['Hallo zusammen,', 'vielen Dank für das Gespräch. Kurz zusammengefasst:'],
    mailAgreed: 'Das haben wir vereinbart:',
    share: '**{name}** hatte {percent} % der Redezeit',
    due: ', bis {date}',
    facts: {
      date: 'Datum',
      duration: 'Dauer',
      source: 'Quelle',
      speakers: 'Sprecher',
      transcript: 'Transkript',
    },
    nobodySpoke: 'Niemand hat gesprochen.',
  },
  fr: {
    agreed: 'Décisions',
    present: 'Participants\u00a0:',
    colon: '\u00a0: ',
    comma: ', ',
    mailOpening: ['Bonjour à tous,', 'merci pour cet échange. En résumé\u00a0:'],
    mailAgreed: 'Ce que nous avons décidé\u00a0:',
    share: '**{name}** a parlé {percent}\u00a0% du temps',
    due: ', pour le {date}',
    facts: {
      date: 'Date',
      duration: 'Durée',
      source: 'Source',
      speakers: 'Intervenants',
      transcript: 'Transcription',
    },
    nobodySpoke: 'Personne n’a parlé.',
  },
  es: {
    agreed: 'Acuerdos',
    present: 'Asistentes:',
    colon: ': ',
    comma: ', ',
    mailOpening: ['Hola a todos:', 'Gracias por la reunión. En resumen:'],
    mailAgreed: 'Lo que hemos acordado:',
    share: '**{name}** ha hablado el {percent} % del tiempo',
    due: ', para el {date}',
    facts: {
      date: 'Fecha',
      duration: 'Duración',
      source: 'Origen',
      speakers: 'Participantes',
      transcript: 'Transcripción',
    },
    nobodySpoke: 'Nadie ha hablado.',
  },
  ru: {
    agreed: 'Договорились',
    present: 'Присутствовали:',
    colon: ': ',
    comma: ', ',
    mailOpening: ['Всем добрый день!', 'Спасибо за встречу. Коротко о главном:'],
    mailAgreed: 'О чём договорились:',
    share: '**{name}** — {percent} % времени разговора',
    due: ', срок {date}',
    facts: {
      date: 'Дата',
      duration: 'Длительность',
      source: 'Источник',
      speakers: 'Участники',
      transcript: 'Расшифровка',
    },
    nobodySpoke: 'Никто не говорил.',
  },
  zh: {
    agreed: '达成的共识',
    present: '出席：',
    colon: '：',
    comma: '、',
    mailOpening: ['大家好，', '感谢各位抽时间参加。会议要点如下：'],
    mailAgreed: '我们商定：',
    share: '**{name}** 发言占 {percent}%',
    due: '，截止 {date}',
    facts: {
      date: '日期',
      duration: '时长',
      source: '来源',
      speakers: '发言人',
      transcript: '逐字记录',
    },
    nobodySpoke: '没有人发言。',
  },
  ja: {
    agreed: '合意事項',
    present: '出席者：',
    colon: '：',
    comma: '、',
    mailOpening: ['皆様', '本日はお時間をいただき、ありがとうございました。要点は次のとおりです。'],
    mailAgreed: '決まったこと：',
    share: '**{name}** さんの発言は全体の {percent}%',
    due: '、期限 {date}',
    facts: {
      date: '日付',
      duration: '時間',
      source: 'ソース',
      speakers: '発言者',
      transcript: '文字起こし',
    },
    nobodySpoke: '発言はありませんでした。',
  },
};

export function findPhrases(language: ContentLanguage): Phrases {
  return phrases[language];
}
