/** A person's name as it is compared: neither case, nor blanks, nor how a letter is composed makes another person of it. */
export function foldName(name: string): string {
  return name.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
}
