import { describe, expect, it } from 'vitest';

import type { BlockName } from './block-names.ts';
import { findScript } from './find-script.ts';
import { timeScript } from './time-script.ts';
import { writeBlock } from './write-block.ts';

function write(name: BlockName, scriptId: string): string {
  const script = findScript(scriptId);
  const source = { script, chapters: timeScript(script), startMs: Date.parse('2026-07-07T12:00:00Z') };
  return writeBlock(name, source) as string;
}

describe('a block', () => {
  it.each([
    [
      'en',
      'launch-review',
      '**Present:** Maya Lindqvist, Tom Okafor, Priya Raman\n\n- **Where the beta stands**',
    ],
    ['de', 'de/support-call/0', '**Anwesend:** '],
    [
      'fr',
      'fr/sales-call/0',
      '**Participants\u00a0:** Élodie Rousselet, Sandrine Colin, Julien Marchand\n\n- **Le planning',
    ],
    ['es', 'es/lecture/0', '**Asistentes:** '],
    ['ru', 'ru/lecture/0', '**Присутствовали:** '],
    [
      'zh',
      'zh/product-review/0',
      '**出席：** 吴静怡、高思琪、赵俊杰、孙浩然\n\n- **内测结果** (00:04): 都是小问题，还有一些咨询。',
    ],
    [
      'ja',
      'ja/project-sync/0',
      '**出席者：** 山本 千尋、伊藤 拓也、小林 陽子、高橋 誠\n\n- **工事と予算** (00:04): いいですね。',
    ],
  ])('names who was there in %s', (_language, id, beginning) => {
    expect(write('protocol', id).slice(0, beginning.length)).toBe(beginning);
  });

  it.each([
    ['launch-review', '- **Maya Lindqvist** spoke 28% of the time'],
    ['de/retrospective/0', '- **Miriam Rademacher** hatte 32 % der Redezeit'],
    ['zh/product-review/0', '- **吴静怡** 发言占 22%'],
  ])('tells the shares of %s in its language', (id, beginning) => {
    expect(write('sales_coach', id).slice(0, beginning.length)).toBe(beginning);
  });

  it.each([
    [
      'launch-review',
      '**And the other three?** Tom Okafor: Two are questions about permissions, so really a gap in our texts.',
    ],
    ['es/support-call/0', '**Cuéntenos, ¿qué está pasando?** Irene Cabrera: Buenos días.'],
    [
      'fr/sales-call/0',
      '**Combien de temps cela vous prend par semaine\u00a0?** Sandrine Colin\u00a0: À moi, une journée entière.',
    ],
    ['zh/product-review/0', '**那剩下的呢？** 高思琪：都是小问题，还有一些咨询。'],
    ['ja/project-sync/0', '**予算内に収まりそうですか？** 伊藤 拓也：はい、残りは400万円です。'],
  ])('finds questions and their answers in %s', (id, entry) => {
    expect(write('questions_and_answers', id)).toContain(entry);
  });

  it.each([
    [
      'launch-review',
      'Hello everybody,\n\nthank you for your time. In short:',
      'What we agreed:\n\n- Launch on Tuesday',
    ],
    [
      'ru/doctor-visit/0',
      'Всем добрый день!\n\nСпасибо за встречу.',
      'О чём договорились:\n\n- Повторный приём',
    ],
    ['ja/sales-call/0', '皆様\n\n本日はお時間をいただき', '決まったこと：\n\n- 二つの'],
  ])('greets and thanks in the language of %s', (id, beginning, agreed) => {
    const mail = write('follow_up_email', id);
    expect(mail.startsWith(beginning)).toBe(true);
    expect(mail).toContain(agreed);
  });
});
