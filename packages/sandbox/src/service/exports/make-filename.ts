const nameMaxLength = 100;

/** A file name from a title: no folder, no character that a file system or a shell minds, never hidden. */
export function makeFilename(title: string, extension: string): string {
  const safe = title
    .replaceAll(/[\p{Cc}\p{Cf}\p{Surrogate}<>:"/\\|?*%$`'!;&]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const cut = Array.from(safe)
    .slice(0, nameMaxLength)
    .join('')
    .replace(/^[.\s-]+|[.\s]+$/g, '');
  return `${cut || 'meeting'}.${extension}`;
}
