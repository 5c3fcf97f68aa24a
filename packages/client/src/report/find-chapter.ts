import type { Chapter } from './report.ts';

/** Finds the name of the chapter at a position, in logarithmic time: a report may hold very many of both. */
export function createChapterFinder(chapters: readonly Chapter[]): (seconds: number) => string | undefined {
  const timed = chapters
    .flatMap(({ name, startSeconds, endSeconds }) =>
      startSeconds === undefined
        ? []
        : [{ name, startSeconds, endSeconds: endSeconds ?? Number.POSITIVE_INFINITY }],
    )
    .toSorted((one, other) => one.startSeconds - other.startSeconds);
  return (seconds) => {
    let low = 0;
    let high = timed.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((timed[middle]?.startSeconds ?? 0) <= seconds) low = middle + 1;
      else high = middle;
    }
    const chapter = timed[low - 1];
    return chapter === undefined || seconds > chapter.endSeconds ? undefined : chapter.name;
  };
}
