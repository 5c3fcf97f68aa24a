import type { FormEntry } from '@aftermeet/contract';

const encoder = new TextEncoder();

/**
 * Everything of a form that stands before the file's bytes: the text parts and the file part's own head.
 * The file part comes last. Names and values are written as browsers write them (WHATWG HTML,
 * "multipart/form-data encoding algorithm"): UTF-8, line ends of values as CR LF, and in names CR, LF and `"` as
 * `%0D`, `%0A` and `%22`.
 */
export function encodeFormHead(form: readonly FormEntry[], boundary: string): Uint8Array {
  const parts = form.map((entry) => {
    const start = `--${boundary}\r\ncontent-disposition: form-data; name="${escapeName(entry.name)}"`;
    return 'value' in entry
      ? { isFile: false, text: `${start}\r\n\r\n${normalizeLineEnds(entry.value)}\r\n` }
      : {
          isFile: true,
          text: `${start}; filename="${escapeName(entry.filename)}"\r\ncontent-type: application/octet-stream\r\n\r\n`,
        };
  });
  const inOrder = [...parts.filter(({ isFile }) => !isFile), ...parts.filter(({ isFile }) => isFile)];
  return encoder.encode(inOrder.map(({ text }) => text).join(''));
}

/** What stands behind the file's bytes. */
export function encodeFormTail(boundary: string): Uint8Array {
  return encoder.encode(`\r\n--${boundary}--\r\n`);
}

function escapeName(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

function normalizeLineEnds(value: string): string {
  return value.replaceAll(/\r\n|\r|\n/g, '\r\n');
}
