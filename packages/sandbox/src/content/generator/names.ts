import type { ContentLanguage } from '../languages.ts';

interface Names {
  readonly women: readonly string[];
  readonly men: readonly string[];
  /** In Russian the form of a man; a woman's has an `а` behind it. */
  readonly families: readonly string[];
}

const split = (text: string): readonly string[] => text.split(' ');

/** Common first and family names; any of them may meet. */
const names: Readonly<Record<ContentLanguage, Names>> = {
  en: {
    women: split('Hannah Rebecca Naomi Claire Leah Imogen Joanna Tessa Miriam Fiona'),
    men: split('Daniel Owen Marcus Nathan Simon Callum Victor Adrian Joel Patrick'),
    families: split('Whitaker Osei Marsh Delgado Pryce Lowell Banerjee Ashdown Kerr Holloway Novak Sutton'),
  },
  de: {
    women: split('Katrin Julia Sabine Lena Miriam Annika Carolin Heike Nele Franziska'),
    men: split('Stefan Jonas Matthias Tobias Henrik Florian Carsten Lukas Malte Sebastian'),
    families: split(
      'Brandt Lindner Hartwig Petersen Yilmaz Seidel Kowalski Engel Rademacher Vogt Thiel Ostermann',
    ),
  },
  fr: {
    women: split('Camille Élodie Sandrine Manon Nadia Claire Aurélie Inès Mathilde Sophie'),
    men: split('Julien Thomas Karim Antoine Nicolas Baptiste Olivier Mehdi Guillaume Rémi'),
    families: split(
      'Lefèvre Garnier Benali Chevalier Marchand Perrin Diallo Rousselet Faure Guérin Moreau Colin',
    ),
  },
  es: {
    women: split('Lucía Marta Elena Carmen Nuria Beatriz Irene Pilar Rocío Alicia'),
    men: split('Javier Álvaro Diego Sergio Andrés Rubén Ignacio Óscar Hugo Raúl'),
    families: split(
      'Ortega Navarro Iglesias Molina Serrano Cabrera Ibáñez Romero Vidal Santana Prieto Campos',
    ),
  },
  ru: {
    women: split('Анна Мария Ольга Екатерина Наталья Ирина Дарья Светлана Юлия Татьяна'),
    men: split('Алексей Дмитрий Сергей Андрей Михаил Павел Игорь Артём Николай Роман'),
    families: split('Лебедев Морозов Волков Зайцев Белов Гусев Ершов Киселёв Воронин Макаров Фомин Тарасов'),
  },
  zh: {
    women: split('丽华 静怡 晓燕 雨桐 慧敏 佳颖 思琪 雪梅'),
    men: split('志强 建国 浩然 俊杰 文博 子轩 海涛 明远'),
    families: split('陈 林 赵 周 吴 徐 孙 郭 何 高 罗 郑'),
  },
  ja: {
    women: split('美咲 陽子 由美 真理子 彩香 千尋 恵子 奈々'),
    men: split('健太 大輔 直樹 拓也 浩二 翔太 和也 誠'),
    families: split('佐藤 高橋 伊藤 渡辺 中村 小林 加藤 吉田 山本 松井 石川 前田'),
  },
};

export function findNames(language: ContentLanguage): Names {
  return names[language];
}
