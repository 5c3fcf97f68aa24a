/** Reads an option that may be given again and may hold commas: `--tag a,b --tag c`. */
export function collectList(text: string, before: readonly string[] = []): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...before, ...items.filter((item) => item !== '')];
}
