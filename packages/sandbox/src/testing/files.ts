/** The content of one entry of a ZIP file that is stored as it is; undefined when it has no entry of this name. */
export function readZipEntry(zip: Buffer, name: string): string | undefined {
  const end = zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  const count = zip.readUInt16LE(end + 10);
  let at = zip.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    );
    const size = zip.readUInt32LE(at + 20);
    const header = zip.readUInt32LE(at + 42);
    if (zip.toString('utf8', at + 46, at + 46 + (nameLength ?? 0)) === name) {
      const begin = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      return zip.toString('utf8', begin, begin + size);
    }
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return undefined;
}
