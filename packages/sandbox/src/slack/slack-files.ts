/** A file as its messages show it. */
export interface SlackFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly sizeBytes: number;
}

interface HeldFile {
  readonly id: string;
  readonly name: string;
  readonly altText: string | undefined;
  /** As the sender announced it. */
  readonly announcedBytes: number;
  /** Undefined until it is uploaded. */
  content: Buffer | undefined;
  /** Set when the upload is completed. */
  shared:
    | { readonly title: string; readonly channel: string | undefined; readonly ts: string | undefined }
    | undefined;
}

/** The uploads of the workspace; the newest 100 are kept. */
export interface SlackFiles {
  readonly announce: (name: string, bytes: number, altText: string | undefined) => HeldFile;
  readonly find: (id: string) => HeldFile | undefined;
  readonly clear: () => void;
}

export type { HeldFile };

const keptFiles = 100;

export function createSlackFiles(): SlackFiles {
  const files = new Map<string, HeldFile>();
  let lastNumber = 0;
  return {
    announce(name, announcedBytes, altText) {
      lastNumber += 1;
      const id = `F${String(lastNumber).padStart(9, '0')}`;
      const file: HeldFile = {
        id,
        name,
        altText,
        announcedBytes,
        content: undefined,
        shared: undefined,
      };
      files.set(id, file);
      const [oldest] = files.keys();
      if (files.size > keptFiles && oldest !== undefined) files.delete(oldest);
      return file;
    },
    find: (id) => files.get(id),
    clear() {
      files.clear();
      lastNumber = 0;
    },
  };
}
