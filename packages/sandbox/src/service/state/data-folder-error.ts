/** The folder that keeps a sandbox's state cannot be used. The message names the file and says what to do. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError';
}

/** For a fault of the system, named by its code: `EACCES`, `ENOSPC`, ... */
export function describeDiskFault(path: string, doing: string, error: unknown): DataFolderError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const advice =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'Make room on the disk'
      : 'Let this user read and write there, or name another folder';
  return new DataFolderError(`${path} cannot be ${doing}: ${code}. ${advice}, and try again.`);
}
